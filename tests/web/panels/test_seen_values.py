"""Numbers in the rows: bars over them, and an axis that contains all of them."""

import numpy as np
import pandas as pd
import pytest

import glasswood as gw
from glasswood.web.panels._seen_values import Seen, seen_numbers


def seen(values: list[float]) -> Seen:
    value, count = np.unique(np.array(values), return_counts=True)
    return Seen(value, count.astype(float))


def test_few_numbers_have_a_bar_each() -> None:
    found = seen([0, 0, 0, 1])
    assert found.few and found.reach == (-0.5, 1.5)
    assert [(pytest.approx((a + b) / 2), tall) for a, b, tall in found.bars()] == [(0, 3), (1, 1)]


def test_many_numbers_fall_into_steps_that_begin_and_end_with_them() -> None:
    found = seen(np.linspace(0.5, 9.25, 500).tolist())
    bars = found.bars()
    assert not found.few and found.reach == (0.5, 9.25)
    assert bars[0][0] == 0.5 and bars[-1][1] == 9.25 and sum(tall for _, _, tall in bars) == 500


def test_whole_numbers_fall_into_steps_of_whole_numbers() -> None:
    bars = seen(list(range(100))).bars()
    assert {tall for _, _, tall in bars[:-1]} == {3} and bars[0][0] == -0.5


def test_few_numbers_that_lie_close_beside_a_far_one_fall_into_steps() -> None:
    found = seen([*range(20), 999])
    assert not found.few and max(b - a for a, b, _ in found.bars()) == 25


def test_a_lone_threshold_is_drawn_between_its_two_numbers() -> None:
    upper = np.array([1e-35, 1.2, 1.9, np.inf, np.nan])
    np.testing.assert_array_equal(seen([0, 1, 2]).centred(upper), [0.5, 1.2, 1.9, np.inf, np.nan])


def test_rows_without_weight_or_number_do_not_count() -> None:
    X = pd.DataFrame({"a": [1.0, 2.0, np.nan, 2.0], "b": pd.Categorical(list("xyxy")), "c": [np.nan] * 4})
    model = gw.TreeRegressor().fit(X, [1.0, 2.0, 3.0, 4.0])
    found = seen_numbers(model.ensemble_, X, np.array([0.0, 1.0, 1.0, 2.5]))
    assert list(found) == ["a"] and found["a"].value.tolist() == [2] and found["a"].weight.tolist() == [3.5]
    assert found["a"].reach == (1.5, 2.5)
