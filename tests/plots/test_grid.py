"""The grid writes its values; children are two densities each."""

import numpy as np
from matplotlib.figure import Figure

from glasswood.plots import draw_children, draw_grid


def test_values_are_written_and_axes_named() -> None:
    ax = Figure().add_subplot()
    table = np.array([[0.0, 0.5], [0.25, 1.0]])
    same = draw_grid(table, np.array([1.0, 2.0]), np.array([3.0, 4.0]), across="a", up="b", label="Z", title="t", ax=ax)
    assert same is ax
    assert [text.get_text() for text in ax.texts] == ["0", "0.5", "0.25", "1"]
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title()) == ("a", "b", "t")


def test_every_panel_has_its_text() -> None:
    panels = draw_children(np.array([0.1]), np.array([0.1, 1.0]), 10, [["left", "right"]])
    assert [ax.get_xlabel() for ax in panels.ravel()] == ["left", "right"]
    assert all(len(ax.lines) == 3 for ax in panels.ravel())
