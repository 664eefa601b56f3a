"""Integers beyond 2**53 keep their exact values as categories."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood.tables import CategoryColumn, read_table, take_rows
from glasswood.tables._integers import large_integer_column

IDS = [2**53 + 1, 2**53, 2**60 + 1, 2**53 + 1]
HOLED = [*IDS, None]

FORMS = {
    "array": np.array([IDS]).T,
    "unsigned array": np.array([IDS], dtype=np.uint64).T,
    "objects": np.array([IDS], dtype=object).T,
    "structured": np.array([(i,) for i in IDS], dtype=[("id", "i8")]),
    "pandas": pd.DataFrame({"id": IDS}),
    "pandas beside text": pd.DataFrame({"id": IDS, "t": list("abca")}),
    "pandas objects": pd.DataFrame({"id": np.array(IDS, dtype=object), "t": list("abca")}),
    "polars": pl.DataFrame({"id": IDS}),
    "pyarrow": pa.table({"id": IDS}),
    "lists": [[i] for i in IDS],
}
WITH_HOLES = {
    "masked": np.ma.array([[*IDS, 0]], mask=[[False] * 4 + [True]]).T,
    "pandas Int64": pd.DataFrame({"id": pd.array(HOLED, dtype="Int64")}),
    "pandas of pyarrow": pd.DataFrame({"id": pd.array(HOLED, dtype="int64[pyarrow]")}),
    "pandas objects": pd.DataFrame({"id": np.array(HOLED, dtype=object)}),
    "polars": pl.DataFrame({"id": HOLED}),
    "pyarrow": pa.table({"id": HOLED}),
}


def values_of(column: CategoryColumn) -> list[int | None]:
    return [None if code < 0 else column.labels[code] for code in column.codes.tolist()]


@pytest.mark.parametrize("form", FORMS)
def test_neighbouring_integers_stay_apart_in_every_form(form: str) -> None:
    table = read_table(FORMS[form])
    assert values_of(table.category(0)) == IDS
    np.testing.assert_array_equal(table.column(0), np.array(IDS, dtype=np.float64))


@pytest.mark.parametrize("form", WITH_HOLES)
def test_missing_stays_missing(form: str) -> None:
    assert values_of(read_table(WITH_HOLES[form]).category(0)) == HOLED


def test_smaller_integers_are_the_numbers_they_were() -> None:
    table = read_table(np.array([[2**53, 1]]))
    assert not isinstance(table.category(0), CategoryColumn)
    np.testing.assert_array_equal(table.category(0), [2.0**53])


def test_only_columns_that_need_it_are_kept() -> None:
    table = read_table(np.array([[1, 2**60], [2, 2**60 + 1]]))
    assert [isinstance(table.category(j), CategoryColumn) for j in range(2)] == [False, True]
    assert large_integer_column(np.array([1.0, 2.0**60]), "x") is None
    assert large_integer_column(np.array([2**60, "x"], dtype=object), "x") is None
    assert large_integer_column(np.zeros(0, dtype=np.int64), "x") is None


def test_rows_taken_of_a_table_that_was_read_keep_the_exact_values() -> None:
    some = take_rows(read_table(np.array([IDS]).T), 1, 3)
    assert values_of(some.category(0)) == IDS[1:3]


@settings(max_examples=50)
@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=20))
def test_any_64_bit_integers_come_back(values: list[int]) -> None:
    column = large_integer_column(np.array(values, dtype=np.int64), "x")
    assert (column is None) == all(abs(value) <= 2**53 for value in values)
    assert column is None or values_of(column) == values
