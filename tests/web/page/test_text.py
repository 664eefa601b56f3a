"""Numbers as the page shows them."""

import math

import pytest

from glasswood.ensemble import IDENTITY, LOG, LOGIT, NO_LINK, SOFTMAX, Link, LinkKind
from glasswood.web.page._text import edge, interval, many, number, percent, rounded, scale_of, signed


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1234.0, "1234"),
        (-0.123456, "−0.1235"),
        (12345.678, "12,346"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
        (math.nan, "–"),
        (1e-9, "1 × 10⁻⁹"),
        (-0.00005, "−5 × 10⁻⁵"),
        (1.58e15, "1.58 × 10¹⁵"),
        (2.0**30, "1.074 bn"),
        (999_999.4, "999,999"),
        (1.7e12, "1.7 tn"),
        (-310_259_740.3, "−310.3 M"),
        (999_999_999.0, "1 bn"),
    ],
)
def test_a_number_has_few_digits_and_a_real_minus(value: float, text: str) -> None:
    assert number(value) == text


def test_a_change_has_a_sign() -> None:
    assert [signed(x) for x in (0.5, -0.5, 0.0, math.nan)] == ["+0.5", "−0.5", "0", "–"]


def test_shares_and_counts() -> None:
    assert percent(0.1234) == "12.3 %"
    assert percent(math.nan) == "–"
    assert [many(n, "row") for n in (1, 2, 1309, 2.5)] == ["1 row", "2 rows", "1,309 rows", "2.5 rows"]


def test_what_is_not_finite_is_not_drawn() -> None:
    assert rounded(math.nan) is None
    assert rounded(1.23456789) == 1.23457


def test_a_cell_has_a_text() -> None:
    assert interval("age", -math.inf, 9.5) == "age at most 9.5"
    assert interval("age", 9.5, 12.25) == "age above 9.5, at most 12.25"
    assert interval("age", 60.0, math.inf) == "age above 60"
    assert interval("age", -math.inf, math.inf) == "any age"


def test_narrow_cells_get_the_digits_they_need() -> None:
    assert edge(0.1 + 0.2, 1.0) == "0.3"
    assert edge(1600000000000001.0, 2.0) == "1.600000000000001e15"


def test_every_link_has_a_scale() -> None:
    links = [LOGIT, LOG, SOFTMAX, IDENTITY, NO_LINK, Link(LinkKind.LOGIT, 2.0)]
    assert [scale_of(link) for link in links] == [
        "log-odds",
        "log of the prediction",
        "raw score before softmax",
        "prediction",
        "raw score",
        "raw score",
    ]


def test_whole_numbers_of_the_table_keep_their_digits() -> None:
    assert [number(x, 6) for x in (12_345_678.0, 5_000_000.0, 1.5e9)] == ["12,345,678", "5,000,000", "1.5 bn"]
