"""Rankings and shares."""

import numpy as np
from matplotlib.figure import Figure

from glasswood.plots import draw_bars, draw_shares


def test_the_longest_bar_is_on_top() -> None:
    ax = draw_bars(["a", "b", "c"], np.array([1.0, 3.0, np.nan]), xlabel="sd", ax=Figure().add_subplot())
    by_height = sorted(zip(ax.get_yticks(), [t.get_text() for t in ax.get_yticklabels()], strict=True), reverse=True)
    assert [name for _, name in by_height] == ["b", "a", "c"]


def test_omitted_bars_are_mentioned() -> None:
    ax = draw_bars(
        [str(k) for k in range(50)],
        np.arange(50.0),
        xlabel="sd",
        marks=np.ones(50),
        marks_label="mean",
        ax=Figure().add_subplot(),
    )
    assert any("the first 20 of 50" in text.get_text() for text in ax.texts)


def test_shares_are_side_by_side() -> None:
    ax = draw_shares(["effects", "pairs", "left"], np.array([0.7, 0.2, 0.1]), xlabel="", ax=Figure().add_subplot())
    assert np.allclose([bar.get_x() for bar in ax.patches], [0.0, 0.7, 0.9])
    assert "effects 70.0%" in [text.get_text() for text in ax.get_legend().get_texts()]
