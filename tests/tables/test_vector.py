"""Targets and weights."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from glasswood.errors import TableError
from glasswood.tables import check_some_weight, read_vector, read_weight

MAKERS = {
    "list": list,
    "tuple": tuple,
    "numpy": np.array,
    "numpy objects": lambda items: np.array(items, dtype=object),
    "pandas": pd.Series,
    "pandas objects": lambda items: pd.Series(items, dtype=object),
    "pandas category": lambda items: pd.Series(items, dtype="category"),
    "polars": pl.Series,
    "pyarrow array": pa.array,
    "pyarrow chunks": lambda items: pa.chunked_array([items[:1], items[1:]]),
}
every_maker = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS.keys())


@every_maker
@pytest.mark.parametrize(
    ("items", "kind"), [([2, 1, 2], "i"), ([0.5, 1.5, 0.5], "f"), ([True, False, True], "b")], ids=str
)
def test_numbers_keep_their_kind(make, items, kind):
    y = read_vector(make(items), 3)
    assert y.dtype.kind == kind
    assert y.tolist() == items


@every_maker
def test_text_comes_as_labels(make):
    y = read_vector(make(["b", "a", "b"]), 3)
    assert y.dtype.kind in "OU"
    assert y.tolist() == ["b", "a", "b"]


@pytest.mark.parametrize(
    "y",
    [
        pd.Series([1, 2], dtype="Int64"),
        pd.Series([1, 2], dtype="int64[pyarrow]"),
        np.array([1, 2], dtype=">i8"),
        np.ma.array([1, 2]),
    ],
    ids=lambda y: str(y.dtype),
)
def test_integers_of_other_dtypes_stay_native_integers(y):
    found = read_vector(y, 2)
    assert found.dtype.kind == "i"
    assert found.dtype.isnative
    assert type(found) is np.ndarray
    assert found.tolist() == [1, 2]


@pytest.mark.parametrize(
    "y",
    [
        [1.0, np.nan],
        [1, None],
        ["a", None],
        np.ma.array([1, 2], mask=[False, True]),
        pd.Series(["a", None]),
        pd.Series([1, None], dtype="Int64"),
        pd.Series(["a", None], dtype="category"),
        pl.Series(["a", None]),
        pl.Series([True, None]),
        pa.array(["a", None]),
        pa.chunked_array([[1, None]]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_missing_value_is_named_by_its_row(y):
    with pytest.raises(TableError, match="target is missing in row 1"):
        read_vector(y, 2, what="target")


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([1], "y has 1 values for a table of 2 rows"),
        ([1, np.inf], "infinite in row 1"),
        (np.ones((2, 1)), r"1 dimension, found 2; give y\.ravel\(\)"),
        (np.array(1.0), "1 dimension, found 0: it is a single value; give one value per row"),
        ([[1], [2, 3]], "ragged"),
        ([1, "a"], "mixes text and numbers"),
        ([1j, 2j], "complex"),
        (pd.DataFrame({"a": [1, 2]}), "a frame; give one column"),
        (pl.DataFrame({"a": [1, 2]}), "a frame; give one column"),
        (None, "found NoneType"),
        ("ab", "found str"),
        ({0: 1, 1: 2}, "found dict"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_objects_that_are_not_vectors_are_refused(y, message):
    with pytest.raises(TableError, match=message):
        read_vector(y, 2)


def test_no_weight_stays_no_weight():
    assert read_weight(None, 3) is None


@every_maker
def test_weights_become_float64(make):
    weight = read_weight(make([1, 0, 2]), 3)
    assert weight.dtype == np.float64
    assert weight.tolist() == [1.0, 0.0, 2.0]


def test_float64_weights_are_not_copied():
    weight = np.ones(3)
    assert read_weight(weight, 3) is weight


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([1, 2, -1], "negative in row 2"),
        ([1, np.nan, 1], "missing in row 1"),
        ([np.inf, 1, 1], "infinite in row 0"),
        (["a", "b", "c"], "text"),
        ([1, 1], "2 values for a table of 3 rows"),
        (np.array(2.0), "1 dimension, found 0: it is a single value; give one value per row"),
        (np.ones((3, 1)), r"1 dimension, found 2; give sample_weight\.ravel\(\)"),
        (pd.DataFrame({"a": [1, 2, 3]}), r"a frame; give one column of it, such as sample_weight\['name'\]"),
    ],
)
def test_bad_weights_are_named(weight, message):
    with pytest.raises(TableError, match=f"sample_weight.*{message}"):
        read_weight(weight, 3)


def test_weights_that_are_zero_everywhere_are_refused() -> None:
    check_some_weight(1)
    with pytest.raises(TableError, match="sample_weight is zero in every row; at least one row must count"):
        check_some_weight(0)
