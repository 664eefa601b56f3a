"""RowSource: rows are fetched when needed."""

import numpy as np
import pandas as pd
import polars as pl

from glasswood.results import RowSource

FRAME = pd.DataFrame({"n": [1.0, np.nan, 3.0], "c": pd.Categorical(["a", "b", None])}, index=[9, 9, 9])


def test_values_are_in_the_order_of_the_features() -> None:
    for table in (FRAME, pl.from_pandas(FRAME)):
        assert RowSource(table, (1, 0)).values(np.array([2, 1, 2])) == [[None, 3.0], ["b", None], [None, 3.0]]
    assert RowSource(np.array([[1, 2], [3, 4]]), (0, 1)).values(np.array([1])) == [[3.0, 4.0]]


def test_rows_come_as_the_table_was() -> None:
    picked = RowSource(FRAME, (0, 1)).pick(np.array([2, 0]))
    assert isinstance(picked, pd.DataFrame) and picked["n"].tolist() == [3.0, 1.0]
    assert picked["c"].dtype == FRAME["c"].dtype
