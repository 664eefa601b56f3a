"""Columns of Python objects, by the types found in them."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from glasswood.errors import TableError
from glasswood.tables._objects import read_objects
from tests.tables.examples import plain


def objects(*items):
    out = np.empty(len(items), dtype=object)
    out[:] = items
    return out


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ((), []),
        ((None, None), [None, None]),
        ((1, 2.5, True), [1, 2.5, 1]),
        ((np.float32(0.5), np.int8(3), np.bool_(True)), [0.5, 3, 1]),
        ((Decimal("0.25"), None, float("nan")), [0.25, None, None]),
        ((1, pd.NA, pd.NaT, np.ma.masked), [1, None, None, None]),
        ((2**70, 1), [2.0**70, 1]),
        ((dt.date(1970, 1, 2), None), [86400e6, None]),
        ((dt.datetime(1970, 1, 1, 0, 0, 1), None), [1e6, None]),
        ((pd.Timestamp(1_000, unit="us"), pd.NaT), [1000, None]),
        ((dt.timedelta(milliseconds=1), pd.NaT), [1000, None]),
    ],
)
def test_numbers_and_times_become_floats(items, expected):
    assert plain(read_objects(objects(*items), "column 'x'")) == ("float64", expected)


@pytest.mark.parametrize(
    ("items", "labels", "codes"),
    [
        (("b", "a", None, "b"), ("a", "b"), [1, 0, -1, 1]),
        ((np.str_("b"), float("nan"), pd.NA, "a"), ("a", "b"), [1, -1, -1, 0]),
        (("a", 2, 1.0, True), (1.0, 2, "a"), [2, 1, 0, 0]),
    ],
)
def test_text_becomes_codes(items, labels, codes):
    column = read_objects(objects(*items), "column 'x'")
    assert column.labels == labels
    assert column.codes.tolist() == codes
    assert not column.declared


@pytest.mark.parametrize(
    ("items", "found"),
    [
        (([1], "a"), "list"),
        ((b"a",), "bytes"),
        ((1j,), "complex"),
        ((Fraction(1, 2),), "Fraction"),
        ((dt.datetime(2020, 1, 1, tzinfo=dt.UTC),), "datetime"),
        ((dt.date(2020, 1, 1), dt.datetime(2020, 1, 1)), "date, datetime"),
        ((10**400,), "too large"),
    ],
)
def test_other_objects_are_named(items, found):
    with pytest.raises(TableError, match=f"column 'x' holds .*{found}"):
        read_objects(objects(*items), "column 'x'")
