"""Draws: every row is drawn or among the others, never both; draws depend on the seed and the number alone."""

from typing import Any

import numpy as np
import pytest

from glasswood.ensemble import AlignedRows
from glasswood.train.boosting import BoostingOptions, BoostingTable, Draws

WEIGHT = np.arange(40) % 3.0


def draws(seed: int = 0, **options: Any) -> Draws:
    table = BoostingTable(name="train", rows=AlignedRows(40, np.zeros((40, 1))), y=np.zeros(40), weight=WEIGHT)
    return Draws(table, 10, BoostingOptions(**options), seed)


@pytest.mark.parametrize("subsample", [1.0, 0.5, 1e-9])
def test_rows_are_drawn_or_not(subsample: float) -> None:
    some = draws(subsample=subsample)
    drawn, others = some.rows(3)
    assert sorted([*drawn, *others]) == list(range(40)) and len(drawn) == some.n_drawn
    assert np.all(WEIGHT[drawn] > 0)


def test_a_draw_depends_on_seed_and_number() -> None:
    first = draws(subsample=0.5, colsample=0.5)
    again, other = draws(subsample=0.5, colsample=0.5), draws(seed=1, subsample=0.5, colsample=0.5)
    np.testing.assert_array_equal(first.rows(3)[0], again.rows(3)[0])
    np.testing.assert_array_equal(first.columns(3), again.columns(3))
    assert first.rows(3)[0].tolist() != first.rows(4)[0].tolist()
    assert first.rows(3)[0].tolist() != other.rows(3)[0].tolist()
    assert len(first.columns(3)) == 5 and np.all(np.diff(first.columns(3).astype(int)) > 0)
