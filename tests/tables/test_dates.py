"""Instants are written and ticked as dates."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from glasswood.tables import date_text, date_ticks


def micros(text: str) -> float:
    return float(np.datetime64(text, "us").astype(np.int64))


@pytest.mark.parametrize("text", ["2014-03-01", "1969-12-31", "2014-03-01 13:05", "2014-03-01 13:05:09"])
def test_an_instant_is_written_as_it_is_read(text: str) -> None:
    assert date_text(micros(text.replace(" ", "T"))) == text


def test_parts_of_a_second_are_kept_if_asked_for() -> None:
    at = micros("2014-03-01T13:05:09.25")
    assert date_text(at) == "2014-03-01 13:05:09" and date_text(at, exact=True) == "2014-03-01 13:05:09.250000"
    assert date_text(micros("2014-03-01T13:05:09"), exact=True) == "2014-03-01 13:05:09"


def test_what_no_calendar_holds_is_a_dash() -> None:
    assert [date_text(value) for value in (float("nan"), float("inf"), 1e19)] == ["–"] * 3


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
@example(27_222_480_487_972_862, 1)  # beyond 2^53, where floats are 2 or 4 apart
def test_ticks_lie_in_the_range_and_are_few(low: int, span: int) -> None:
    start, end = float(low), float(low + span)
    found = date_ticks(start, end)
    places = [place for place, _ in found]
    assert all(start <= place <= end for place in places) and places == sorted(set(places))
    assert len(found) <= 14
