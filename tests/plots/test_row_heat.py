"""Row heat: rows in the order of raw."""

import numpy as np
from matplotlib.figure import Figure

from glasswood.plots import draw_row_heat


def test_rows_go_from_the_smallest_raw_to_the_largest() -> None:
    values = np.array([[3.0, 0.0], [1.0, -1.0], [2.0, 5.0]])
    raw = values.sum(axis=1)
    figure = Figure()
    ax = draw_row_heat(
        ["a", "b"], values, raw, 0.5, label="raw", baseline_label="baseline 0.5", ax=figure.add_subplot()
    )
    shown = np.asarray(ax.collections[0].get_array()).reshape(2, 3)
    np.testing.assert_array_equal(shown, [[-1.0, 0.0, 5.0], [1.0, 3.0, 2.0]])
    assert [text.get_text() for text in ax.get_yticklabels()] == ["b", "a"]
    np.testing.assert_array_equal(figure.axes[1].lines[0].get_ydata(), np.sort(raw))
    assert "dotted: baseline 0.5" in ax.texts[0].get_text()


def test_a_flat_table_is_drawn() -> None:
    ax = draw_row_heat(
        ["a"], np.zeros((2, 1)), np.zeros(2), 0.0, label="", baseline_label="", ax=Figure().add_subplot()
    )
    assert ax is not None
