"""The axis of a feature suits its rows."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood.web.panels._scales import scales_of
from glasswood.web.panels._seen_values import Seen


def seen(values: object) -> Seen:
    found, counts = np.unique(np.asarray(values, dtype=np.float64), return_counts=True)
    return Seen(found, counts.astype(np.float64))


def test_rows_that_fill_the_axis_are_drawn_by_value() -> None:
    scales = scales_of(seen(np.arange(1, 1001)))
    assert scales is not None and scales.first == "value" and scales.shift is None


def test_few_numbers_have_one_axis() -> None:
    assert scales_of(seen([0, 1] * 20)) is None


def test_sums_of_money_are_drawn_by_logarithm() -> None:
    rng = np.random.default_rng(0)
    scales = scales_of(seen(np.exp(rng.normal(10, 2, 2000))))
    assert scales is not None and scales.first == "log" and scales.shift == 0.0
    log = scales.to_dict()["log"]
    assert [text for _, text in log["ticks"]] == ["10", "100", "1000", "10,000", "100,000", "1 M", "10 M"]


def test_a_code_for_most_rows_is_drawn_by_rows() -> None:
    rng = np.random.default_rng(0)
    scales = scales_of(seen(np.where(rng.random(1000) < 0.96, 999, rng.integers(0, 40, 1000))))
    assert scales is not None and scales.first == "rows"
    knots = scales.to_dict()["rows"]["knots"]
    assert knots[0][1] == 0.0 and knots[-1] == [999.0, 1.0]


def test_zeros_among_positive_numbers_stay_on_the_axis_of_logarithms() -> None:
    values = np.concatenate([np.zeros(300), np.exp(np.linspace(0, 12, 700))])
    scales = scales_of(seen(values))
    assert scales is not None and scales.shift is not None and scales.shift > 0
    assert scales.to_dict()["log"]["ticks"][0] == [0.0, "0"]
    assert scales.log_bars(10)[0][0] == 0.0


def test_numbers_below_zero_and_dates_have_no_logarithm() -> None:
    for found in (scales_of(seen(np.arange(-50, 50))), scales_of(seen(np.arange(1, 1e6, 1e3)), is_date=True)):
        assert found is not None and found.shift is None and "log" not in found.to_dict() and found.log_bars(10) == []


@given(st.integers(0, 2**32), st.sampled_from([0.5, 3.0, 9.0, 100.0]), st.booleans(), st.integers(3, 20))
@settings(max_examples=50)
def test_knots_rise_and_bars_hold_every_row(seed: int, spread: float, zeros: bool, steps: int) -> None:
    values = np.exp(np.random.default_rng(seed).normal(0, spread, 60))
    rows = seen(np.where(np.arange(60) % 3 > 0, values, 0.0) if zeros else values)
    scales = scales_of(rows)
    if scales is None:
        return
    knots = scales.to_dict()["rows"]["knots"]
    assert all(a[0] < b[0] and a[1] <= b[1] for a, b in pairwise(knots))
    if scales.shift is not None:
        bars = scales.log_bars(steps)
        assert sum(weight for _, _, weight in bars) == pytest.approx(rows.weight.sum())
        assert all(a < b for a, b, _ in bars)
