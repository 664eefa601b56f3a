"""Pairs: where the hessian is the weight, two numbers for a row grow the tree that four grow, to the bit."""

import itertools
from typing import Any

import numpy as np
import pytest

from glasswood import _native
from tests.native.boosting_cases import NO_NUMBERS, NONE, OPTIONS, N, P, binned, numbers
from tests.train.simulated_machines import check_same

ROWS = 400
RNG = np.random.default_rng(0)
GRAD = RNG.normal(size=ROWS)
WEIGHTS = {"equal": NONE, "some of none": RNG.integers(0, 4, ROWS) / 2.0}


def rules(**changed: Any) -> Any:
    return _native.NodeRules(**{**OPTIONS, "max_depth": 4, **changed})


def parts(weight: Any, *, pairs: bool) -> list[Any]:
    """Statistics of the rows, which two ranks hold."""
    hess = weight if len(weight) else np.ones(ROWS)
    grad = GRAD * hess
    largest = _native.largest_statistics(grad, hess, weight, 1)
    rough = _native.rough_statistics(grad, hess, weight, largest, 1)
    found = []
    for own in (slice(0, 150), slice(150, ROWS)):
        stats = _native.RowStatistics(True, pairs=pairs)
        units = stats.units(largest, rough, ROWS)
        stats.set_part(grad[own], hess[own], weight[own], NO_NUMBERS, 0, 0, units, ROWS, 1)
        found.append(stats)
    return found


def grown(given: Any, weight: Any, *, pairs: bool, n_threads: int = 1) -> tuple[dict[str, Any], int]:
    """The arrays of the tree of two ranks, and how many numbers they exchanged."""
    bins, by_column = binned(ROWS)
    trees, n_exchanged = [], 0
    for rank, own in enumerate((slice(0, 150), slice(150, ROWS))):
        padded = np.zeros((len(bins[own]), bins.strides[0]), dtype=np.uint8)
        padded[:, :P] = bins[own]
        trees.append(_native.LevelTree(padded[:, :P], np.ascontiguousarray(by_column[:, own]), given, rank, 2))
    stats = parts(weight, pairs=pairs)
    for tree, own, n in zip(trees, stats, (150, ROWS - 150), strict=True):
        tree.begin(own, np.arange(n, dtype=np.uint32), numbers(*range(P)))
    n_open = 1
    while n_open:
        sizes = trees[0].segments()
        sums = np.zeros(sizes.sum(), dtype=np.int64)
        for tree in trees:
            filled = np.full_like(sums, -1)
            tree.fill(filled, n_threads)
            sums += filled
        n_exchanged += len(sums)
        blocks = np.split(sums, [sizes[0]])
        records = b"".join(tree.scan(block, n_threads) for tree, block in zip(trees, blocks, strict=True))
        n_open = {tree.choose(records, n_threads) for tree in trees}.pop()
    return trees[0].finish(NO_NUMBERS).arrays(), n_exchanged


@pytest.mark.parametrize(
    ("weights", "changed"),
    [
        *itertools.product(WEIGHTS, [{}, {"min_samples_leaf": 20}, {"l2": 0.0, "min_gain": 0.01}]),
        ("equal", {"monotone": np.array([1, -1, 0], dtype=np.int32)}),
        ("some of none", {"together": [[0], [0, 1], [1]]}),
    ],
)
def test_pairs_grow_the_tree_of_four_numbers(weights: str, changed: dict[str, Any]) -> None:
    given, weight = rules(**changed), WEIGHTS[weights]
    assert given.take_pairs
    one, n_numbers = grown(given, weight, pairs=False)
    assert len(one["feature"]) > 5
    for n_threads in (1, 2):
        other, n_fewer = grown(given, weight, pairs=True, n_threads=n_threads)
        check_same(one, other)
        counted = "min_samples_leaf" in changed
        assert n_fewer < (0.7 if counted else 0.6) * n_numbers


def test_pairs_tell_enough_for_newton_on_numbers_alone() -> None:
    categories = {"is_category": np.array([False, True, False])}
    for changed in ({"gain": "cred_var"}, {"gain": "welch"}, {"symmetric": True}, categories):
        assert not rules(**changed).take_pairs


def test_pairs_are_refused_where_they_tell_too_little() -> None:
    bins, by_column = binned()
    stats = _native.RowStatistics(True, pairs=True)
    stats.set(np.linspace(-1, 1, N), np.ones(N), NONE, NO_NUMBERS, 0, 0, 1)
    all_rows, columns = np.arange(N, dtype=np.uint32), numbers(0, 1, 2)
    with pytest.raises(ValueError, match="only a LevelTree is grown from pairs"):
        _native.Grower(bins, by_column, rules()).grow(stats, all_rows, columns, 1)
    with pytest.raises(ValueError, match="the rules take no pairs"):
        _native.LevelTree(bins, by_column, rules(gain="welch"), 0, 1).begin(stats, all_rows, columns)
    with pytest.raises(ValueError, match="pairs are exact"):
        _native.RowStatistics(False, pairs=True)
