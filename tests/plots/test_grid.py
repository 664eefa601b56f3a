"""The grid shows its values; children are two densities each."""

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


def test_values_that_span_a_thousand_are_coloured_on_a_log_scale() -> None:
    axis = np.arange(1.0, 4.0)

    def shades(table: list[float]) -> list[float]:
        ax = draw_grid(np.array([table]), axis[:1], axis, across="a", up="b", label="gain", title="t")
        mesh = ax.collections[0]
        return [round(float(mesh.norm(value)), 6) for value in table]

    assert shades([1.0, 100.0, 10_000.0]) == [0.0, 0.5, 1.0]
    assert shades([0.25, 0.5, 1.0]) == [0.25, 0.5, 1.0]
    assert shades([0.0, 0.0, 0.0]) == [0.0, 0.0, 0.0]


def test_every_panel_has_its_text() -> None:
    panels = draw_children(np.array([0.1]), np.array([0.1, 1.0]), 10, [["left", "right"]])
    assert [ax.get_xlabel() for ax in panels.ravel()] == ["left", "right"]
    assert all(len(ax.lines) == 3 for ax in panels.ravel())
