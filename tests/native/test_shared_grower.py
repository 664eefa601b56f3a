"""Trees that share their questions: their bindings refuse what would make a kernel read or write beyond an array."""

from typing import Any

import numpy as np
import pytest

from glasswood import _native
from tests.native.boosting_cases import NO_NUMBERS, NONE, OPTIONS, N, P, binned, numbers, statistics

SYMMETRIC = {**OPTIONS, "symmetric": True}
ROWS, COLUMNS = numbers(*range(N)), numbers(*range(P))


def grower(n_outputs: int = 2) -> Any:
    return _native.SharedGrower(_native.Grower(*binned(), _native.NodeRules(**SYMMETRIC)), n_outputs)


def test_one_output_grows_the_tree_of_the_grower() -> None:
    alone = _native.Grower(*binned(), _native.NodeRules(**SYMMETRIC)).grow(statistics(), ROWS, COLUMNS, 1)
    (tree,) = grower(1).grow([statistics()], ROWS, COLUMNS, 1)
    assert len(tree.arrays()["feature"]) > 1
    for name, array in alone.arrays().items():
        np.testing.assert_array_equal(tree.arrays()[name], array)


def test_values_reach_the_rows_of_the_trees() -> None:
    shared, (bins, _) = grower(), binned()
    rows = ROWS[::2].copy()
    for tree in shared.grow([statistics(), statistics()], rows, COLUMNS, 1):
        grown, walked = np.zeros(N), np.zeros(N)
        tree.add_to_grown(shared, grown, 1)
        tree.add_to_rows(bins, rows, walked, 1)
        np.testing.assert_array_equal(walked, grown)


def quantised() -> Any:
    stats = _native.RowStatistics(False)
    stats.set(np.linspace(-1, 1, N), np.ones(N), NONE, NO_NUMBERS, 0, 0, 1)
    return stats


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (lambda: ([statistics()], ROWS, COLUMNS), "statistics has 1 entries, expected 2"),
        (lambda: ([statistics(), statistics(N - 1)], ROWS, COLUMNS), "stats has 11 entries, expected 12"),
        (lambda: ([statistics(), quantised()], ROWS, COLUMNS), "exact statistics"),
        (lambda: ([statistics()] * 2, numbers(N), COLUMNS), "rows must hold numbers from 0 to 12"),
        (lambda: ([statistics()] * 2, numbers(), COLUMNS), "at least one row"),
        (lambda: ([statistics()] * 2, ROWS, numbers(P)), "columns must hold numbers from 0 to 3"),
    ],
)
def test_what_does_not_fit_is_refused(given: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        grower().grow(*given(), 1)


def test_only_symmetric_trees_share() -> None:
    with pytest.raises(ValueError, match="only symmetric trees share"):
        _native.SharedGrower(_native.Grower(*binned(), _native.NodeRules(**OPTIONS)), 2)
    with pytest.raises(ValueError, match="n_outputs must be at least 1"):
        grower(0)


def level_tree(stats: Any, rules: Any = SYMMETRIC) -> Any:
    tree = _native.LevelTree(*binned(), _native.NodeRules(**rules), 0, 1)
    tree.begin(stats, ROWS, COLUMNS)
    return tree


def fill(tree: Any) -> Any:
    sums = np.empty(tree.segments().sum(), dtype=np.int64)
    tree.fill(sums, 1)
    return sums


def test_trees_of_many_machines_share_in_steps() -> None:
    all_stats = [statistics(), statistics()]
    trees = [level_tree(stats) for stats in all_stats]
    with pytest.raises(ValueError, match="cannot call read now; the next step is fill"):
        trees[0].read(np.empty(0, dtype=np.int64), 1)
    n_open = 1
    while n_open:
        for tree in trees:
            sums = fill(tree)
            with pytest.raises(ValueError, match="own has"):
                tree.read(sums[1:], 1)
            tree.read(sums, 1)
        records = _native.scan_shared(trees, 1)
        with pytest.raises(ValueError, match="records has 1 entries, expected 2"):
            _native.choose_shared(trees, records[:1], 1)
        if records[0]:
            with pytest.raises(ValueError, match="do not share their questions"):
                _native.choose_shared(trees, [records[0], b""], 1)
        with pytest.raises(ValueError, match="no whole number of entries"):
            _native.choose_shared(trees, [b"x", b"x"], 1)
        n_open = _native.choose_shared(trees, records, 1)
    for tree, own in zip(trees, grower().grow(all_stats, ROWS, COLUMNS, 1), strict=True):
        arrays = tree.finish(np.empty(0, dtype=np.int64)).arrays()
        for name, array in own.arrays().items():
            np.testing.assert_array_equal(arrays[name], array)


def test_trees_that_do_not_share_are_not_scanned_together() -> None:
    stats = statistics()
    with pytest.raises(ValueError, match="there must be a tree"):
        _native.scan_shared([], 1)
    other = level_tree(stats, OPTIONS)
    other.read(fill(other), 1)
    with pytest.raises(ValueError, match="only symmetric trees share"):
        _native.scan_shared([other], 1)
