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


def test_levels_beyond_the_colours_differ_in_shape() -> None:
    column = DotColumn(np.array([*range(20), 7.0, np.nan]), tuple(f"l{k}" for k in range(40)))
    looks, of_row = column.looks()
    assert len({(look.colour, look.marker) for look in looks}) == 20 and of_row[-1] == -1
    assert [looks[k].label for k in of_row[:21]] == [*(f"l{k}" for k in range(20)), "l7"]
    drawn = np.zeros(22, dtype=int)
    for marker, rows in column.markers():
        drawn += rows
        assert all(looks[k].marker == marker for k in of_row[rows] if k >= 0)
    assert (drawn == 1).all()


def test_only_levels_that_occur_take_a_colour() -> None:
    column = DotColumn(np.array([0.0, 5.0, 10.0]), tuple("abcdefghijk"))
    assert len(np.unique(column.colours(), axis=0)) == 3 and len(column.markers()) == 1


def test_levels_that_are_too_many_share_a_look_with_their_number() -> None:
    values = np.concatenate([np.arange(50.0), np.repeat(np.arange(30.0, 50.0), 2)])
    looks, of_row = DotColumn(values, tuple(map(str, range(50)))).looks()
    assert [look.label for look in looks] == [*map(str, range(30, 50)), "30 other levels (30 rows)"]
    assert len({(look.colour, look.marker) for look in looks}) == 21 and (of_row[:30] == 20).all()


def test_labels_are_shown() -> None:
    assert LEVELS.shown().tolist() == ["oak", "elm", None]
    assert NUMBERS.shown()[0] == 3.0


def test_rows_are_spread_from_first_to_last() -> None:
    np.testing.assert_array_equal(spread_rows(4, 10), np.arange(4))
    some = spread_rows(1000, 10)
    assert len(some) == 10 and some[0] == 0 and some[-1] == 999 and (np.diff(some) > 0).all()
