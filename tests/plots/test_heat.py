"""The heat map shows real cells, zero in the middle of its colours, and the margins."""

import numpy as np
from matplotlib.figure import Figure

from glasswood.plots import display_cells, draw_heat

ACROSS = display_cells(np.array([1.0, 4.0, np.inf, np.nan]), (None, None, None, "missing"))
UP = display_cells(np.full(2, np.nan), ("a", "b"))
TABLE = np.array([[1.0, -1.0], [0.5, 0.0], [np.nan, 2.0], [0.0, -3.0]])


def test_colours_are_centred_at_zero() -> None:
    ax = Figure().add_subplot()
    assert draw_heat((ACROSS, UP), TABLE, np.ones((4, 2)), (), features=("u", "v"), label="x", ax=ax) is ax
    mesh = ax.collections[0]
    assert mesh.get_clim() == (-3.0, 3.0)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("u", "v")


def test_the_mesh_has_the_cells_at_their_real_edges() -> None:
    ax = draw_heat((ACROSS, UP), TABLE, np.ones((4, 2)), (), features=("u", "v"), label="x", ax=Figure().add_subplot())
    edges = ax.collections[0].get_coordinates()[0, :, 0]
    assert {1.0, 4.0} <= set(edges.tolist())
    shown = ax.collections[0].get_array()
    assert sorted(np.ma.compressed(np.ma.masked_invalid(shown)).tolist()) == sorted(TABLE[~np.isnan(TABLE)].tolist())


def test_margins_get_their_own_axes() -> None:
    figure = Figure()
    ax = figure.add_subplot()
    margins = (np.array([0.1, 0.2, 0.3, 0.0]), np.array([1.0, -1.0]))
    draw_heat((ACROSS, UP), TABLE, np.ones((4, 2)), margins, features=("u", "v"), label="x", ax=ax)
    assert len(figure.axes) == 4  # map, two margins, colour bar


def test_large_tables_are_merged_with_a_note() -> None:
    many = display_cells(np.append(np.arange(999.0), np.inf), (None,) * 1000, most=100)
    table = np.broadcast_to(np.arange(1000.0)[:, None] - 500, (1000, 1000)).copy()
    ax = draw_heat(
        (many, many), table, np.zeros((1000, 1000)), (), features=("u", "v"), label="x", ax=Figure().add_subplot()
    )
    (said,) = (text.get_text() for text in ax.texts)
    assert "u: 1,000 cells drawn as 100" in said
    assert "pale: no weight" in said


def test_an_all_zero_table_can_be_drawn() -> None:
    draw_heat(
        (ACROSS, UP), np.zeros((4, 2)), np.ones((4, 2)), (), features=("u", "v"), label="x", ax=Figure().add_subplot()
    )


def test_cells_without_weight_are_pale() -> None:
    weight = np.ones((4, 2))
    weight[0, 1] = 0
    ax = draw_heat((ACROSS, UP), TABLE, weight, (), features=("u", "v"), label="x", ax=Figure().add_subplot())
    veil = np.ma.masked_invalid(ax.collections[1].get_array())
    assert veil.count() == 1
    assert 0 < ax.collections[1].get_alpha() < 1


def test_margins_share_one_scale() -> None:
    figure = Figure()
    margins = (np.array([0.1, 0.2, 0.3, 0.0]), np.array([5.0, -1.0]))
    draw_heat((ACROSS, UP), TABLE, np.ones((4, 2)), margins, features=("u", "v"), label="x", ax=figure.add_subplot())
    assert figure.axes[1].get_ylim() == figure.axes[2].get_xlim()
