"""The history draws one line per table and marks the kept round."""

import numpy as np
from matplotlib.figure import Figure

from glasswood.plots import draw_history


def test_it_draws_a_line_per_table_and_marks_the_kept_round() -> None:
    curves = np.array([[3.0, 4.0], [2.0, 3.0], [1.0, 3.5]])
    ax = Figure().add_subplot()
    assert draw_history(curves, tables=("train", "valid"), metric="rmse", best_round=2, ax=ax) is ax
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["train", "valid"]
    assert [text.get_text() for text in ax.texts] == ["kept: 2"]
    assert ax.get_ylabel() == "rmse"
    np.testing.assert_array_equal(ax.lines[1].get_ydata(), curves[:, 1])
