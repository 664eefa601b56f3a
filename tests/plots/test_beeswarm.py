"""Beeswarm: one line per feature, with dots that do not hide each other."""

import numpy as np
from matplotlib.figure import Figure

from glasswood.plots import DotColumn, draw_beeswarm
from glasswood.plots._beeswarm import _levels, _offsets, dots_of

VALUES = np.column_stack([np.linspace(-1, 1, 50), np.zeros(50)])
COLUMNS = [
    DotColumn(np.where(np.arange(50) < 5, np.nan, np.arange(50.0)), None),
    DotColumn(np.arange(50) % 2.0, ("a", "b")),
]


def test_the_first_feature_is_on_top() -> None:
    ax = draw_beeswarm(["a", "b"], VALUES, COLUMNS, n_rows=900, n_features=7, xlabel="raw", ax=Figure().add_subplot())
    heights = {text.get_text(): y for y, text in zip(ax.get_yticks(), ax.get_yticklabels(), strict=True)}
    assert heights["a"] > heights["b"] and ax.get_xlabel() == "raw"
    words = " ".join(text.get_text() for text in ax.texts)
    for part in (
        "grey cross: missing",
        "50 of 900 rows",
        "the first 2 of 7 features",
        "a colour for each category",
        "b: blue a, orange b",
    ):
        assert part in words


def test_a_group_has_no_colour_and_no_bar() -> None:
    figure = Figure()
    draw_beeswarm(["g"], VALUES[:, :1], [None], n_rows=50, n_features=1, xlabel="raw", ax=figure.add_subplot())
    assert len(figure.axes) == 1


def test_equal_values_are_stacked_inside_the_line() -> None:
    offsets = _offsets(np.zeros(40), -1.0, 1.0)
    assert len(np.unique(offsets)) == 40 and np.abs(offsets).max() <= 1.0
    assert not _offsets(np.zeros(3), 0.0, 0.0).any() and len(_offsets(np.zeros(0), 0.0, 1.0)) == 0


def test_at_most_two_thousand_dots() -> None:
    assert len(dots_of(1_000_000)) == 2000 and len(dots_of(10)) == 10


def test_levels_are_named_with_their_colours_where_there_is_room() -> None:
    few, many = DotColumn(np.arange(50) % 3.0, ("a", "b", "c")), DotColumn(np.arange(50) % 9.0, tuple("abcdefghi"))
    assert _levels(["x", "y", "z"], [few, many, None]) == ["x: blue a, orange b, green c"]
    wide = DotColumn(np.arange(50) % 5.0, tuple(f"{k} {'long' * 9}" for k in range(5)))
    lines = _levels(list("abcdefg"), [wide] * 7)
    assert len(lines) == 3 and all("…" in line and "dark" in line for line in lines)


def test_missing_values_have_a_shape_of_their_own() -> None:
    ax = draw_beeswarm(["a"], VALUES[:, :1], COLUMNS[:1], n_rows=50, n_features=1, xlabel="", ax=Figure().add_subplot())
    assert [len(dots.get_offsets()) for dots in ax.collections] == [5, 45]  # missing first, under the others
