"""Every kind of table gives the same Columns."""

import datetime as dt
import subprocess
import sys
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood.errors import TableError
from glasswood.tables import CategoryColumn, Columns, FrameKind, read_table


class OnlyStream:
    """An object that speaks the Arrow C stream and nothing else."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


class OnlyArray:
    """An object that converts to numpy and nothing else."""

    def __init__(self, array):
        self._array = array

    def __array__(self, dtype=None, copy=None):
        return self._array


def arrow_backed(table):
    return table.to_pandas(types_mapper=pd.ArrowDtype)


FROM_ARROW = {
    "pyarrow": lambda table: table,
    "record batch": lambda table: table.combine_chunks().to_batches()[0],
    "chunked pyarrow": lambda table: pa.concat_tables([table.slice(0, 1), table.slice(1)]),
    "polars": pl.DataFrame,
    "pandas on Arrow": arrow_backed,
    "stream of pyarrow": OnlyStream,
    "stream of polars": lambda table: OnlyStream(pl.DataFrame(table)),
}
every_arrow_kind = pytest.mark.parametrize("convert", FROM_ARROW.values(), ids=FROM_ARROW.keys())


def plain(column):
    """Column as something `==` and assert can show."""
    if isinstance(column, CategoryColumn):
        assert column.codes.dtype == np.int32
        return [None if code < 0 else column.labels[code] for code in column.codes], column.labels
    return column.dtype.name, [None if np.isnan(value) else value for value in column.tolist()]


def plain_table(table: Columns):
    return table.n_rows, table.names, [plain(table.column(j)) for j in range(table.n_columns)]


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
        (pa.array([dt.date(1970, 1, 3), None, dt.date(1969, 12, 31)]), "float64", [2.0, None, -1.0]),
        (pa.array([7, None, 0], pa.timestamp("ms")), "float64", [7.0, None, 0.0]),
        (pa.array([7, None, 0], pa.timestamp("us", "Europe/Zurich")), "float64", [7.0, None, 0.0]),
        (pa.array([7, None, 0], pa.duration("ns")), "float64", [7.0, None, 0.0]),
        (pa.array([7, None, 0], pa.time64("ns")), "float64", [7.0, None, 0.0]),
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
        OnlyStream(pl.DataFrame({"x": pl.Series(["b", None, "a"], dtype=pl.Enum(["b", "z", "a"]))})),
        pa.table({"x": pa.DictionaryArray.from_arrays([0, None, 2], ["b", "z", "a"])}),
        arrow_backed(pa.table({"x": pa.DictionaryArray.from_arrays([0, None, 2], ["b", "z", "a"])})),
    ],
    ids=["pandas", "polars Enum", "stream of Enum", "pyarrow", "pandas on Arrow"],
)
def test_a_category_dtype_keeps_its_codes_and_unused_labels(frame):
    column = read_table(frame).column(0)
    assert column.labels == ("b", "z", "a")
    assert column.codes.tolist() == [0, -1, 2]
    assert column.declared


def test_polars_categorical_is_read_like_text_since_its_codes_are_not_fixed():
    pl.Series(["z", "y"], dtype=pl.Categorical)
    column = read_table(pl.DataFrame({"x": pl.Series(["b", None, "a"], dtype=pl.Categorical)})).column(0)
    assert column.labels == ("a", "b")
    assert column.codes.tolist() == [1, -1, 0]
    assert not column.declared


def test_dictionaries_of_several_chunks_are_merged():
    chunks = pa.chunked_array(
        [pa.array(["a", "b"]).dictionary_encode(), pa.array(["c", None, "b"]).dictionary_encode()]
    )
    column = read_table(pa.table({"x": chunks})).column(0)
    assert column.labels == ("a", "b", "c")
    assert column.codes.tolist() == [0, 1, 2, -1, 1]


def test_a_null_or_repeated_dictionary_entry_is_folded():
    array = pa.DictionaryArray.from_arrays([0, 1, 2, 3], ["a", None, "a", "b"])
    column = read_table(pa.table({"x": array})).column(0)
    assert column.labels == ("a", "b")
    assert column.codes.tolist() == [0, -1, 0, 1]


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        ([3, 1], (1, 3)),
        ([1.5, 0.5], (0.5, 1.5)),
        ([True, False], (False, True)),
        (pd.to_datetime(["2020-01-02", "2020-01-01"]), ("2020-01-01 00:00:00", "2020-01-02 00:00:00")),
        (pd.interval_range(0, 2), ("(0, 1]", "(1, 2]")),
    ],
)
def test_labels_are_plain_python_values(values, labels):
    column = read_table(pd.DataFrame({"x": pd.Categorical(values)})).column(0)
    assert column.labels == labels
    assert [type(label) for label in column.labels] == [type(label) for label in labels]


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
        (pd.Series([1, None], dtype="datetime64[s]"), ("float64", [1.0, None])),
        (pd.Series([1, None], dtype="datetime64[ns]"), ("float64", [1.0, None])),
        (pd.Series([1, None], dtype="timedelta64[ms]"), ("float64", [1.0, None])),
        (pd.Series([1, None], dtype="datetime64[ms, UTC]"), ("float64", [1.0, None])),
        (pd.Series([1, None], dtype=object), ("float64", [1.0, None])),
        (pd.Series([True, pd.NA], dtype=object), ("float64", [1.0, None])),
        (pd.Series([Decimal("0.5"), None], dtype=object), ("float64", [0.5, None])),
        (pd.Series([None, None], dtype=object), ("float64", [None, None])),
        (pd.Series([dt.date(1970, 1, 2), None], dtype=object), ("float64", [1.0, None])),
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


def test_polars_object_columns_are_read_by_what_they_hold():
    frame = pl.DataFrame({"x": pl.Series([1, None, 2.5], dtype=pl.Object)})
    assert plain(read_table(frame).column(0)) == ("float64", [1.0, None, 2.5])


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
        (scipy.sparse.csr_matrix(np.eye(2)), "toarray"),
        (scipy.sparse.coo_array(np.eye(2)), "toarray"),
        (pl.LazyFrame({"a": [1]}), "collect"),
        (pd.Series([1]), "to_frame"),
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


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_float_matrix_is_used_as_it_is(dtype, order):
    X = np.asarray(np.arange(6.0).reshape(3, 2), dtype=dtype, order=order)
    for given_X in (X, X[::-1], X[:, ::2], OnlyArray(X)):
        matrix = read_table(given_X).matrix
        assert matrix.dtype == dtype
        assert np.shares_memory(matrix, X)
    assert np.array_equal(read_table(X[::-1]).matrix, X[::-1])


@pytest.mark.parametrize(
    "X",
    [
        np.array([[1, 2]]),
        np.array([[1, 2]], dtype=np.float16),
        np.array([[1, 2]], dtype=">f8"),
        np.array([[1, 2]], dtype=np.longdouble),
        np.array([[1, 2]], dtype="m8[s]"),
        np.ma.array([[1, 2]]),
        [[1, 2.0]],
        ((1, 2),),
    ],
    ids=lambda value: type(value).__name__,
)
def test_other_number_matrices_become_native_float64(X):
    matrix = read_table(X).matrix
    assert matrix.dtype == np.float64
    assert matrix.dtype.isnative
    assert type(matrix) is np.ndarray
    assert matrix.tolist() == [[1.0, 2.0]]


def test_masked_entries_are_missing():
    X = np.ma.array([[1, 2], [3, 4]], mask=[[False, True], [False, False]])
    assert np.array_equal(read_table(X).matrix, [[1, np.nan], [3, 4]], equal_nan=True)
    text = np.ma.array([["a", "b"], ["c", "d"]], mask=[[True, False], [False, False]])
    assert [plain(column)[0] for column in read_table(text).columns] == [[None, "c"], ["b", "d"]]


def test_an_object_matrix_is_read_column_by_column():
    table = read_table(np.array([["a", 1, "1"], [None, 2.5, "2"]], dtype=object))
    assert plain_table(table) == (
        2,
        None,
        [(["a", None], ("a",)), ("float64", [1.0, 2.5]), (["1", "2"], ("1", "2"))],
    )


def test_numbers_beside_text_in_a_list_of_rows_stay_numbers():
    assert plain_table(read_table([[1, "a"], [2, None]])) == (
        2,
        None,
        [("float64", [1.0, 2.0]), (["a", None], ("a",))],
    )


def test_fields_of_a_structured_array_are_named_columns():
    X = np.array([(1, 2.5, "a"), (2, 3.5, "b")], dtype=[("i", "i4"), ("f", "f8"), ("t", "U1")])
    table = read_table(X)
    assert plain_table(table) == (
        2,
        ("i", "f", "t"),
        [("float64", [1.0, 2.0]), ("float64", [2.5, 3.5]), (["a", "b"], ("a", "b"))],
    )
    assert all(column.flags.aligned for column in table.columns[:2])


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


def test_columns_may_be_called_like_attributes_of_a_frame():
    names = ["columns", "column_names", "toarray", "tocsr", "dtype", "shape"]
    data = {name: [1.0, 1.0] for name in names}
    for frame in (pd.DataFrame(data), pd.DataFrame(data | {"t": "x"}), pl.DataFrame(data), pa.table(data)):
        assert read_table(frame).names[:6] == tuple(names)


def test_the_index_of_a_pandas_frame_is_ignored():
    frame = pd.DataFrame({"a": [1.0, 2.0], "t": ["x", "y"]}, index=[7, 7])
    assert plain_table(read_table(frame)) == plain_table(read_table(frame.reset_index(drop=True)))


number = st.one_of(st.none(), st.floats(allow_nan=False, width=32))
whole = st.one_of(st.none(), st.integers(-5, 5))
text = st.one_of(st.none(), st.text("abc", max_size=2))


@settings(max_examples=40, deadline=None)
@given(rows=st.lists(st.tuples(number, whole, text), min_size=1, max_size=8))
def test_the_same_table_in_every_kind_gives_the_same_columns(rows):
    columns = {name: [row[j] for row in rows] for j, name in enumerate("fit")}
    schema = pa.schema({"f": pa.float64(), "i": pa.int64(), "t": pa.string()})
    table = pa.table(columns, schema=schema)
    expected = plain_table(read_table(table))
    nullable = table.to_pandas().astype({"f": "Float64", "i": "Int64", "t": "string"})
    object_frame = pd.DataFrame(columns, dtype=object).astype({"f": float})
    for X in (nullable, object_frame, *(convert(table) for convert in FROM_ARROW.values())):
        found = plain_table(read_table(X))
        if all(value is None for value in columns["t"]):
            # A column of nothing but None has no dtype in an object frame: it is read as numbers.
            found, wanted = (found[:2], found[2][:2]), (expected[:2], expected[2][:2])
        else:
            wanted = expected
        assert found == wanted


@settings(max_examples=30, deadline=None)
@given(rows=st.lists(st.tuples(number, number), min_size=1, max_size=8), dtype=st.sampled_from(["f4", "f8"]))
def test_the_same_matrix_in_every_kind_gives_the_same_numbers(rows, dtype):
    X = np.array(rows, dtype=dtype)
    table = pa.table({"a": X[:, 0].copy(), "b": X[:, 1].copy()})
    kinds = [X, pd.DataFrame(X), X.tolist(), np.asfortranarray(X)]
    for given_X in kinds + [convert(table) for convert in FROM_ARROW.values()]:
        found = read_table(given_X)
        assert np.array_equal(found.column(0), X[:, 0], equal_nan=True)
        assert np.array_equal(found.column(1), X[:, 1], equal_nan=True)


def test_importing_the_room_loads_no_heavy_library():
    heavy = {"pandas", "polars", "pyarrow", "sklearn", "matplotlib", "scipy"}
    script = (
        "import sys, numpy as np, glasswood.tables as t\n"
        "t.read_table(np.zeros((2, 2))); t.read_vector([1, 2], 2); t.read_table([[1, 'a']])\n"
        f"print(sorted({heavy!r} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
