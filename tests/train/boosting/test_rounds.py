"""Rounds: each adds its trees to the raw of every row, drawn or not."""

from typing import Any

import numpy as np
import pytest

from glasswood.ensemble import AlignedRows, FeatureSchema
from glasswood.train.boosting import BoostingOptions, BoostingTable
from glasswood.train.boosting._binning import make_binning
from glasswood.train.boosting._constraints import make_constraints
from glasswood.train.boosting._losses import make_loss
from glasswood.train.boosting._rounds import Rounds, start_state

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
    state = start_state(TABLE, bins, np.array([0.5]), None, 1)
    loss = make_loss("squared_error", quantile=0.5, power=1.5)
    constraints = make_constraints(None, None, features)
    return Rounds(state, by_column, binning, loss, BoostingOptions(**options), constraints, 0, 1)


def test_raw_starts_at_the_baseline_plus_the_offset() -> None:
    state = rounds().train
    np.testing.assert_array_equal(state.raw, 0.5 + TABLE.offset_of(1))
    residual = TABLE.y - state.raw[0]
    assert state.loss(rounds().loss, 1) == pytest.approx(np.average(residual**2, weights=TABLE.weight))


@pytest.mark.parametrize("options", [{}, {"subsample": 0.5}, {"subsample": 1e-9}, {"colsample": 1e-9}])
def test_a_tree_is_added_to_rows_drawn_left_out_and_without_weight(options: dict[str, Any]) -> None:
    some = rounds(**options)
    before = some.train.raw.copy()
    (tree,) = some.grow(0)
    added = np.zeros((1, 50))
    tree.add_to_rows(some.train.bins, some.train.all_rows, added[0], 1)
    np.testing.assert_array_equal(some.train.raw, before + added)


def test_the_smallest_share_is_one_row_and_one_feature() -> None:
    few: Any = rounds(subsample=1e-9, min_weight_leaf=0.0).grow(0)[0].arrays()
    assert few["feature"].tolist() == [-1] and few["weight"][0] in (1.0, 2.0)
    one: Any = rounds(colsample=1e-9).grow(0)[0].arrays()
    assert len(set(one["feature"].tolist()) - {-1}) == 1
