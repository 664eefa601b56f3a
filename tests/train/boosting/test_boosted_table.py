"""BoostedTable: raw before the first round, and after earlier ones."""

import numpy as np
import pytest

from glasswood.ensemble import AlignedRows
from glasswood.train.boosting import BoostingTable
from glasswood.train.boosting._boosted_table import start_table
from glasswood.train.boosting._losses import make_loss
from tests.train.examples import fit

RNG = np.random.default_rng(0)
X = RNG.normal(size=(50, 3))
TABLE = BoostingTable(
    name="train",
    rows=AlignedRows(50, X),
    y=X[:, 0] + RNG.normal(size=50),
    weight=RNG.integers(0, 3, 50).astype(float),
    offset=RNG.normal(size=(1, 50)),
)
NO_BINS = np.zeros((50, 3), dtype=np.uint8)


def test_raw_starts_at_the_baseline_plus_the_offset() -> None:
    table = start_table(TABLE, NO_BINS, np.array([0.5]), None, 1)
    np.testing.assert_array_equal(table.raw_by_output, 0.5 + TABLE.offset_of(1))
    residual = TABLE.y - table.raw_by_output[0]
    loss = table.loss(make_loss("squared_error", quantile=0.5, power=1.5), 1)
    assert loss == pytest.approx(np.average(residual**2, weights=TABLE.weight))


def test_raw_continues_from_earlier_rounds() -> None:
    before = fit(X, TABLE.y, n_estimators=3).ensemble
    table = start_table(TABLE, NO_BINS, before.baseline, before, 1)
    np.testing.assert_array_equal(table.raw_by_output, before.predict_raw(X).reshape(1, 50) + TABLE.offset_of(1))
