"""Rows that are set aside for early stopping are drawn once, from those with weight."""

import numpy as np
import pytest

from glasswood.ensemble import AlignedRows
from glasswood.errors import OptionError
from glasswood.train.boosting import BoostingTable, set_aside


def table(n: int, weight: np.ndarray, row_id: np.ndarray) -> BoostingTable:
    rows = AlignedRows(n, np.arange(float(n))[:, None])
    return BoostingTable(
        name="train", rows=rows, y=np.arange(float(n)), weight=weight, offset=np.arange(float(n))[None], row_id=row_id
    )


def test_every_row_is_in_one_of_the_parts_with_all_that_belongs_to_it() -> None:
    weight, row_id = np.r_[np.ones(30), np.zeros(10)], np.arange(40) * 7
    rest, valid = set_aside(table(40, weight, row_id), 0.2, seed=3)
    assert (rest.name, valid.name) == ("train", "validation")
    assert len(valid.y) == 6 and valid.weight.all()
    assert sorted([*rest.y, *valid.y]) == list(range(40))
    for part in (rest, valid):
        np.testing.assert_array_equal(part.rows.column(0), part.y)
        np.testing.assert_array_equal(part.offset, part.y[None])
        np.testing.assert_array_equal(part.row_id, part.y * 7)


def test_the_draw_follows_the_row_numbers_not_the_order() -> None:
    order = np.random.default_rng(0).permutation(50)
    row_id = np.arange(50)
    _, one = set_aside(table(50, np.empty(0), row_id), 0.3, seed=1)
    _, other = set_aside(table(50, np.empty(0), row_id[order]), 0.3, seed=1)
    assert set(one.row_id) == set(other.row_id)


def test_without_row_numbers_rows_are_numbered_by_position() -> None:
    _, valid = set_aside(table(50, np.empty(0), np.empty(0, dtype=np.int64)), 0.3, seed=1)
    np.testing.assert_array_equal(valid.row_id, valid.y)


@pytest.mark.parametrize("fraction", [0.001, 0.999])
def test_a_share_that_leaves_a_part_empty_is_refused(fraction: float) -> None:
    with pytest.raises(OptionError, match="of 10 rows leaves none for training or none for validation"):
        set_aside(table(10, np.empty(0), np.empty(0, dtype=np.int64)), fraction, seed=0)
