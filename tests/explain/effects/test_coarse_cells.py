"""Neighbouring cells are joined at quantiles; categories and missing values stay as they are."""

import numpy as np

from glasswood.explain.effects._coarse_cells import coarse_cells
from glasswood.results import Cells


def cells(n: int, *, missing: bool = False) -> Cells:
    ends = np.arange(1.0, n)
    lower, upper = np.append(-np.inf, ends), np.append(ends, np.inf)
    if missing:
        lower, upper = np.append(lower, np.nan), np.append(upper, np.nan)
    return Cells("x", False, lower, upper, (None,) * len(upper), np.isnan(upper))


def test_parts_hold_about_equal_weight() -> None:
    found = coarse_cells(cells(8, missing=True), np.array([1.0, 1, 1, 1, 1, 1, 1, 1, 5]), 4)
    assert found.owner.tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4]
    assert found.cells.upper.tolist()[:4] == [2, 4, 6, np.inf] and found.cells.lower.tolist()[:4] == [-np.inf, 2, 4, 6]
    assert found.cells.missing.tolist() == [False] * 4 + [True]


def test_a_heavy_cell_is_one_of_fewer_parts() -> None:
    found = coarse_cells(cells(6), np.array([0.0, 90, 1, 1, 1, 7]), 3)
    assert found.owner.tolist() == [0, 0, 1, 1, 1, 1]


def test_few_cells_and_categories_stay() -> None:
    few = cells(3)
    assert coarse_cells(few, np.ones(3), 3).cells is few
    levels = Cells("c", True, *np.full((2, 5), np.nan), ("a", "b", "c", None, None), np.arange(5) == 4)
    assert coarse_cells(levels, np.ones(5), 2).owner.tolist() == [0, 1, 2, 3, 4]


def test_rows_outside_the_weights_leave_one_cell() -> None:
    found = coarse_cells(cells(5), np.zeros(5), 2)
    assert len(found.cells) >= 1 and found.owner.max() == len(found.cells) - 1
