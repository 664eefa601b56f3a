"""The kernels of effects: every CPU level and every width of code gives the same shares as walking the rows."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from glasswood import _native
from tests.reference.effects import pair_leaves
from tests.reference.ensembles import Arrays, Recipe, native_trees, random_columns, random_ensemble
from tests.reference.predict import goes_left

PAIR = np.array([[0, 1]], dtype=np.int32)
LEVELS = ("plain", "v3", "v4")


@pytest.fixture
def restore_level() -> Iterator[None]:
    level = _native.cpu_level()
    yield
    _native.use_cpu_level(level)


def make_paths(arrays: Arrays) -> _native.Paths:
    return _native.Paths(native_trees(arrays), arrays["weight"], np.ones(len(arrays["n_levels"]), dtype=bool))


def pair_tables(
    paths: _native.Paths, columns: list[NDArray[np.float64]], weight: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    codes = _native.Codes(paths)
    codes.append(columns, weight)
    codes.fix(None)
    p = len(columns)
    failing = _native.RowShares(paths, np.ones(p, dtype=np.uint8), 2)
    failing.add(codes, 0, codes.n_rows)
    pairs = np.array([(j, k) for j in range(p) for k in range(j)], dtype=np.int32)
    size = paths.cells()["size"].astype(int)
    out = np.zeros(int(size[pairs].prod(axis=1).sum()))
    _native.pair_tables(paths, failing.shares(), pairs, np.ones(len(out)), out)
    return out


@pytest.mark.parametrize("n_thresholds", [20, 2000, 100_000])
@pytest.mark.parametrize("weighted", [False, True])
def test_levels_agree_to_the_bit(n_thresholds: int, weighted: bool, restore_level: None) -> None:
    rng = np.random.default_rng(n_thresholds)
    # codes of 1, 2 and 4 bytes
    trees = {20: 10, 2000: 40, 100_000: 1500}[n_thresholds]
    recipe = Recipe(n_trees=trees, n_features=2, n_leaves=60, n_thresholds=n_thresholds, shapes=("grown",), odd=False)
    arrays = random_ensemble(rng, recipe)
    columns = random_columns(rng, arrays, 4500)
    weight = rng.random(4500) if weighted else None
    paths = make_paths(arrays)
    codes = _native.Codes(paths)
    codes.append(columns, weight)
    codes.fix(None)
    found = []
    for level in LEVELS:
        _native.use_cpu_level(level)
        failing = _native.RowShares(paths, np.ones(2, dtype=np.uint8), 2)
        failing.add(codes, 0, codes.n_rows)
        found.append(_native.effect_terms(paths, failing.shares(), np.array([[0], [1]], dtype=np.int32)))
    for other in found[1:]:
        np.testing.assert_array_equal(found[0], other)


def naive_shares(
    arrays: Arrays, columns: list[NDArray[np.float64]], followed: int, weight: NDArray[np.float64]
) -> float:
    """Σ over leaves of value × share of rows that reach them when both sides of splits on `followed` are taken."""
    total = 0.0
    for row in range(len(weight)):
        stack = [int(root) for root in arrays["tree_start"][:-1]]
        while stack:
            node = stack.pop()
            f = arrays["feature"][node]
            if f < 0:
                total += weight[row] * arrays["value"][node, 0]
            elif f == followed:
                stack += [arrays["left"][node], arrays["right"][node]]
            else:
                left = goes_left(arrays, node, columns[f][row])
                stack.append(arrays["left" if left else "right"][node])
    return total / weight.sum()


@pytest.mark.parametrize("n_rows", [1, 63, 64, 65, 4095, 4096, 4097])
def test_blocks_of_any_length_count_every_row(n_rows: int) -> None:
    rng = np.random.default_rng(n_rows)
    arrays = random_ensemble(rng, Recipe(n_trees=2, n_features=3, n_category_features=1, n_leaves=6))
    columns = random_columns(rng, arrays, n_rows)
    weight = rng.random(n_rows)
    paths = make_paths(arrays)
    codes = _native.Codes(paths)
    codes.append(columns, weight)
    codes.fix(None)
    failing = _native.RowShares(paths, np.array([0, 2, 0], dtype=np.uint8), 0)
    failing.add(codes, 0, n_rows)
    found = _native.mean_raw(paths, failing.shares())[0] - arrays["baseline"][0]
    assert found == pytest.approx(naive_shares(arrays, columns, 1, weight), rel=1e-10, abs=1e-10)


@settings(max_examples=12)
@given(st.integers(0, 2**32), st.booleans(), st.integers(0, 2))
def test_rows_that_go_one_by_one_count_as_sets_of_rows_do(seed: int, weighted: bool, order: int) -> None:
    """Added twenty at a time, rows are never many enough for sets of bits; thousands begin as sets, then go alone."""
    rng = np.random.default_rng(seed)
    arrays = random_ensemble(rng, Recipe(n_trees=3, n_features=5, n_category_features=2, n_leaves=200, max_levels=9))
    paths = make_paths(arrays)
    codes = _native.Codes(paths)
    codes.append(random_columns(rng, arrays, 2500), rng.integers(1, 9, 2500).astype(float) if weighted else None)
    codes.fix(None)
    role = rng.choice(np.array([0, 1, 1, 1, 2], dtype=np.uint8), 5)
    together, alone = (_native.RowShares(paths, role, order) for _ in range(2))
    together.add(codes, 0, 2500)
    for first in range(0, 2500, 20):
        alone.add(codes, first, first + 20)
    np.testing.assert_array_equal(together.shares().values(), alone.shares().values())


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.integers(0, 4), st.integers(0, 4))
def test_leaves_of_pairs_are_counted_in_some_trees(seed: int, one: int, two: int) -> None:
    rng = np.random.default_rng(seed)
    arrays = random_ensemble(rng, Recipe(n_trees=4, n_features=4, n_category_features=1, n_leaves=9))
    first, last = sorted((one, two))
    pairs = np.array([(j, k) for j in range(4) for k in range(j)], dtype=np.int32)[rng.permutation(6)[:4]]
    known = [pair_leaves(arrays, pair, first, last) for pair in pairs.tolist()]
    assert _native.pair_leaves(make_paths(arrays), pairs, first, last).tolist() == known


def test_weights_of_1_are_no_weights() -> None:
    rng = np.random.default_rng(0)
    arrays = random_ensemble(rng, Recipe(n_trees=9, n_features=4, n_category_features=2, n_leaves=30, max_levels=70))
    columns = random_columns(rng, arrays, 5000)
    paths = make_paths(arrays)
    np.testing.assert_array_equal(pair_tables(paths, columns, None), pair_tables(paths, columns, np.ones(5000)))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda paths: _native.effect_terms(paths, shares(paths), np.array([[9]], dtype=np.int32)), "does not exist"),
        (lambda paths: _native.RowShares(paths, np.ones(3, dtype=np.uint8), 2), "role has 3 entries, expected 2"),
        (lambda paths: _native.RowShares(paths, np.full(2, 7, dtype=np.uint8), 2), "role must be"),
        (lambda paths: _native.RowShares(paths, np.ones(2, dtype=np.uint8), 3), "order"),
        (lambda paths: _native.Codes(paths).drop(1), "fewer rows"),
        (
            lambda paths: _native.leaf_tables(paths, np.array([[0]], dtype=np.int32), "x", *[np.zeros(1)] * 3),
            "formula 'x'",
        ),
        (lambda paths: _native.single_mass(paths, np.array([[0, 1]], dtype=np.int32), np.zeros(1)), "one feature"),
        (lambda paths: _native.single_mass(paths, np.array([[0]], dtype=np.int32), np.zeros(99)), "out has 99"),
        (lambda paths: _native.pair_tables(paths, shares(paths), PAIR, None, np.zeros(1), np.zeros(1)), "order 2"),
        (lambda paths: _native.pair_tables(paths, shares(paths, 2), PAIR, None, np.zeros(1)), "memory for the mass"),
        (lambda paths: _native.pair_tables(paths, shares(paths, 2), PAIR, None, np.zeros(1), np.zeros(99)), "mass has"),
        (
            lambda paths: _native.add_pair_rows(paths, shares(paths, 2), PAIR, _native.Codes(paths), np.zeros(9), 1),
            "out has 9",
        ),
        (lambda paths: _native.RowShares(paths, np.ones(2, dtype=np.uint8), 2, 0, 3), "fewer trees"),
        (lambda paths: _native.RowShares(paths, np.ones(2, dtype=np.uint8), 2, 2, 1), "fewer trees"),
        (lambda paths: _native.pair_leaves(paths, PAIR, 0, 3), "fewer trees"),
        (lambda paths: _native.pair_leaves(paths, PAIR[:, :1].copy()), "a pair has 1"),
        (lambda paths: _native.purify(np.zeros((2, 2)), np.zeros((2, 1))), "weight has 2 entries"),
    ],
)
def test_bindings_refuse_what_does_not_fit(call: object, message: str) -> None:
    arrays = random_ensemble(np.random.default_rng(0), Recipe(n_trees=2, n_features=2))
    with pytest.raises(ValueError, match=message):
        call(make_paths(arrays))  # type: ignore[operator]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda paths, other: _native.mean_raw(paths, shares(other)), "shares are of other paths"),
        (
            lambda paths, other: _native.effect_terms(paths, shares(other), PAIR[:, :1].copy()),
            "shares are of other paths",
        ),
        (lambda paths, other: _native.effect_terms(paths, shares(paths, 0), PAIR[:, :1].copy()), "order 1 or 2"),
        (lambda paths, other: _native.joint_table(paths, shares(other), PAIR), "shares are of other paths"),
        (
            lambda paths, other: _native.add_pair_rows(
                paths, shares(paths, 2), PAIR, _native.Codes(other), np.zeros(0), 1
            ),
            "codes are of other paths",
        ),
        (
            lambda paths, other: _native.RowShares(paths, np.ones(2, np.uint8), 1).add(_native.Codes(other), 0, 0),
            "codes are of other paths",
        ),
    ],
)
def test_bindings_refuse_what_belongs_to_other_paths(call: Any, message: str) -> None:
    arrays = random_ensemble(np.random.default_rng(0), Recipe(n_trees=2, n_features=2))
    paths, other = make_paths(arrays), make_paths(arrays)
    with pytest.raises(ValueError, match=message):
        call(paths, other)


def shares(paths: _native.Paths, order: int = 1) -> _native.LeafShares:
    return _native.path_shares(paths, np.ones(2, dtype=np.uint8), order)
