"""Features that only pandas has."""

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from glasswood.tables import SparseColumn, read_table
from tests.sparse_forms import same_bits
from tests.tables.examples import plain


def sparse(values, dtype):
    return pd.DataFrame({"a": pd.Series(values).astype(dtype)})


@pytest.mark.parametrize(
    ("frame", "fill"),
    [
        (sparse([0.0, 3.0, np.nan], pd.SparseDtype("float", 0.0)), 0.0),
        (sparse([np.nan, 3.0, 0.0], pd.SparseDtype("float")), np.nan),
        (sparse([0.1, 3.0, 0.1], pd.SparseDtype("float32", 0.1)), float(np.float32(0.1))),
        (sparse([7, 0, 7], pd.SparseDtype("int64", 7)), 7.0),
        (sparse([True, False], pd.SparseDtype("bool", False)), 0.0),
        (sparse([True, False], pd.SparseDtype("bool", True)), 1.0),
        (pd.DataFrame({"a": pd.arrays.SparseArray([0, 0, 1, 1, 0], fill_value=0, kind="block")}), 0.0),
        (sparse([], pd.SparseDtype("float", 0.0)), 0.0),
    ],
)
def test_sparse_numbers_stay_sparse_with_any_fill_value(frame, fill):
    table = read_table(frame)
    column = table.stored(0)
    assert isinstance(column, SparseColumn)
    assert column.fill == fill or (np.isnan(column.fill) and np.isnan(fill))
    assert same_bits(table.column(0), read_table(frame.sparse.to_dense()).column(0))


def test_sparse_dates_are_read_as_dates():
    dates = pd.Series(pd.to_datetime(["2020-01-01", None])).astype(pd.SparseDtype("datetime64[ns]"))
    wanted = read_table(pd.DataFrame({"a": dates.sparse.to_dense()})).column(0)
    assert same_bits(read_table(pd.DataFrame({"a": dates})).column(0), wanted)


@pytest.mark.parametrize(
    ("series", "expected"),
    [
        (pd.Series([1.0, np.nan], dtype="float32"), ("float32", [1.0, None])),
        (pd.Series([1.0, 2.0], dtype="float16"), ("float64", [1.0, 2.0])),
        (pd.Series([1, None], dtype="Int64"), ("float64", [1.0, None])),
        (pd.Series([1.5, None], dtype="Float32"), ("float32", [1.5, None])),
        (pd.Series([1.5, None], dtype="Float64"), ("float64", [1.5, None])),
        (pd.Series([True, None], dtype="boolean"), ("float64", [1.0, None])),
        (pd.Series([0.0, 1.0], dtype="Sparse[float]"), ("float64", [0.0, 1.0])),
        (pd.Series([1, None], dtype="datetime64[s]"), ("float64", [1e6, None])),
        (pd.Series([1, None], dtype="datetime64[ns]"), ("float64", [1e-3, None])),
        (pd.Series(np.array([1, "NaT"], dtype="m8[ms]")), ("float64", [1e3, None])),
        (pd.Series([1, None], dtype="datetime64[ms, UTC]"), ("float64", [1e3, None])),
        (pd.Series([1, None], dtype=object), ("float64", [1.0, None])),
        (pd.Series([True, pd.NA], dtype=object), ("float64", [1.0, None])),
        (pd.Series([Decimal("0.5"), None], dtype=object), ("float64", [0.5, None])),
        (pd.Series([None, None], dtype=object), ("float64", [None, None])),
        (pd.Series([dt.date(1970, 1, 2), None], dtype=object), ("float64", [86400e6, None])),
        (pd.Series([dt.timedelta(seconds=1), None], dtype=object), ("float64", [1e6, None])),
        (pd.Series(["a", None], dtype=object), (["a", None], ("a",))),
        (pd.Series(["a", np.nan], dtype=object), (["a", None], ("a",))),
        (pd.Series(["a", None], dtype="string"), (["a", None], ("a",))),
        (pd.Series(["a", None], dtype="str"), (["a", None], ("a",))),
        (pd.Series(["a", 2], dtype=object), (["a", 2], (2, "a"))),
    ],
    ids=lambda value: str(value.dtype) if isinstance(value, pd.Series) else "",
)
def test_pandas_columns_of_every_dtype(series, expected):
    table = read_table(pd.DataFrame({"other": ["text", "text"], "x": series}))
    assert plain(table.column(1)) == expected


def test_a_pandas_frame_of_one_block_is_a_view():
    for frame in (
        pd.DataFrame(np.arange(6.0).reshape(3, 2), columns=["a", "b"]),
        pd.DataFrame({"a": np.arange(3.0), "b": np.arange(3.0)}),
    ):
        matrix = read_table(frame).matrix
        assert np.shares_memory(matrix, frame["b"].to_numpy())
        assert np.array_equal(matrix, frame.to_numpy())


def test_a_pandas_frame_in_pieces_gives_views_of_its_columns():
    frame = pd.DataFrame({"a": np.arange(3.0)})
    frame["b"] = np.arange(3.0)
    table = read_table(frame)
    assert table.matrix is None
    assert np.shares_memory(table.column(1), frame["b"].to_numpy())
