"""Binning: edges by definition, and bytes that agree with comparisons."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood import _native
from glasswood.ensemble import AlignedRows, FeatureSchema
from glasswood.train.boosting._binning import Binning, make_binning
from tests.reference.boosting import edges_of

NONE = np.empty(0)


def binning_of(X: Any, weight: Any = NONE, max_bins: int = 255, seed: int = 0, n_threads: int = 1) -> Binning:
    n = len(X[0]) if isinstance(X, list) else len(X)
    width = len(X) if isinstance(X, list) else X.shape[1]
    features = FeatureSchema.numeric(FeatureSchema.positions(width))
    return make_binning(AlignedRows(n, X), features, weight, max_bins=max_bins, seed=seed, n_threads=n_threads)


def levels_binning(codes: Any, n_levels: int, max_bins: int, weight: Any = NONE) -> Binning:
    features = FeatureSchema(
        names=("a",),
        named=True,
        categories=(tuple(range(n_levels)),),
        coded=np.zeros(1, dtype=bool),
        missing_routed=np.ones(1, dtype=bool),
        zero_is_missing=np.zeros(1, dtype=bool),
    )
    rows = AlignedRows(len(codes), [np.asarray(codes, dtype=np.int32)])
    return make_binning(rows, features, weight, max_bins=max_bins, seed=0, n_threads=1)


@settings(max_examples=100)
@given(st.integers(0, 2**32 - 1), st.sampled_from([2, 3, 16, 255]), st.sampled_from([np.float32, np.float64]))
def test_edges_are_those_of_the_definition(seed: int, max_bins: int, dtype: Any) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 400))
    x = (rng.normal(size=n) * 10.0 ** rng.integers(-3, 4)).round(int(rng.integers(0, 4))).astype(dtype)
    x[rng.random(n) < 0.1] = np.nan
    weight = rng.integers(0, 3, n) if rng.random() < 0.5 else np.ones(n, dtype=int)
    given_weight = NONE if np.all(weight == 1) else weight.astype(float)
    found = binning_of(x[:, None], given_weight, max_bins).edges_of(0)
    np.testing.assert_allclose(found, edges_of(x.astype(float), weight, max_bins), rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("max_bins", [2, 100, 255])
@pytest.mark.parametrize(
    "shape", ["normal", "uniform", "wide", "narrow", "tied", "half tied", "tied above", "infinite"]
)
def test_edges_of_many_values_are_those_of_the_definition(shape: str, max_bins: int, dtype: Any) -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=30_000)
    x = {
        "normal": x,
        "uniform": rng.random(30_000),
        "wide": np.exp(30 * x.clip(-1, 1)),
        "narrow": 1 + 1e-6 * x,
        "tied": x.round(2),
        "half tied": np.where(x < 0, 0.0, x),
        "tied above": np.minimum(x, 1.0),
        "infinite": np.where(np.abs(x) > 3, np.inf * x, x),
    }[shape].astype(dtype)
    x[::50] = np.nan
    found = binning_of(x[:, None], max_bins=max_bins).edges_of(0)
    np.testing.assert_array_equal(found, edges_of(x.astype(float), np.ones(len(x), dtype=int), max_bins))


@settings(max_examples=50)
@given(st.integers(0, 2**32 - 1), st.sampled_from([np.float32, np.float64]))
def test_a_bin_counts_the_edges_below_and_missing_comes_last(seed: int, dtype: Any) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(300, 3)).round(1).astype(dtype)
    X[rng.random(X.shape) < 0.1] = np.nan
    X[0] = np.inf
    X[1] = -np.inf
    binning = binning_of(X, max_bins=16)
    bins = binning.apply(AlignedRows(300, X), 2)
    for f in range(3):
        edges = binning.edges_of(f)
        wanted = np.where(np.isnan(X[:, f]), len(edges) + 1, (edges[None] < X[:, [f]].astype(float)).sum(axis=1))
        np.testing.assert_array_equal(bins[:, f], wanted)
        assert np.all(np.diff(edges) > 0)


def test_neighbouring_and_infinite_values_are_separated() -> None:
    x = np.array([1.0, np.nextafter(1.0, 2.0), np.inf, -np.inf, 1e308, -1e308])
    binning = binning_of(x[:, None])
    assert len(np.unique(binning.apply(AlignedRows(6, x[:, None]), 1))) == 6


def test_layout_threads_and_dtype_do_not_matter() -> None:
    X = np.random.default_rng(0).normal(size=(5000, 20)).astype(np.float32)
    one = binning_of(X, max_bins=64)
    for other in (np.asfortranarray(X), X.astype(float), [X[:, f].copy() for f in range(20)], X[::-1][::-1]):
        binning = binning_of(other, max_bins=64, n_threads=3)
        np.testing.assert_array_equal(binning.edges, one.edges)
        rows = AlignedRows(5000, other)
        np.testing.assert_array_equal(binning.apply(rows, 2), one.apply(AlignedRows(5000, X), 1))


def test_many_rows_are_sampled_by_the_seed() -> None:
    x = np.random.default_rng(1).normal(size=(250_000, 1))
    edges = [binning_of(x, max_bins=8, seed=seed).edges for seed in (1, 1, 2)]
    np.testing.assert_array_equal(edges[0], edges[1])
    assert not np.array_equal(edges[0], edges[2])
    np.testing.assert_allclose(edges[0], np.quantile(x, np.arange(1, 8) / 8), atol=0.02)


def test_weights_that_are_shares_still_give_bins() -> None:
    x = np.arange(1000.0)[:, None]
    found = binning_of(x, np.full(1000, 1e-3), max_bins=4).edges
    np.testing.assert_allclose(found, np.quantile(x, [0.25, 0.5, 0.75]))


def test_the_rarest_levels_share_the_last_bin() -> None:
    codes = np.repeat([0, 1, 2, 3, 4], [1, 9, 2, 8, 3])
    binning = levels_binning(codes, 6, 3)
    assert binning.bins_of_levels(0).tolist() == [2, 0, 2, 1, 2, 2]
    assert binning.n_bins.tolist() == [3]
    weighted = levels_binning(codes, 6, 3, weight=np.where(codes == 0, 100.0, 1.0))
    assert weighted.bins_of_levels(0).tolist() == [0, 1, 2, 2, 2, 2]
    assert binning.n_shared.tolist() == [3]  # the sixth level has no rows
    assert levels_binning(codes, 6, 6).n_shared.tolist() == [0]
    assert levels_binning(codes, 600, 255).n_shared.tolist() == [0]


@pytest.mark.parametrize("n_levels", [0, 3, 254, 1000])
def test_missing_and_unseen_levels_have_their_own_bins(n_levels: int) -> None:
    codes = np.append(np.arange(n_levels), -1)
    binning = levels_binning(codes, n_levels, 255)
    rows = AlignedRows(2, [np.array([-1, n_levels], dtype=np.int32)])
    is_wide = n_levels > 254
    assert binning.n_bins.tolist() == [1 if is_wide else n_levels]
    assert binning.n_wide.tolist() == [n_levels if is_wide else 0]
    bins = binning.apply_wide(rows)[0] if is_wide else binning.apply(rows, 1)[:, 0]
    assert bins.tolist() == [n_levels, n_levels + 1]


def test_a_wide_category_has_two_bytes_and_its_byte_says_what_is_missing() -> None:
    codes = np.append(np.arange(1000)[::-1], -1)
    binning = levels_binning(codes, 1000, 255)
    rows = AlignedRows(1001, [codes.astype(np.int32)])
    assert binning.apply(rows, 1)[:, 0].tolist() == [0] * 1000 + [1]
    assert binning.apply_wide(rows).tolist() == [[*binning.bins_of_levels(0)[codes[:-1]], 1000]]
    assert sorted(binning.bins_of_levels(0)) == list(range(1000)) and binning.n_shared.tolist() == [0]


def test_of_more_levels_than_two_bytes_tell_apart_the_rarest_share_a_bin() -> None:
    codes = np.concatenate([np.arange(70_000), np.arange(64_999)])
    binning = levels_binning(codes, 70_000, 255)
    assert binning.n_wide.tolist() == [65_000] and binning.n_shared.tolist() == [5_001]
    bins = binning.bins_of_levels(0)
    assert len(np.unique(bins[:64_999])) == 64_999 and np.all(bins[64_999:] == 64_999)


def test_levels_without_rows_make_no_category_wide() -> None:
    few = levels_binning(np.arange(253), 70_000, 255)
    assert few.n_bins.tolist() == [254] and few.n_wide.tolist() == [0]
    assert len(np.unique(few.bins_of_levels(0)[:253])) == 253
    assert levels_binning(np.arange(254), 70_000, 255).n_wide.tolist() == [65_000]
    assert levels_binning(np.arange(1000), 1000, 254).n_wide.tolist() == [0]  # max_bins limits levels, too


@pytest.mark.parametrize("level", ["plain", "v3", "v4"])
@pytest.mark.parametrize("shape", ["even", "skewed", "outlier", "few", "tiny", "infinite"])
def test_single_floats_fall_into_the_bins_of_the_definition(shape: str, level: str) -> None:
    rng = np.random.default_rng(3)
    x = rng.random(5000).astype(np.float32)
    with np.errstate(over="ignore"):
        x = {
            "even": x,
            "skewed": np.exp(20 * x),
            "outlier": np.where(x > 0.999, np.float32(3e38), x),
            "few": np.round(4 * x),
            "tiny": x * np.float32(1e-42),
            "infinite": np.where(x > 0.9, np.float32(np.inf), np.where(x < 0.1, np.float32(-np.inf), x)),
        }[shape].astype(np.float32)
    x[::97] = np.nan
    rows = AlignedRows(len(x), np.column_stack([x, x[::-1]]))
    features = FeatureSchema.numeric(["a", "b"])
    best = _native.cpu_level()
    try:
        _native.use_cpu_level(level)
        binning = make_binning(rows, features, NONE, max_bins=63, seed=0, n_threads=2)
        bins, by_column = binning.apply_both(rows, 2)
    finally:
        _native.use_cpu_level(best)
    edges = binning.edges_of(0)
    wanted = np.where(np.isnan(x), len(edges) + 1, np.searchsorted(edges, x.astype(np.float64), side="left"))
    np.testing.assert_array_equal(bins[:, 0], wanted)
    np.testing.assert_array_equal(bins[:, 1], wanted[::-1])
    np.testing.assert_array_equal(by_column, bins.T)


def test_ties_do_not_waste_bins() -> None:
    rng = np.random.default_rng(0)
    x = np.where(rng.random(20_000) < 0.7, rng.integers(-10, 0, 20_000), rng.exponential(60, 20_000).round())
    assert len(np.unique(np.quantile(x, np.arange(1, 64) / 64))) < 35
    binning = binning_of(x[:, None], max_bins=64)
    assert 60 <= len(binning.edges_of(0)) <= 63
    assert len(np.unique(binning.apply(AlignedRows(len(x), x[:, None]), 1))) == binning.n_bins[0]  # no bin is empty
