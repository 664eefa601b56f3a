"""A rule as Python code is equivalent to the rule."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import glasswood as gw
from glasswood.results import Condition
from glasswood.writers import condition_python, rule_python, rules_python
from tests.web.cases import binary, numbers, several


@pytest.mark.parametrize("case", [binary, several, numbers])
def test_the_code_fires_and_predicts_as_the_rules_do(case) -> None:
    model, X, y = case()
    found = gw.rules(model, X, y)
    fired = found.explain(X).fired
    rows = X.astype(object).to_dict("records")
    for k, rule in enumerate(found.rules):
        expression = compile(rule_python(rule), "rule", "eval")
        assert [bool(eval(expression, {"row": row})) for row in rows] == fired[:, k].tolist()
    space: dict[str, object] = {}
    exec(rules_python(found), space)
    said = np.array([space["predict"](row) for row in rows])  # type: ignore[operator]
    assert said == pytest.approx(found.predict(X).reshape(len(X), -1), rel=1e-12, abs=1e-12)


ENDS = st.one_of(st.just(math.inf), st.floats(-5, 5))


@given(ENDS, ENDS, st.booleans(), st.booleans(), st.one_of(st.none(), st.just(math.nan), st.floats(-6, 6)))
def test_a_condition_on_a_number_holds_where_it_says(
    a: float, b: float, missing: bool, present: bool, value: float | None
) -> None:
    lower, upper = (-math.inf if a == math.inf else min(a, b), math.inf if b == math.inf else max(a, b))
    condition = Condition(feature="it's", lower=lower, upper=upper, missing=missing, present=present)
    gone = value is None or math.isnan(value)
    expected = missing if gone and present else gone if not present else lower < value <= upper  # type: ignore[operator]
    if gone and not present:
        expected = True
    assert bool(eval(condition_python(condition), {"row": {"it's": value}})) == expected


def test_levels_that_look_like_code_stay_text() -> None:
    condition = Condition(feature="x", levels=("'); import os; ('",), missing=True)
    assert eval(condition_python(condition), {"row": {"x": "'); import os; ('"}})
    assert eval(condition_python(condition), {"row": {"x": None}})
    assert not eval(condition_python(condition), {"row": {"x": pd.Timestamp("2020")}})


@pytest.mark.parametrize(("missing", "present"), [(True, True), (False, True), (True, False)])
def test_zero_is_missing_if_the_model_treats_it_so(missing: bool, present: bool) -> None:
    condition = Condition(feature="x", upper=2.0, missing=missing, present=present, zero_is_missing=True)
    code = condition_python(condition)
    said = [bool(eval(code, {"row": {"x": value}})) for value in (0.0, 1e-40, 1.0, 3.0, None, math.nan)]
    assert said == [missing, missing, present, False, missing, missing]
