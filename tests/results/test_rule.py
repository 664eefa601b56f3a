"""A rule as text and in SQL."""

import json

import numpy as np
import pytest

from glasswood.results import Condition, Rule

CASES = [
    (Condition(feature="Age", upper=16.0), "Age <= 16", '"Age" <= 16', 1),
    (Condition(feature="Age", lower=0.5), "Age > 0.5", '"Age" > 0.5', 1),
    (Condition(feature="Age", lower=1.0, upper=2.0), "1 < Age <= 2", '"Age" > 1 AND "Age" <= 2', 2),
    (Condition(feature="Age", upper=16.0, missing=True), "Age <= 16 or missing", '("Age" <= 16 OR "Age" IS NULL)', 1),
    (Condition(feature="Sex", levels=("female",)), "Sex in {female}", "\"Sex\" IN ('female')", 1),
    (Condition(feature="Cabin", present=False, missing=True), "Cabin is missing", '"Cabin" IS NULL', 1),
    (Condition(feature="Cabin"), "Cabin is not missing", '"Cabin" IS NOT NULL', 1),
]


@pytest.mark.parametrize(("condition", "text", "sql", "n"), CASES)
def test_a_condition_reads_as_it_is(condition: Condition, text: str, sql: str, n: int) -> None:
    assert (condition.to_text(), condition.to_sql(), condition.n_conditions) == (text, sql, n)
    assert Condition.from_dict(json.loads(json.dumps(condition.to_dict()))) == condition


def test_conditions_with_missing_values_are_bracketed() -> None:
    rule = Rule(
        conditions=(CASES[3][0], CASES[4][0]),
        support=3.0,
        inside=np.array([0.5]),
        outside=np.array([0.25]),
        frequency=0.1,
        frequency_se=0.01,
        coefficient=1.0,
    )
    assert rule.to_text() == "(Age <= 16 or missing) and Sex in {female}"
    assert rule.n_conditions == 2
    again = Rule.from_dict(json.loads(json.dumps(rule.to_dict())))
    assert again.to_text() == rule.to_text() and again.inside == rule.inside


def test_text_for_people_rounds_and_what_programs_read_does_not() -> None:
    condition = Condition(feature="x", upper=-0.10257528408332377)
    assert condition.to_text() == "x <= -0.102575"
    assert condition.to_text(exact=True) == "x <= -0.10257528408332377"
    assert condition.to_sql() == '"x" <= -0.10257528408332377'
    narrow = Condition(feature="x", lower=1.0000001, upper=1.0000002)
    assert narrow.to_text() == "1.0000001 < x <= 1.0000002"
