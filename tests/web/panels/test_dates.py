"""Thresholds, distances and cells are written with dates."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glasswood.web.panels._dates import date_between, date_interval, time_apart


def micros(text: str) -> float:
    return float(np.datetime64(text, "us").astype(np.int64))


@given(st.integers(-(10**15), 10**15), st.integers(2, 10**13), st.floats(0, 1))
def test_a_short_date_separates_what_the_threshold_separates(low: int, width: int, place: float) -> None:
    width = max(width, 2_000_000)  # texts have seconds
    near = low + place * (width - 1)
    text = date_between(float(low), float(low + width), near)
    assert low <= micros(text.replace(" ", "T")) + 999_999 and micros(text.replace(" ", "T")) < low + width


def test_days_are_enough_where_days_differ() -> None:
    assert date_between(micros("2014-03-01"), micros("2014-03-02"), micros("2014-03-01T12:00")) == "2014-03-01"
    assert date_between(micros("2014-03-01T10:00"), micros("2014-03-01T11:00"), micros("2014-03-01T10:30")) == (
        "2014-03-01 10:30"
    )
    assert date_between(-np.inf, np.inf, micros("2014-03-01T10:30")) == "2014-03-01 10:30"


@pytest.mark.parametrize(
    ("apart", "text"),
    [(86_400e6, "+1 day"), (-2.5 * 86_400e6, "−2.5 days"), (60e6, "+1 minute"), (0.5e6, "+0.5 seconds")],
)
def test_distances_of_dates_are_said_in_their_unit(apart: float, text: str) -> None:
    assert time_apart(apart) == text


def test_cells_are_said_with_dates() -> None:
    a, b = micros("2014-03-01"), micros("2014-05-01")
    assert date_interval("signup", -np.inf, a) == "signup until 2014-03-01"
    assert date_interval("signup", a, b) == "signup after 2014-03-01, until 2014-05-01"
    assert date_interval("signup", b, np.inf) == "signup after 2014-05-01"
    assert date_interval("signup", -np.inf, np.inf) == "any signup"
