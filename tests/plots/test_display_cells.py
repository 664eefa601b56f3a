"""Cells on an axis: open ends are closed for display, many cells are merged, and sums are kept."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glasswood.errors import OptionError
from glasswood.plots import display_cells, merge_pair, total_pair


def test_open_cells_reach_a_little_beyond_the_outermost_thresholds() -> None:
    cells = display_cells(np.array([1.0, 3.0, np.inf]), (None, None, None))
    assert cells.right[:2].tolist() == [1.0, 3.0]
    assert cells.left[0] < 1.0
    assert cells.right[2] > 3.0
    assert cells.note == ""


def test_missing_values_are_beside_the_number_line() -> None:
    cells = display_cells(np.array([1.0, np.inf, np.nan]), (None, None, "missing"))
    assert cells.left[2] > cells.right[1]
    assert cells.on_line.tolist() == [True, True, False]


def test_categories_are_one_step_apart() -> None:
    cells = display_cells(np.full(3, np.nan), ("a", "b", "missing"))
    assert ((cells.left + cells.right) / 2).tolist() == pytest.approx([0, 1, 2])


@given(st.integers(1, 900), st.integers(1, 50), st.integers(0, 2))
def test_merging_keeps_weight_and_weighted_mean(n: int, most: int, n_named: int) -> None:
    rng = np.random.default_rng(n)
    upper = np.concatenate([np.sort(rng.normal(size=n - 1)), [np.inf], np.full(n_named, np.nan)])
    cells = display_cells(upper, (None,) * n + ("missing", "unseen")[:n_named], most=most)
    weight, values = rng.random(n + n_named), rng.normal(size=n + n_named)
    assert cells.n_shown == min(n, most) + n_named
    assert np.all(cells.right >= cells.left)
    assert cells.total(weight).sum() == pytest.approx(weight.sum())
    merged = cells.merge(values, weight)
    assert (merged * cells.total(weight)).sum() == pytest.approx((values * weight).sum())
    assert ("drawn as" in cells.note) == (n > most)


def test_a_cell_without_weight_shows_the_plain_mean_and_nan_is_left_out() -> None:
    cells = display_cells(np.array([1.0, 2.0, 3.0, np.inf]), (None,) * 4, most=2)
    assert cells.merge(np.array([1.0, 3.0, np.nan, 5.0]), np.zeros(4)).tolist() == [2.0, 5.0]


def test_one_cell_and_infinite_thresholds_can_be_placed() -> None:
    assert display_cells(np.array([np.inf]), (None,)).n_shown == 1
    assert np.all(np.isfinite(display_cells(np.array([-np.inf, np.inf, np.inf]), (None,) * 3).right))


def test_a_merged_pair_keeps_weight_and_weighted_mean() -> None:
    rng = np.random.default_rng(0)
    across = display_cells(np.append(np.arange(99.0), np.inf), (None,) * 100, most=7)
    up = display_cells(np.full(3, np.nan), ("a", "b", "missing"))
    weight, table = rng.random((100, 3)), rng.normal(size=(100, 3))
    total = total_pair(across, up, weight)
    assert total.shape == (7, 3)
    assert total.sum() == pytest.approx(weight.sum())
    assert (merge_pair(across, up, table, weight) * total).sum(axis=0) == pytest.approx((table * weight).sum(axis=0))


def test_a_pair_that_fits_stays_as_it_is() -> None:
    across = display_cells(np.array([1.0, np.inf]), (None, None))
    table = np.array([[1.0, np.nan], [3.0, 4.0]])
    assert np.array_equal(merge_pair(across, across, table, np.zeros((2, 2))), table, equal_nan=True)


def test_cells_of_a_skewed_feature_are_equally_wide_and_say_so() -> None:
    skewed = np.append(np.exp(np.linspace(-5, 5, 50)), np.inf)
    cells = display_cells(skewed, (None,) * 51)
    assert cells.is_even
    np.testing.assert_array_equal(cells.right - cells.left, 1)
    assert "not to scale" in cells.note
    assert not display_cells(skewed, (None,) * 51, axis="linear").is_even
    assert not display_cells(np.append(np.linspace(0, 1, 50), np.inf), (None,) * 51).is_even
    assert not display_cells(np.append(np.exp(np.arange(5.0)), np.inf), (None,) * 6).is_even
    with pytest.raises(OptionError, match="axis must be one of 'auto', 'linear', 'cells'; got 'log'"):
        display_cells(skewed, (None,) * 51, axis="log")


def test_ticks_of_equally_wide_cells_are_at_their_thresholds() -> None:
    edges = np.array([1.0, 1.00001, 1.00002, 5.0])
    cells = display_cells(np.append(edges, np.inf), (None,) * 5, axis="cells")
    places, texts = cells.ticks()
    assert places.tolist() == [1, 2, 3, 4]
    assert len(set(texts)) == 4
    np.testing.assert_allclose([float(text) for text in texts], edges)
    assert len(display_cells(np.append(np.arange(99.0), np.inf), (None,) * 100, axis="cells").ticks()[0]) == 6


def test_open_cells_reach_as_far_as_the_rows() -> None:
    upper = np.array([1.0, 3.0, np.inf])
    shown = display_cells(upper, (None,) * 3, axis="linear", reach=(0.0, 999.0))
    assert shown.left.tolist() == [0, 1, 3] and shown.right.tolist() == [1, 3, 999]
    beyond = display_cells(upper, (None,) * 3, axis="linear", reach=(1.5, 2.0))  # thresholds far from all rows
    assert beyond.left[0] < 1 and beyond.right[-1] > 3
    alone = display_cells(np.array([np.inf]), (None,), axis="linear", reach=(5.0, 7.0))
    assert (alone.left[0], alone.right[0]) == (5, 7)
