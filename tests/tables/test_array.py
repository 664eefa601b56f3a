"""numpy arrays of every dtype and layout."""

import numpy as np
import pytest

from glasswood.tables import read_table
from tests.tables.examples import OnlyArray, plain, plain_table


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
        np.array([[1, 2]], dtype="m8[us]"),
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
