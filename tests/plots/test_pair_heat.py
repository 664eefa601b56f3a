"""Pair heat: the lower triangle with its numbers."""

import numpy as np
from matplotlib.figure import Figure

from glasswood.plots import draw_pair_heat


def test_each_pair_is_drawn_once() -> None:
    table = np.array([[1.0, 0.5], [0.5, 2.0]])
    ax = draw_pair_heat(["a", "b"], table, label="raw", note="why", ax=Figure().add_subplot())
    shown = np.ma.filled(ax.collections[0].get_array(), np.nan).reshape(2, 2)
    np.testing.assert_array_equal(shown, [[0.5, 2.0], [1.0, np.nan]])
    written = sorted(text.get_text() for text in ax.texts)
    assert written == ["0.5", "1", "2", "why"]


def test_cells_below_one_percent_of_the_largest_stay_blank() -> None:
    table = np.array([[1.0, 8.3e-5], [8.3e-5, 0.0123]])
    ax = draw_pair_heat(["a", "b"], table, label="raw", ax=Figure().add_subplot())
    assert sorted(text.get_text() for text in ax.texts) == ["0.012", "1"]


def test_many_features_have_no_numbers() -> None:
    ax = draw_pair_heat([str(j) for j in range(20)], np.ones((20, 20)), label="raw", ax=Figure().add_subplot())
    assert len(ax.texts) == 0
