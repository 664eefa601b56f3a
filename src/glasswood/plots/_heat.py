"""Heat map: a table over two features on its real cells, with the one-feature terms in the margins."""

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from glasswood.plots._curve import label_axis
from glasswood.plots._display_cells import DisplayCells, merge_pair, total_pair
from glasswood.plots._style import INK, MUTED, PALETTE, caption, diverging_colours, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PALE = 0.5  # white overlay on cells without weight


def draw_heat(
    cells: tuple[DisplayCells, DisplayCells],
    table: NDArray[np.float64],
    weight: NDArray[np.float64],
    margins: tuple[NDArray[np.float64], ...],
    *,
    features: tuple[str, str],
    label: str,
    note: str = "",
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw a table (n_cells_0, n_cells_1); feature 0 lies on the horizontal axis.

    `margins` holds what each feature adds by itself, or nothing. Cells without weight are drawn pale.
    """
    ax = new_axes(ax, (6.2, 5.2))
    across, up = cells
    shown, mass = merge_pair(across, up, table, weight), total_pair(across, up, weight)
    mesh = _draw_mesh(ax, across, up, shown, mass, _reach(shown, mass) or 1.0)
    label_axis(ax, across)
    label_axis(ax, up, upright=True)
    ax.set_xlabel(plain(features[0]), color=INK)
    ax.set_ylabel(plain(features[1]), color=INK)
    if margins:
        _draw_margins(ax, across, up, margins, weight)
    bar = ax.figure.colorbar(mesh, ax=ax, pad=0.02, fraction=0.05)
    bar.set_label(label, color=INK)
    bar.outline.set_visible(False)
    empty = "pale: no weight" if np.any((mass == 0) & np.isfinite(shown)) else ""
    alone = "margins: what each adds alone" if margins else ""
    caption(ax, "; ".join(part for part in (note, alone, empty) if part), *_notes(cells, features))
    return ax


def _reach(shown: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
    """The number that gets the full colour: the largest one among cells with rows."""
    for cells in (np.isfinite(shown) & (weight > 0), np.isfinite(shown)):
        if cells.any():
            return float(np.abs(shown[cells]).max())
    return 0.0


def _draw_mesh(
    ax: "Axes",
    across: DisplayCells,
    up: DisplayCells,
    shown: NDArray[np.float64],
    mass: NDArray[np.float64],
    reach: float,
) -> Any:
    """Draw blocks between real edges: cells touch on the number line and have gaps where they are named."""
    edges_x, index_x = _edges(across)
    edges_y, index_y = _edges(up)
    padded, veil = (np.full((len(edges_x) - 1, len(edges_y) - 1), np.nan) for _ in range(2))
    padded[np.ix_(index_x, index_y)] = shown
    # without rows the model extrapolates, so such cells are drawn pale
    veil[np.ix_(index_x, index_y)] = np.where((mass == 0) & np.isfinite(shown), 1.0, np.nan)
    mesh = ax.pcolormesh(
        edges_x, edges_y, padded.T, cmap=diverging_colours(), vmin=-reach, vmax=reach, rasterized=True, linewidth=0
    )
    ax.pcolormesh(edges_x, edges_y, veil.T, cmap="gray", vmin=0, vmax=1, alpha=_PALE, rasterized=True, linewidth=0)
    return mesh


def _edges(cells: DisplayCells) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Increasing edges with a gap before every named cell, and the block that each drawn cell belongs to."""
    edges, index = [float(cells.left[0])], []
    for left, right in zip(cells.left.tolist(), cells.right.tolist(), strict=True):
        if left > edges[-1]:
            edges.append(left)
        index.append(len(edges) - 1)
        edges.append(max(right, np.nextafter(edges[-1], np.inf)))
    return np.array(edges), np.array(index, dtype=np.int64)


def _draw_margins(
    ax: "Axes",
    across: DisplayCells,
    up: DisplayCells,
    margins: tuple[NDArray[np.float64], ...],
    weight: NDArray[np.float64],
) -> None:
    """Draw the term of each feature above and to the right, on one scale."""
    from matplotlib.ticker import MaxNLocator
    from mpl_toolkits.axes_grid1 import make_axes_locatable

    divider = make_axes_locatable(ax)
    top = divider.append_axes("top", 0.6, pad=0.08, sharex=ax)
    side = divider.append_axes("right", 0.6, pad=0.08, sharey=ax)
    drawn = [
        across.merge(margins[0], weight.sum(axis=1)),
        up.merge(margins[1], weight.sum(axis=0)),
    ]
    known = np.concatenate([effect[np.isfinite(effect)] for effect in drawn])
    low, high = min(0.0, known.min(initial=0.0)), max(0.0, known.max(initial=0.0))
    reach = 0.08 * (high - low) or 1.0
    for axes, cells, effect, sideways in ((top, across, drawn[0], False), (side, up, drawn[1], True)):
        _draw_margin(axes, cells, effect, sideways)
        (axes.axvline if sideways else axes.axhline)(0, color=MUTED, linewidth=0.8, zorder=0)
        (axes.set_xlim if sideways else axes.set_ylim)(low - reach, high + reach)
        (axes.xaxis if sideways else axes.yaxis).set_major_locator(MaxNLocator(2, min_n_ticks=2))
        axes.spines[["top", "right", "bottom", "left"]].set_visible(False)
        axes.tick_params(
            labelbottom=sideways, labelleft=not sideways, labelsize="xx-small", length=2, colors=INK,
            bottom=sideways, left=not sideways,
        )  # fmt: skip
        if sideways:  # horizontal tick labels would overlap
            axes.tick_params(axis="x", labelrotation=90)


def _draw_margin(axes: "Axes", cells: DisplayCells, effect: NDArray[np.float64], sideways: bool) -> None:
    on_line, named = cells.on_line, ~cells.on_line
    if np.any(on_line):
        edges = np.append(cells.left[on_line], cells.right[on_line][-1:])
        turned: Literal["horizontal", "vertical"] = "horizontal" if sideways else "vertical"
        axes.stairs(effect[on_line], edges, baseline=None, orientation=turned, color=PALETTE[0], linewidth=1.4)
    if np.any(named):
        lines = axes.vlines if sideways else axes.hlines
        lines(effect[named], cells.left[named], cells.right[named], color=PALETTE[0], linewidth=1.8)


def _notes(cells: tuple[DisplayCells, DisplayCells], features: tuple[str, str]) -> list[str]:
    return [f"{name}: {part.note}" for part, name in zip(cells, features, strict=True) if part.note]
