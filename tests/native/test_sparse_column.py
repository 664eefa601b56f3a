"""Sparse columns in the kernels: the codes and predictions of the dense column, and refusals of damaged ones."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import glasswood as gw
from glasswood import _native
from glasswood.tables import SparseColumn, SparseMatrix, read_table
from tests.sparse_forms import dense_table, same_bits, target_of

values = st.sampled_from([0.0, -0.0, 1.0, 2.5, -3.0, np.nan, np.inf, -np.inf, 1e-36])


@settings(max_examples=200)
@given(
    stored=st.dictionaries(st.integers(0, 299), values, max_size=200),
    fill=values,
    thresholds=st.lists(st.sampled_from([-3.0, -1.0, 0.0, 1.0, 2.0, np.inf]), unique=True),
    zero_is_missing=st.booleans(),
    dtype=st.sampled_from([np.float64, np.float32]),
)
def test_codes_of_a_sparse_column_are_those_of_the_dense_one(stored, fill, thresholds, zero_is_missing, dtype):
    rows = np.array(sorted(stored), dtype=np.int32)
    column = SparseColumn(rows, np.array([stored[r] for r in rows.tolist()], dtype=dtype), float(dtype(fill)), 300)
    cuts = np.array(sorted(thresholds))
    found = _native.encode(column, cuts, zero_is_missing=zero_is_missing)
    assert np.array_equal(found, _native.encode(column.dense(), cuts, zero_is_missing=zero_is_missing))


@settings(max_examples=60)
@given(stored=st.dictionaries(st.integers(0, 149), st.integers(-1, 6), max_size=90), fill=st.integers(-1, 6))
def test_codes_of_sparse_categories_are_those_of_the_dense_ones(stored, fill):
    rows = np.array(sorted(stored), dtype=np.int32)
    column = SparseColumn(rows, np.array([stored[r] for r in rows.tolist()], dtype=np.int32), float(fill), 150)
    none = np.empty(0)
    assert np.array_equal(_native.encode(column, none, n_levels=4), _native.encode(column.dense(), none, n_levels=4))


@settings(max_examples=200)
@given(
    stored=st.dictionaries(st.integers(0, 79), values, max_size=80),
    fill=values,
    weights=st.none() | st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=80, max_size=80),
    max_bins=st.integers(2, 6),
    step=st.integers(1, 3),
    dtype=st.sampled_from([np.float64, np.float32]),
)
def test_edges_of_a_sparse_column_are_those_of_the_dense_one(stored, fill, weights, max_bins, step, dtype):
    rows = np.array(sorted(stored), dtype=np.int32)
    column = SparseColumn(rows, np.array([stored[r] for r in rows.tolist()], dtype=dtype), float(dtype(fill)), 80)
    sample = np.arange(0, 80, step, dtype=np.uint32)
    weight = np.empty(0) if weights is None else np.array(weights)[sample]
    given_too = (np.array([False]), sample, weight, max_bins, 1)
    found, wanted = (_native.bin_edges([table], *given_too) for table in (column, column.dense()))
    assert same_bits(found[1], wanted[1])


def bundle(X, n_bins=(2, 2), with_unseen=False, *, lists=False):
    edges = np.array([0.5, 0.5])
    none = np.zeros(3, dtype=np.int64), np.empty(0, dtype=np.uint8)
    is_category, start = np.zeros(2, dtype=bool), np.array([0, 1, 2])
    bins = np.array(n_bins, dtype=np.uint16)
    return _native.BundledRows(X, is_category, start, edges, *none, bins, with_unseen, lists=lists)


def test_columns_that_are_never_both_stored_share_a_column():
    apart, together = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [0.0, 0.0]]), np.eye(4)[:, :2]
    together[0] = 1.0
    for X, n_columns in ((apart, 1), (together, 2)):
        rows = bundle(read_table(sp.csr_array(X)).sparse)
        assert rows.shape == (4, 2)
        assert rows.n_columns == n_columns


def test_columns_that_store_little_and_meet_in_a_row_are_lists():
    X = np.zeros((8, 2))
    X[0], X[1:6, 0] = 1.0, 1.0
    matrix = read_table(sp.csr_array(X)).sparse
    assert bundle(matrix).n_columns == 2
    assert bundle(matrix, lists=True).n_columns == 1


def test_bundles_refuse_bins_that_are_not_those_of_the_edges():
    X = read_table(sp.csr_array(np.eye(4)[:, :2])).sparse
    with pytest.raises(ValueError, match="n_bins does not fit"):
        bundle(X, n_bins=(2, 3))


@pytest.mark.parametrize("n_rows", [1, 5, 2_000])
def test_walking_and_coding_give_the_bits_of_the_dense_rows(n_rows):
    X = dense_table(2_000, 12)
    ensemble = gw.ForestRegressor(20, random_state=0).fit(X, target_of(X)).ensemble_
    dense = X[:n_rows]
    matrix = read_table(sp.csr_array(X[:n_rows])).sparse
    for n_threads in (1, 2):
        wanted = ensemble._plan().predict_raw(dense, n_threads)
        assert same_bits(ensemble._plan().predict_raw(matrix, n_threads), wanted)
        assert same_bits(ensemble._plan().predict_raw([matrix.column(j) for j in range(12)], n_threads), wanted)


def column(rows=(0, 2), values=(1.0, 2.0), fill=0.0, n_rows=3, dtype=np.float64):
    return SparseColumn(np.array(rows, dtype=np.int32), np.array(values, dtype=dtype), fill, n_rows)


@pytest.mark.parametrize(
    ("damaged", "message"),
    [
        (column(rows=(2, 0)), "must ascend from 0 to below 3"),
        (column(rows=(0, 0)), "must ascend"),
        (column(rows=(0, 3)), "must ascend from 0 to below 3"),
        (column(rows=(-1, 0)), "must ascend"),
        (column(rows=(0,)), "1 stored row and 2 values"),
        (column(fill=0.5, dtype=np.int32), "fill of column 0 must be a code"),
        (column(fill=np.nan, dtype=np.int32), "fill of column 0 must be a code"),
        (SparseColumn(np.array([0, 2]), np.array([1.0, 2.0]), 0.0, 3), "rows of column 0 must be"),
        (SparseColumn(np.zeros(4, dtype=np.int32)[::2], np.array([1.0, 2.0]), 0.0, 3), "contiguous"),
    ],
)
def test_damaged_columns_are_refused(damaged, message):
    with pytest.raises(ValueError, match=message):
        _native.encode(damaged, np.array([0.5]), n_levels=3 if damaged.values.dtype == np.int32 else 0)


def matrix(starts=(0, 1, 2), rows=(0, 2), values=(1.0, 2.0)):
    return SparseMatrix(np.array(starts), np.array(rows, dtype=np.int32), np.array(values), 3)


@pytest.mark.parametrize(
    ("damaged", "message"),
    [
        (matrix(starts=(0, 1)), "1 column, the model has 2 features"),
        (matrix(starts=(1, 1, 2)), "do not fit together"),
        (matrix(starts=(0, 3, 2)), "do not fit together"),
        (matrix(starts=(0, 1, 3)), "do not fit together"),
        (matrix(starts=(0, 2**31 + 1, 2**32 + 2)), "do not fit together"),  # 2 in 32 bits
        (matrix(values=(1.0,)), "do not fit together"),
        (matrix(rows=(0, 3)), "stored rows of column 1"),
    ],
)
def test_damaged_matrices_are_refused(damaged, message):
    plan = gw.TreeRegressor().fit(np.eye(3)[:, :2], np.arange(3.0)).ensemble_._plan()
    assert plan.predict_raw(matrix(), 1).shape == (3, 1)
    with pytest.raises(ValueError, match=message):
        plan.predict_raw(damaged, 1)
