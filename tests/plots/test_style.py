"""New axes if none are given; figures are never shown."""

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot

from glasswood.plots import PALETTE, new_axes
from glasswood.plots._style import diverging_colours, inches_of, shortened


@pytest.fixture(autouse=True)
def no_window():
    matplotlib.use("Agg")


def test_axes_are_made_when_none_are_given() -> None:
    ax = new_axes(None, (4, 3))
    assert ax.figure.get_size_inches().tolist() == [4, 3]
    assert not ax.spines["top"].get_visible()


def test_given_axes_are_used() -> None:
    ax = pyplot.figure().add_subplot()
    assert new_axes(ax, (4, 3)) is ax


def luminance(colour: str) -> float:
    channels = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("colour", PALETTE)
def test_every_line_colour_can_be_seen_on_white(colour: str) -> None:
    assert 1.05 / (luminance(colour) + 0.05) >= 3  # WCAG contrast of graphical objects


def test_the_middle_of_the_colour_map_is_nearly_white() -> None:
    assert min(diverging_colours()(0.5)[:3]) > 0.95


def test_a_dollar_sign_in_a_name_is_shown_not_typeset() -> None:
    from io import BytesIO

    from glasswood.plots import draw_bars, draw_history, draw_parts, draw_rules, draw_shares, draw_tree

    names, two = [r"$\frac$", "a$b$"], np.array([1.0, 2.0])
    ends, depth = np.array([1, -1, -1]), np.array([0, 1, 1])
    for ax in (
        draw_bars(names, two, xlabel="sd"),
        draw_shares(names, two, xlabel=names[0]),
        draw_rules(names, two, two, two / 4, mean=1.0, xlabel=names[0]),
        draw_parts(names, two, two > 1, start=0.0, xlabel=names[0]),
        draw_history(np.ones((2, 2)), tables=(names[0], names[1]), metric="mae", best_round=2),
        draw_tree(ends, ends * 2, depth, names[:1] * 3, names[:1] * 3, np.ones(3), np.ones((3, 2)) / 2, names),
    ):
        ax.figure.savefig(BytesIO(), format="svg")


def test_long_names_keep_both_ends() -> None:
    assert shortened("short", 5) == "short"
    assert shortened("a long name, number 3", 10) == "a lon…er 3" and len(shortened("x" * 99, 10)) == 10


def test_longer_texts_are_wider() -> None:
    assert inches_of("") == 0 and inches_of("ab", 12) == pytest.approx(0.2)
