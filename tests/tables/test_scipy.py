"""Sparse tables of scipy: every format gives the numbers of the dense table, and bad ones are refused."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import glasswood as gw
from glasswood.errors import TableError
from glasswood.tables import (
    by_rows,
    column_names,
    dtypes_of,
    is_scipy_sparse,
    n_rows_of,
    pick_rows,
    read_table,
    take_rows,
)
from tests.sparse_forms import FORMS, dense_table, same_bits

SCIPY = [name for name in FORMS if name != "pandas"]


def numbers(table):
    """All columns, (n_rows, n_columns)."""
    return np.column_stack([table.column(j) for j in range(table.n_columns)])


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int8, np.uint64, np.bool_, np.longdouble])
@pytest.mark.parametrize("form", SCIPY)
def test_every_format_gives_the_numbers_of_the_dense_table(form, dtype):
    X = dense_table(30, 7, missing=False).astype(dtype)
    table = read_table(FORMS[form](X))
    assert same_bits(numbers(table), numbers(read_table(X)))
    assert table.names is None
    assert (table.n_rows, table.n_columns) == X.shape


@pytest.mark.parametrize("form", SCIPY)
def test_a_value_that_is_not_stored_is_zero_and_a_stored_one_may_be_missing_or_infinite(form):
    X = np.array([[0.0, np.nan], [np.inf, 0.0], [-np.inf, 1.0]])
    assert same_bits(numbers(read_table(FORMS[form](X))), X)


def test_a_sorted_csc_table_of_floats_is_not_copied():
    X = sp.csc_array(dense_table(30, 7))
    matrix = read_table(X).sparse
    assert np.shares_memory(matrix.values, X.data)
    assert np.shares_memory(matrix.rows, X.indices)


entries = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 2), st.sampled_from([0.1, 0.2, 1e16, -1e16, 3.0])), max_size=12
)


@settings(max_examples=80)
@given(entries=entries, dtype=st.sampled_from([np.float64, np.float32, np.int8, np.bool_]))
def test_unsorted_and_repeated_entries_add_up_as_in_scipy(entries, dtype):
    row, col, value = (np.array([e[k] for e in entries]) for k in range(3))
    with np.errstate(invalid="ignore"):
        value = np.asarray(value, dtype=np.float64).astype(dtype)
    coo = sp.coo_array((value, (row.astype(int), col.astype(int))), shape=(4, 3))
    assert same_bits(numbers(read_table(coo)), numbers(read_table(coo.toarray())))
    order = np.argsort(col.astype(int), kind="stable")
    pointers = np.searchsorted(col[order], np.arange(4))
    csc = sp.csc_array((value[order], row[order].astype(int), pointers), shape=(4, 3))
    assert same_bits(numbers(read_table(csc)), numbers(read_table(csc.toarray())))
    order = np.argsort(row.astype(int), kind="stable")
    csr = sp.csr_array((value[order], col[order].astype(int), np.searchsorted(row[order], np.arange(5))), shape=(4, 3))
    assert same_bits(numbers(read_table(csr)), numbers(read_table(csr.toarray())))


def test_reading_leaves_the_callers_table_as_it_was():
    X = sp.csc_array((np.array([1.0, 2.0, 3.0]), np.array([1, 0, 1]), np.array([0, 3])), shape=(2, 1))
    read_table(X)
    assert X.indices.tolist() == [1, 0, 1]
    assert X.data.tolist() == [1.0, 2.0, 3.0]


def test_explicit_zeros_are_zeros():
    X = sp.csr_array((np.zeros(2), np.array([0, 1]), np.array([0, 2])), shape=(1, 2))
    assert numbers(read_table(X)).tolist() == [[0.0, 0.0]]


def test_tables_without_rows_or_columns_are_read():
    assert read_table(sp.csr_array((0, 3))).n_columns == 3
    assert read_table(sp.csr_array((3, 0))).n_rows == 3
    assert read_table(sp.coo_array((0, 0))).n_columns == 0


def test_large_integers_keep_their_exact_values_as_categories():
    X = sp.csr_array(np.array([[2**60 + 1, 0], [2**60, 5]]))
    found = read_table(X).category(0)
    assert found.labels == (2**60, 2**60 + 1)
    assert read_table(X).category(1).tolist() == [0.0, 5.0]


def damaged(index=None, pointer=None, form=sp.csr_array):
    X = form(np.eye(3))
    if index is not None:
        X.indices[1] = index
    if pointer is not None:
        X.indptr[1] = pointer
    return X


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (sp.csr_array(np.array([[1j]])), "complex128; give real numbers"),
        (sp.coo_array(np.zeros(3)), "2 dimensions, found 1"),
        (damaged(index=3), "value in column 3, but only 3"),
        (damaged(index=-1), "value in column -1"),
        (damaged(index=3, form=sp.csc_array), "value in row 3"),
        (damaged(pointer=5), "indptr must have 4 entries that ascend"),
        (damaged(pointer=-1), "indptr must have 4 entries"),
    ],
)
def test_what_cannot_be_read_is_refused(X, message):
    with pytest.raises(TableError, match=message):
        read_table(X)


@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_array])
@pytest.mark.parametrize("lines", [{"index": 10**9}, {"pointer": 10**9}])
def test_rows_of_a_damaged_table_are_not_taken(form, lines):
    uses = (by_rows, lambda X: pick_rows(X, np.array([2, 0])), lambda X: take_rows(X, 1, 3))
    for use in uses:
        with pytest.raises(TableError, match="the sparse table is damaged"):
            read_table(use(damaged(**lines, form=form)))


def test_a_damaged_table_of_another_format_is_named():
    X = sp.lil_array(np.eye(3))
    X.rows[0] = [99]
    for use in (read_table, by_rows, lambda X: pick_rows(X, np.array([2, 0]))):
        with pytest.raises(TableError, match=r"the sparse table is damaged: .* 99 exceeds"):
            use(X)


class Huge:
    """What scipy gives for more than 2**31 stored values, in little memory."""

    format, dtype, ndim = "csc", np.dtype(np.float64), 2

    def __init__(self, n_rows, n_columns):
        self.shape = (n_rows, n_columns)
        self.indptr = np.arange(n_columns + 1, dtype=np.int64) * n_rows
        self.indices = np.broadcast_to(np.int64(0), n_rows * n_columns)
        self.data = np.broadcast_to(1.0, n_rows * n_columns)

    def tocoo(self):
        raise AssertionError


Huge.__module__ = "scipy.sparse"


def test_more_rows_than_32_bits_count_are_refused():
    with pytest.raises(TableError, match="2,147,483,648 rows; give up to 2,147,483,647"):
        read_table(Huge(2**31, 1))


@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_matrix])
def test_a_table_that_stores_fewer_than_its_2_to_the_31_values_is_refused(form):
    X = form(np.eye(3))
    X.indptr = np.array([0, 2**31, 2**31 + 3, 2**31 + 5])
    assert X.nnz == 2**31 + 5
    for use in (read_table, lambda X: gw.BoostingRegressor().fit(X, [0.0, 1.0, 2.0])):
        with pytest.raises(TableError, match="damaged: indptr ends at 2147483653, but 3 values are stored"):
            use(X)


def test_a_count_of_values_that_overflowed_32_bits_is_refused():
    X = sp.csr_array(np.eye(3))
    X.indptr = np.array([0, 2**30, 2**31 - 2, 2**31 + 5]).astype(np.int32)
    with pytest.raises(TableError, match="damaged: indptr must have 4 entries that ascend from 0"):
        read_table(X)


def test_only_scipy_tables_are_taken_for_sparse():
    assert is_scipy_sparse(sp.csr_matrix((1, 1)))
    assert is_scipy_sparse(sp.dok_array((1, 1)))
    assert not is_scipy_sparse(np.zeros((1, 1)))
    assert not is_scipy_sparse(None)


@pytest.mark.parametrize("form", SCIPY)
def test_rows_and_dtypes_are_told_and_taken(form):
    X = dense_table(9, 4, missing=False)
    table = FORMS[form](X)
    assert n_rows_of(table) == 9
    assert dtypes_of(table) == ("float64",) * 4
    assert take_rows(table, 0, 9) is table
    assert same_bits(take_rows(table, 2, 5).toarray(), X[2:5])
    assert same_bits(pick_rows(table, np.array([5, 0, 5])).toarray(), X[[5, 0, 5]])
    assert by_rows(table).format == "csr"
    read = read_table(table)
    assert same_bits(numbers(take_rows(read, 2, 5)), X[2:5])
    assert same_bits(numbers(pick_rows(read, np.array([5, 0, 5]))), X[[5, 0, 5]])
    with pytest.raises(TableError, match="no names"):
        column_names(table)


@pytest.mark.parametrize(
    ("form", "dtype"), [(sp.csr_array, np.float64), (sp.csr_matrix, np.int64), (sp.csc_array, np.float32)]
)
def test_reading_takes_no_more_memory_than_the_table_itself(form, dtype):
    X = sp.random(20_000, 400, density=0.02, random_state=0, format="coo")
    X = form((np.ceil(9 * X.data).astype(dtype), (X.row, X.col)), shape=X.shape)
    stored = X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
    tracemalloc.start()
    table = read_table(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert table.n_rows == 20_000
    assert peak <= stored + 2**20
