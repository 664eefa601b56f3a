"""Sparse columns and matrices of tables: all values, and some rows."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood.tables import SparseColumn, SparseMatrix, read_table


def column(values, fill=0.0):
    values = np.asarray(values, dtype=np.float64)
    rows = np.flatnonzero(values != fill).astype(np.int32)
    return SparseColumn(rows=rows, values=values[rows], fill=fill, n_rows=len(values))


def test_a_column_knows_all_its_values():
    assert column([0, 3, 0, 4]).dense().tolist() == [0, 3, 0, 4]
    assert column([7, 3, 7], fill=7.0).dense().tolist() == [7, 3, 7]
    assert len(column([0, 0, 0])) == 3


tables = st.integers(0, 6).flatmap(
    lambda n: st.lists(st.lists(st.sampled_from([0.0, 0.0, 1.0, 2.5]), min_size=3, max_size=3), min_size=n, max_size=n)
)


@settings(max_examples=80)
@given(rows=tables, data=st.data())
def test_any_rows_of_a_matrix_are_those_of_the_dense_one(rows, data):
    X = np.array(rows, dtype=np.float64).reshape(-1, 3)
    matrix = read_table(sp.csr_array(X)).sparse
    wanted = np.array(data.draw(st.lists(st.integers(0, len(X) - 1), max_size=8) if len(X) else st.just([])), dtype=int)
    start, stop = data.draw(st.tuples(st.integers(0, 7), st.integers(0, 7)))
    for which in (wanted, np.unique(wanted), slice(start, stop), slice(None, None, -1)):
        part = matrix[which]
        assert part.n_rows == len(X[which])
        for j in range(3):
            assert np.array_equal(part.column(j).dense(), X[which][:, j])
            assert np.array_equal(matrix.column(j)[which].dense(), X[which][:, j])
            assert np.all(np.diff(part.column(j).rows) > 0)


def test_a_column_that_starts_beyond_32_bits_is_found():
    starts = np.array([0, 2**31 + 2, 2**31 + 5])
    stored = np.broadcast_to(np.float64(4.0), 2**31 + 5)  # in the memory of one value
    matrix = SparseMatrix(starts, np.broadcast_to(np.int32(1), 2**31 + 5), stored, 2**31 + 2)
    assert matrix.column(1).values.tolist() == [4.0, 4.0, 4.0]
    assert len(matrix.column(0).rows) == 2**31 + 2


def test_rows_counted_from_the_end_are_found():
    assert column([0, 3, 0, 4])[np.array([-1, 0])].dense().tolist() == [4, 0]


def test_a_row_that_is_not_there_is_refused():
    with pytest.raises(IndexError):
        column([0, 3])[np.array([2])]
