"""Frames: their shape, names and index."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from glasswood.tables import FrameKind, read_table
from tests.tables.examples import OnlyStream, plain_table


@pytest.mark.parametrize(
    ("X", "shape", "kind"),
    [
        (np.zeros((0, 2)), (0, 2), None),
        (np.zeros((2, 0)), (2, 0), None),
        (pd.DataFrame(), (0, 0), FrameKind.PANDAS),
        (pd.DataFrame(index=[5, 6]), (2, 0), FrameKind.PANDAS),
        (pd.DataFrame({"a": [1.0], "b": ["x"]}).iloc[:0], (0, 2), FrameKind.PANDAS),
        (pl.DataFrame(), (0, 0), FrameKind.POLARS),
        (pl.DataFrame({"a": [1.0], "b": ["x"], "c": [None]}).head(0), (0, 3), FrameKind.POLARS),
        (pa.table({}), (0, 0), FrameKind.PYARROW),
        (pa.table({"a": [1.0], "b": ["x"]}).slice(0, 0), (0, 2), FrameKind.PYARROW),
        (pa.schema({"a": pa.float64(), "b": pa.string()}).empty_table(), (0, 2), FrameKind.PYARROW),
        (OnlyStream(pa.table({"a": [1.0]}).slice(0, 0)), (0, 1), None),
    ],
)
def test_tables_without_rows_or_columns_are_tables(X, shape, kind):
    table = read_table(X)
    assert (table.n_rows, table.n_columns) == shape
    assert table.kind is kind
    assert all(len(getattr(column, "codes", column)) == shape[0] for column in table.columns)


def test_numbered_columns_are_unnamed_and_other_names_become_text():
    assert read_table(pd.DataFrame(np.zeros((1, 2)))).names is None
    assert read_table(pd.DataFrame(np.zeros((1, 2)), columns=[2, 5])).names == ("2", "5")
    assert read_table(pd.DataFrame(np.zeros((1, 2)), columns=[("a", 1), ("a", 2)])).names == (
        "('a', 1)",
        "('a', 2)",
    )


def test_the_index_of_a_pandas_frame_is_ignored():
    frame = pd.DataFrame({"a": [1.0, 2.0], "t": ["x", "y"]}, index=[7, 7])
    assert plain_table(read_table(frame)) == plain_table(read_table(frame.reset_index(drop=True)))
