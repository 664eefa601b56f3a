"""The curve draws every output, the weights below, and mentions merged cells."""

import numpy as np
from matplotlib.figure import Figure

from glasswood.plots import display_cells, draw_curve, weight_bars

CELLS = display_cells(np.array([1.0, 2.0, np.inf, np.nan]), (None, None, None, "missing"))
EFFECT = np.array([[0.0, 1.0], [2.0, -1.0], [1.0, 0.5], [0.3, 0.2]])
WEIGHT = np.array([10.0, 5.0, 1.0, 2.0])


def test_it_draws_into_the_axes_it_is_given_and_returns_them() -> None:
    ax = Figure().add_subplot()
    assert draw_curve(CELLS, EFFECT[:, :1], WEIGHT, feature="a", outputs=("y",), ylabel="effect", ax=ax) is ax
    assert ax.get_xlabel() == "a"
    assert ax.get_ylabel() == "effect"
    assert ax.get_legend() is None


def test_several_outputs_get_a_legend() -> None:
    ax = draw_curve(CELLS, EFFECT, WEIGHT, feature="a", outputs=("u", "v"), ylabel="", ax=Figure().add_subplot())
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["u", "v"]


def test_the_bars_add_up_to_the_weight_on_the_line() -> None:
    ax = draw_curve(CELLS, EFFECT, WEIGHT, feature="a", outputs=("u", "v"), ylabel="", ax=Figure().add_subplot())
    heights = np.array([bar.get_height() for bar in ax.patches if hasattr(bar, "get_height")])
    assert np.isclose(heights[:-1].sum() / heights[-1], 16.0 / 2.0)


def test_missing_is_named_on_the_axis() -> None:
    ax = draw_curve(CELLS, EFFECT, WEIGHT, feature="a", outputs=("u", "v"), ylabel="", ax=Figure().add_subplot())
    assert "missing" in [label.get_text() for label in ax.get_xticklabels()]


def test_numbers_on_the_axis_have_a_minus_sign() -> None:
    for axis in ("linear", "cells"):
        cells = display_cells(np.array([-2.0, -1.0, np.inf, np.nan]), (None, None, None, "missing"), axis=axis)
        ax = draw_curve(cells, EFFECT, WEIGHT, feature="a", outputs=("u", "v"), ylabel="", ax=Figure().add_subplot())
        shown = [label.get_text() for label in ax.get_xticklabels()]
        assert "−1" in shown and not any("-" in text for text in shown)


def test_merged_cells_are_mentioned_in_the_caption() -> None:
    many = display_cells(np.append(np.arange(999.0), np.inf), (None,) * 1000)
    ax = draw_curve(
        many, np.zeros((1000, 1)), np.ones(1000), feature="a", outputs=("y",), ylabel="", ax=Figure().add_subplot()
    )
    assert any("1,000 cells drawn as 300" in text.get_text() for text in ax.texts)


def test_categories_and_a_feature_never_used_can_be_drawn() -> None:
    names = display_cells(np.full(30, np.nan), tuple(f"a rather long level {k}" for k in range(30)))
    draw_curve(
        names, np.zeros((30, 1)), np.zeros(30), feature="a", outputs=("y",), ylabel="", ax=Figure().add_subplot()
    )
    single = display_cells(np.array([np.inf]), (None,))
    draw_curve(single, np.zeros((1, 1)), np.ones(1), feature="a", outputs=("y",), ylabel="", ax=Figure().add_subplot())


def test_bars_of_weight_hold_all_of_it() -> None:
    cells = display_cells(np.array([1.0, 2.0, 10.0, np.inf, np.nan]), (None, None, None, None, "missing"))
    start, tall, wide = weight_bars(cells, np.array([4.0, 3.0, 2.0, 1.0, 5.0]))
    assert tall.sum() == 15.0
    assert tall[-1] == 5.0
    assert len(set(np.round(wide[:-1], 9))) == 1
    assert start[0] == cells.left[0]
