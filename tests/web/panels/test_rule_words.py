"""Conditions are said as Python says them, but numbers as on the page, and dates as dates."""

import numpy as np
import pytest

from glasswood.results import Condition, Rule
from glasswood.web.panels._rule_words import condition_words, rule_words

DAY = 86_400e6


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        (Condition(feature="at", upper=DAY), "at <= 1970-01-02"),
        (Condition(feature="at", lower=DAY, missing=True), "at > 1970-01-02 or missing"),
        (Condition(feature="at", lower=0.0, upper=1.5 * DAY), "1970-01-01 < at <= 1970-01-02 12:00"),
        (Condition(feature="at"), "at is not missing"),
        (Condition(feature="at", present=False), "at is missing"),
        (Condition(feature="size", upper=DAY), "size <= 86.4 bn"),
        (Condition(feature="size", lower=-2.5, upper=1_218_580.0), "−2.5 < size <= 1,218,580"),
        (Condition(feature="size", lower=12_345.5, zero_is_missing=True), "size > 12,345.5 but not 0"),
        (Condition(feature="", upper=2.5), "(no name) <= 2.5"),
    ],
)
def test_dates_are_dates(condition: Condition, said: str) -> None:
    assert condition_words(condition, {"at"}) == said


def test_conditions_are_joined_as_in_python() -> None:
    rule = Rule(
        conditions=(Condition(feature="at", upper=DAY, missing=True), Condition(feature="size", lower=1.0)),
        support=3.0,
        inside=np.ones(1),
        outside=np.zeros(1),
        frequency=0.5,
        frequency_se=0.1,
        coefficient=1.0,
    )
    assert rule_words(rule) == rule.to_text().replace("86400000000", "86.4 bn")
    assert rule_words(rule, {"at"}) == "(at <= 1970-01-02 or missing) and size > 1"
