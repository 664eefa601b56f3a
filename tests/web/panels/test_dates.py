"""Instants are written and ticked as dates."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glasswood.web.panels._dates import date_between, date_interval, date_text, date_ticks, time_apart


def micros(text: str) -> float:
    return float(np.datetime64(text, "us").astype(np.int64))


@pytest.mark.parametrize("text", ["2014-03-01", "1969-12-31", "2014-03-01 13:05", "2014-03-01 13:05:09"])
def test_an_instant_is_written_as_it_is_read(text: str) -> None:
    assert date_text(micros(text.replace(" ", "T"))) == text


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


def test_what_no_calendar_holds_is_a_dash() -> None:
    assert [date_text(value) for value in (float("nan"), float("inf"), 1e19)] == ["–"] * 3


def test_cells_are_said_with_dates() -> None:
    a, b = micros("2014-03-01"), micros("2014-05-01")
    assert date_interval("signup", -np.inf, a) == "signup until 2014-03-01"
    assert date_interval("signup", a, b) == "signup after 2014-03-01, until 2014-05-01"
    assert date_interval("signup", b, np.inf) == "signup after 2014-05-01"
    assert date_interval("signup", -np.inf, np.inf) == "any signup"


@pytest.mark.parametrize(
    ("low", "high", "texts"),
    [
        ("2001-05-01", "2019-05-01", ["2005", "2010", "2015"]),
        ("2014-01-01", "2014-12-31", ["2014-01", "2014-04", "2014-07", "2014-10"]),
        ("2014-03-01", "2014-03-05", ["2014-03-01", "2014-03-02", "2014-03-03", "2014-03-04", "2014-03-05"]),
        ("2014-03-01T00:10", "2014-03-01T05:50", [f"2014-03-01 0{hour}:00" for hour in range(1, 6)]),
    ],
)
def test_ticks_are_round_dates(low: str, high: str, texts: list[str]) -> None:
    assert [text for _, text in date_ticks(micros(low), micros(high))] == texts


@given(st.integers(-(2**60), 2**60), st.integers(1, 2**60))
def test_ticks_lie_in_the_range_and_are_few(low: int, span: int) -> None:
    found = date_ticks(float(low), float(low + span))
    places = [place for place, _ in found]
    assert all(low <= place <= low + span for place in places) and places == sorted(set(places))
    assert len(found) <= 14
