"""What is accepted as a table, and what is not."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from glasswood.errors import TableError
from glasswood.tables import read_table
from tests.tables.examples import OnlyArray, OnlyStream


class OtherSparse:
    """A sparse table of another library."""

    def tocsr(self):
        raise AssertionError

    toarray = tocsr


@pytest.mark.parametrize(
    ("X", "advice"),
    [
        (None, "found None"),
        ("text", "str is not a table"),
        (3, "int is not a table"),
        ({"a": [1]}, "pandas.DataFrame"),
        (np.array(1.0), "2 dimensions, found 0"),
        (np.zeros(3), "reshape"),
        (np.zeros((1, 1, 1)), "2 dimensions, found 3"),
        ([[1, 2], [3]], "ragged"),
        (np.array([[1j]]), "column 0.*complex"),
        (np.array([[b"a"]]), "column 0"),
        (OtherSparse(), "OtherSparse that is not of scipy"),
        (pl.LazyFrame({"a": [1]}), "collect"),
        (pd.DataFrame({"a": [1.0], "b": [2.0]}).iloc[0], r"give X\.iloc\[\[0\]\] for a single row"),
        (pl.Series([1]), "to_frame"),
        (pa.array([1]), "2 dimensions"),
        (pa.chunked_array([[1]]), "2 dimensions"),
        (OnlyStream(pl.Series([1])), "OnlyStream"),
        (OnlyArray(np.zeros(2)), "2 dimensions"),
        (pd.DataFrame(np.ones((1, 2)), columns=["a", "a"]), "two columns named 'a'"),
        (pd.DataFrame(np.ones((1, 2)), columns=[1, "1"]), "two columns named '1'"),
        (pa.table([[1], [2]], names=["a", "a"]), "two columns named 'a'"),
        (OnlyStream(pa.table([[1], [2]], names=["a", "a"])), "two columns"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_not_a_table_is_refused_with_advice(X, advice):
    with pytest.raises(TableError, match=advice):
        read_table(X)


def test_a_device_array_that_does_not_convert_says_so():
    class OnDevice:
        def __array__(self, dtype=None, copy=None):
            raise TypeError("use .cpu() first")

    with pytest.raises(TableError, match=r"OnDevice.*use \.cpu\(\) first"):
        read_table(OnDevice())


def test_columns_may_be_called_like_attributes_of_a_frame():
    names = ["columns", "column_names", "toarray", "tocsr", "dtype", "shape"]
    data = {name: [1.0, 1.0] for name in names}
    for frame in (pd.DataFrame(data), pd.DataFrame(data | {"t": "x"}), pl.DataFrame(data), pa.table(data)):
        assert read_table(frame).names[:6] == tuple(names)
