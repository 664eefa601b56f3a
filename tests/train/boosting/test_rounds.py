"""Rounds: each adds its trees to the raw of every row, drawn or not."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from glasswood.ensemble import AlignedRows, FeatureSchema
from glasswood.train.boosting import BoostingOptions, BoostingTable
from glasswood.train.boosting._binning import make_binning
from glasswood.train.boosting._boosted_table import start_table
from glasswood.train.boosting._constraints import make_constraints
from glasswood.train.boosting._losses import make_loss
from glasswood.train.boosting._rounds import Rounds
from glasswood.train.boosting._tree_source import LocalTrees, make_rules

RNG = np.random.default_rng(0)
X = RNG.normal(size=(50, 3))
TABLE = BoostingTable(
    name="train",
    rows=AlignedRows(50, X),
    y=X[:, 0] + RNG.normal(size=50),
    weight=RNG.integers(0, 3, 50).astype(float),
    offset=RNG.normal(size=(1, 50)),
)


def rounds(**options: Any) -> Rounds:
    features = FeatureSchema.numeric(FeatureSchema.positions(3), named=False)
    binning = make_binning(TABLE.rows, features, TABLE.weight, max_bins=255, seed=0, n_threads=1)
    bins, by_column = binning.apply_both(TABLE.rows, 1)
    train = start_table(TABLE, bins, np.array([0.5]), None, 1)
    loss = make_loss("squared_error", quantile=0.5, power=1.5)
    chosen = BoostingOptions(**options)
    rules = make_rules(binning, loss, chosen, make_constraints(None, None, features), weighted=True)
    trees = LocalTrees(train, by_column, rules, exact=True, seed=0)
    return Rounds([train], trees, loss, chosen, 0, 1)


@pytest.mark.parametrize("options", [{}, {"subsample": 0.5}, {"subsample": 1e-9}, {"colsample": 1e-9}])
def test_a_tree_is_added_to_rows_drawn_left_out_and_without_weight(options: dict[str, Any]) -> None:
    some = rounds(**options)
    before = some.train.raw_by_output.copy()
    (tree,) = some.grow(0)
    added = np.zeros((1, 50))
    tree.add_to_rows(some.train.bins, some.train.all_rows, added[0], 1)
    np.testing.assert_array_equal(some.train.raw_by_output, before + added)


def test_the_smallest_share_is_one_row_and_one_feature() -> None:
    few: Any = rounds(subsample=1e-9, min_weight_leaf=0.0).grow(0)[0].arrays()
    assert few["feature"].tolist() == [-1] and few["weight"][0] in (1.0, 2.0)
    one: Any = rounds(colsample=1e-9).grow(0)[0].arrays()
    assert len(set(one["feature"].tolist()) - {-1}) == 1


PEAK = """
import sys
import numpy as np
import glasswood as gw

def numbers(key):
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(key))

n, n_classes, threads, one_hot, depth = map(int, sys.argv[1:])
rng = np.random.default_rng(0)
X = rng.normal(size=(n, 10))
if one_hot:
    X = np.hstack([X, np.eye(4)[rng.integers(0, 4, n)], np.eye(40)[rng.integers(0, 40, n)]])
small = gw.BoostingClassifier(n_estimators=1, max_depth=depth, n_jobs=threads)
small.fit(X[:500], np.arange(500) % 3)  # loads what is loaded late
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")  # the peak begins again
before = numbers("VmRSS")
small.fit(X, np.arange(n) % n_classes)
print(1024 * (numbers("VmHWM") - before))
"""


def peak_of(*given: int) -> int:
    answer = subprocess.run([sys.executable, "-c", PEAK, *map(str, given)], capture_output=True, text=True, check=True)
    return int(answer.stdout)


@pytest.mark.resident
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("n", "n_classes", "one_hot"), [(200_000, 7, True), (60_000, 100, False)])
def test_a_fit_stays_within_its_memory(n: int, n_classes: int, one_hot: bool, threads: int) -> None:
    """The bound of the guide, "Train a boosted model", and 5 MB for what does not depend on the table."""
    peak = peak_of(n, n_classes, threads, int(one_hot), 3)
    bytes_of_columns = 3 * 54 if one_hot else 2 * 16  # features share columns; else rows of a multiple of 8 bytes
    assert peak < n * (bytes_of_columns + 24 * n_classes + 45 * threads + 32) + 5e6


@pytest.mark.resident
@pytest.mark.parametrize("threads", [1, 2])
def test_a_fit_of_classes_that_share_their_questions_stays_within_its_memory(threads: int) -> None:
    n, n_classes, depth = 9_990, 100, 8
    of_nodes = 400 * n_classes * 2 ** (depth + 1)
    peak = peak_of(n, n_classes, threads, 0, depth)
    assert peak < n * (2 * 16 + 24 * n_classes + (64 + 32 * threads) * n_classes + 32) + of_nodes + 5e6
