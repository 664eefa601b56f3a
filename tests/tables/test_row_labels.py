"""Rows are named by an index that says more than a number."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from glasswood.tables import index_of, row_labels, with_index


def test_an_index_names_the_rows() -> None:
    assert row_labels(pd.DataFrame({"a": [1, 2]}, index=["x", "y"])) == ["x", "y"]
    assert row_labels(pd.DataFrame({"a": [1, 2]}, index=[7, 9])) == [7, 9]


@pytest.mark.parametrize("table", [pd.DataFrame({"a": [1, 2]}), pl.DataFrame({"a": [1, 2]}), np.zeros((2, 1)), [[1.0]]])
def test_plain_numbers_are_not_row_names(table: object) -> None:
    assert row_labels(table) is None


def test_an_index_goes_to_pandas_frames_only() -> None:
    index = index_of(pd.DataFrame({"a": [1, 2]}, index=["x", "y"]))
    assert with_index(pd.DataFrame({"b": [1, 2, 3, 4]}), index).index.tolist() == ["x", "y", "x", "y"]
    assert with_index(pd.DataFrame({"b": [3]}), None).index.tolist() == [0]
    plain = pl.DataFrame({"b": [1, 2]})
    assert with_index(plain, index) is plain and index_of(plain) is None and index_of(np.zeros((2, 1))) is None


def test_no_rows_have_an_index_too() -> None:
    index = index_of(pd.DataFrame({"a": []}, index=pd.Index([], name="id")))
    assert with_index(pd.DataFrame({"b": []}), index).index.name == "id"
