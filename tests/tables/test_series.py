"""One column of a frame, by its dtype."""

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from glasswood.errors import TableError
from glasswood.tables import read_table
from tests.tables.examples import OnlyStream, arrow_backed, every_arrow_kind, plain


@every_arrow_kind
@pytest.mark.parametrize(
    ("array", "dtype", "expected"),
    [
        (pa.array([1.5, None, -2.0]), "float64", [1.5, None, -2.0]),
        (pa.array([1.5, np.inf, -2.0]), "float64", [1.5, np.inf, -2.0]),
        (pa.array([1.5, None, -2.0], pa.float32()), "float32", [1.5, None, -2.0]),
        (pa.array([1.5, -2.0, 0.0], pa.float32()), "float32", [1.5, -2.0, 0.0]),
        (pa.array([1, None, 3]), "float64", [1.0, None, 3.0]),
        (pa.array([1, 2, 3], pa.int8()), "float64", [1.0, 2.0, 3.0]),
        (pa.array([1, None, 2**64 - 1], pa.uint64()), "float64", [1.0, None, 2.0**64]),
        (pa.array([2**53 + 1, 0, 1]), "float64", [2.0**53, 0.0, 1.0]),
        (pa.array([True, False, None]), "float64", [1.0, 0.0, None]),
        (pa.array([True, False, True]), "float64", [1.0, 0.0, 1.0]),
        (pa.array([Decimal("1.5"), None, Decimal(2)]), "float64", [1.5, None, 2.0]),
        (pa.array([dt.date(1970, 1, 3), None, dt.date(1969, 12, 31)]), "float64", [2 * 86400e6, None, -86400e6]),
        (pa.array([7, None, 0], pa.timestamp("ms")), "float64", [7e3, None, 0.0]),
        (pa.array([7, None, 0], pa.timestamp("us", "Europe/Zurich")), "float64", [7.0, None, 0.0]),
        (pa.array([7, None, 0], pa.duration("ns")), "float64", [7e-3, None, 0.0]),
        (pa.array([7, None, 0], pa.time64("ns")), "float64", [7e-3, None, 0.0]),
        (pa.array([None, None, None]), "float64", [None, None, None]),
    ],
    ids=lambda value: str(value.type) if isinstance(value, pa.Array) else "",
)
def test_a_number_column_is_the_same_floats_in_every_kind_of_frame(convert, array, dtype, expected):
    column = read_table(convert(pa.table({"x": array}))).column(0)
    assert plain(column) == (dtype, expected)


@every_arrow_kind
def test_text_becomes_codes_of_sorted_labels(convert):
    column = read_table(convert(pa.table({"x": ["b", None, "a", "b", ""]}))).column(0)
    assert column.labels == ("", "a", "b")
    assert column.codes.tolist() == [2, -1, 1, 2, 0]
    assert not column.declared


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"x": pd.Categorical(["b", None, "a"], categories=["b", "z", "a"])}),
        pl.DataFrame({"x": pl.Series(["b", None, "a"], dtype=pl.Enum(["b", "z", "a"]))}),
        pa.table({"x": pa.DictionaryArray.from_arrays([0, None, 2], ["b", "z", "a"])}),
        arrow_backed(pa.table({"x": pa.DictionaryArray.from_arrays([0, None, 2], ["b", "z", "a"])})),
    ],
    ids=["pandas", "polars Enum", "pyarrow", "pandas on Arrow"],
)
def test_a_category_dtype_keeps_its_codes_and_unused_labels(frame):
    column = read_table(frame).column(0)
    assert column.labels == ("b", "z", "a")
    assert column.codes.tolist() == [0, -1, 2]
    assert column.declared


@pytest.mark.parametrize(
    ("frame", "found"),
    [
        (pd.DataFrame({"bad": [[1], [2]]}), "list"),
        (pd.DataFrame({"bad": [b"a"]}), "bytes"),
        (pd.DataFrame({"bad": [1j]}), "complex128"),
        (pd.DataFrame({"bad": pd.period_range("2020", periods=1)}), "period"),
        (pd.DataFrame({"bad": [dt.datetime(2020, 1, 1, tzinfo=dt.UTC)]}, dtype=object), "datetime"),
        (pd.DataFrame({"bad": pd.Categorical([b"a"])}), "bytes"),
        (pl.DataFrame({"bad": [[1]]}), "List"),
        (pl.DataFrame({"bad": [b"a"]}), "Binary"),
        (pl.DataFrame({"bad": [{"a": 1}]}), "Struct"),
        (pa.table({"bad": [[1]]}), "list"),
        (pa.table({"bad": [b"a"]}), "binary"),
        (np.array([(1j,)], dtype=[("bad", complex)]), "complex128"),
        (np.array([([1, 2],)], dtype=[("bad", float, (2,))]), "nested"),
    ],
    ids=lambda value: "" if isinstance(value, str) else type(value).__module__.partition(".")[0],
)
def test_a_column_that_cannot_be_read_is_named(frame, found):
    with pytest.raises(TableError, match=f"'bad'.*{found}"):
        read_table(frame)


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame({"a": np.arange(3.0), "t": ["x", "y", "z"]}),
        pa.table({"a": np.arange(3.0), "t": ["x", "y", "z"]}),
        pd.DataFrame({"a": pd.array(np.arange(3.0), dtype="float64[pyarrow]"), "t": ["x", "y", "z"]}),
        pd.DataFrame({"a": pd.array(np.arange(3.0), dtype="Float64"), "t": ["x", "y", "z"]}),
        OnlyStream(pa.table({"a": np.arange(3.0)})),
    ],
    ids=["polars", "pyarrow", "pandas on Arrow", "pandas nullable", "stream"],
)
def test_float_columns_without_nulls_are_views(frame):
    assert np.shares_memory(read_table(frame).column(0), read_table(frame).column(0))


def test_the_same_instants_are_the_same_numbers_in_every_kind_of_frame() -> None:
    import polars as pl
    import pyarrow as pa

    moments = [dt.datetime(2024, 2, 29, 12, 34, 56, 123456), None]
    expected = [1709210096123456.0, None]
    for unit in ("ns", "us"):
        for frame in (
            pd.DataFrame({"t": pd.Series(moments, dtype=f"datetime64[{unit}]")}),
            pd.DataFrame({"t": pd.Series(moments, dtype=f"datetime64[{unit}, UTC]")}),
            pl.DataFrame({"t": pl.Series(moments, dtype=pl.Datetime(unit))}),
            pa.table({"t": pa.array(moments, type=pa.timestamp(unit))}),
        ):
            column = read_table(frame).column(0)
            assert [None if np.isnan(x) else x for x in column.tolist()] == expected
    days = [dt.date(1970, 1, 2), None]
    for frame in (pl.DataFrame({"t": days}), pa.table({"t": days})):
        assert read_table(frame).column(0)[0] == 86400e6
    waits = [dt.timedelta(seconds=2), None]
    for frame in (pl.DataFrame({"t": waits}), pa.table({"t": waits}), pd.DataFrame({"t": waits})):
        assert read_table(frame).column(0)[0] == 2e6
