"""Labels have the shortest number that divides the rows like the threshold."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood.ensemble import category_label, join_names, number_label, rough_number, short_number, shown_number


@pytest.mark.parametrize(
    ("low", "high", "near", "text"),
    [
        (3.0, 4.0, 3.5, "3.5"),
        (0.652, 0.731, 0.6915, "0.7"),
        (1234.0, 5678.0, 3456.0, "3000"),
        (-1.0, 1.0, 0.0, "0"),
        (9.9, 10.3, 10.1, "10"),
        (1e-9, 3e-9, 2e-9, "2e-9"),
        (1e20, 3e20, 2e20, "2e20"),
        (-math.inf, 2.0, 1.0, "1"),
        (-0.58, -0.56, -0.57, "-0.57"),
    ],
)
def test_the_label_has_the_fewest_digits(low: float, high: float, near: float, text: str) -> None:
    assert short_number(low, high, near) == text


def test_the_left_value_is_shown_if_nothing_fits_between() -> None:
    assert short_number(1.0, math.nextafter(1.0, 2.0), 1.0) == "1"


@settings(max_examples=300)
@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(allow_nan=False, allow_infinity=False))
def test_the_printed_number_divides_rows_like_the_threshold(a: float, b: float) -> None:
    low, high = min(a, b), max(a, b)
    middle = low / 2 + high / 2
    if low <= middle < high:
        assert low <= float(short_number(low, high, middle)) < high or math.nextafter(low, high) == high


def test_conditions_are_worded() -> None:
    assert number_label("age", "3.5", missing_left=True) == "age <= 3.5 or missing"
    assert number_label("age", "∞", missing_left=False) == "age is not missing"
    assert category_label("c", ["a", "b"], missing_left=False) == "c in {a, b}"
    assert category_label("c", list("abcdef"), missing_left=True) == "c in {a, b, c, d, … 2 more} or missing"
    assert [shown_number(x) for x in (0.1, 3.0, math.inf, 1e-20)] == ["0.1", "3", "∞", "1e-20"]


@pytest.mark.parametrize(
    ("value", "width", "text"),
    [
        (0.1 + 0.2, math.inf, "0.3"),
        (-0.10257528408332377, math.inf, "-0.102575"),
        (1.23456789e-8, math.inf, "1.23457e-8"),
        (20261115.0, math.inf, "20261115"),
        (2.00000012, 1e-5, "2.00000012"),
        (2.00000012, 1.0, "2"),
        (math.inf, math.inf, "∞"),
    ],
)
def test_labels_have_six_digits_or_as_many_as_distinguish_two_numbers(value: float, width: float, text: str) -> None:
    assert rough_number(value, width) == text


def test_a_list_says_how_many_more_there_are() -> None:
    assert join_names(["a", "b"]) == "a, b" and join_names([]) == ""
    assert join_names(map(str, range(1010)), 2) == "0, 1 and 1,008 more"
