"""Dots: colours that distinguish values, and rows evenly spread."""

import numpy as np

from glasswood.plots import DotColumn, spread_rows

NUMBERS = DotColumn(values=np.array([3.0, 1.0, np.nan, 1.0, 9.0]), labels=None)
LEVELS = DotColumn(values=np.array([0.0, 1.0, np.nan]), labels=("oak", "elm"))


def test_ranks_go_from_0_to_1() -> None:
    np.testing.assert_array_equal(NUMBERS.ranks(), [0.5, 0.0, np.nan, 0.0, 1.0])
    np.testing.assert_array_equal(DotColumn(np.array([2.0, 2.0]), None).ranks(), [0.0, 0.0])


def test_missing_is_grey_and_levels_differ() -> None:
    numbers, levels = NUMBERS.colours(), LEVELS.colours()
    assert (numbers[1] == numbers[3]).all() and not (numbers[0] == numbers[4]).all()
    np.testing.assert_array_equal(numbers[2], levels[2])
    assert not (levels[0] == levels[1]).all()


def test_labels_are_shown() -> None:
    assert LEVELS.shown().tolist() == ["oak", "elm", None]
    assert NUMBERS.shown()[0] == 3.0


def test_rows_are_spread_from_first_to_last() -> None:
    np.testing.assert_array_equal(spread_rows(4, 10), np.arange(4))
    some = spread_rows(1000, 10)
    assert len(some) == 10 and some[0] == 0 and some[-1] == 999 and (np.diff(some) > 0).all()
