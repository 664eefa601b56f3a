"""Rows are named by an index that says more than a number."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from glasswood.tables import row_labels


def test_an_index_names_the_rows() -> None:
    assert row_labels(pd.DataFrame({"a": [1, 2]}, index=["x", "y"])) == ["x", "y"]
    assert row_labels(pd.DataFrame({"a": [1, 2]}, index=[7, 9])) == [7, 9]


@pytest.mark.parametrize("table", [pd.DataFrame({"a": [1, 2]}), pl.DataFrame({"a": [1, 2]}), np.zeros((2, 1)), [[1.0]]])
def test_plain_numbers_are_not_row_names(table: object) -> None:
    assert row_labels(table) is None
