"""Heat map: a table over two features on its real, non-uniform cells, with the one-feature effects in the margins."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood.plots._cells import DisplayCells, merge_pair, total_pair
from glasswood.plots._curve import label_axis
from glasswood.plots._style import INK, MUTED, PALETTE, caption, diverging_colours, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_heat(
    cells: tuple[DisplayCells, DisplayCells],
    table: NDArray[np.float64],
    weight: NDArray[np.float64],
    margins: tuple[NDArray[np.float64], NDArray[np.float64]] | None,
    *,
    features: tuple[str, str],
    label: str,
    note: str = "",
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw a table (n_cells_0, n_cells_1); feature 0 lies on the horizontal axis."""
    ax = new_axes(ax, (6.2, 5.2))
    across, up = cells
    shown = merge_pair(across, up, table, weight)
    reach = _reach(shown, total_pair(across, up, weight))
    mesh = _draw_mesh(ax, across, up, shown, reach or 1.0)
    label_axis(ax, across)
    _label_up(ax, up)
    ax.set_xlabel(plain(features[0]), color=INK)
    ax.set_ylabel(plain(features[1]), color=INK)
    if margins is not None:
        _draw_margins(ax, across, up, margins, weight)
    bar = ax.figure.colorbar(mesh, ax=ax, pad=0.02, fraction=0.05)
    bar.set_label(label, color=INK)
    bar.outline.set_visible(False)
    caption(ax, "; ".join(part for part in (note, _note(across, up)) if part))
    return ax


def _reach(shown: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
    """The number that gets the full colour: the largest where there is weight, for elsewhere nobody was."""
    for cells in (np.isfinite(shown) & (weight > 0), np.isfinite(shown)):
        if cells.any():
            return float(np.abs(shown[cells]).max())
    return 0.0


def _draw_mesh(ax: "Axes", across: DisplayCells, up: DisplayCells, shown: NDArray[np.float64], reach: float) -> Any:
    """Cells touch on the number line and stand apart where they are named, so blocks are drawn between real edges."""
    edges_x, index_x = _edges(across)
    edges_y, index_y = _edges(up)
    padded = np.full((len(edges_x) - 1, len(edges_y) - 1), np.nan)
    padded[np.ix_(index_x, index_y)] = shown
    return ax.pcolormesh(
        edges_x, edges_y, padded.T, cmap=diverging_colours(), vmin=-reach, vmax=reach, rasterized=True, linewidth=0
    )


def _edges(cells: DisplayCells) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Increasing edges with a gap before every named cell, and the block of each drawn cell."""
    edges, index = [float(cells.left[0])], []
    for left, right in zip(cells.left.tolist(), cells.right.tolist(), strict=True):
        if left > edges[-1]:
            edges.append(left)
        index.append(len(edges) - 1)
        edges.append(max(right, np.nextafter(edges[-1], np.inf)))
    return np.array(edges), np.array(index, dtype=np.int64)


def _label_up(ax: "Axes", cells: DisplayCells) -> None:
    named = np.flatnonzero(~cells.on_line)
    ax.set_ylim(cells.left.min(), cells.right.max())
    if not len(named):
        return
    middle = (cells.left[named] + cells.right[named]) / 2
    numbers = []
    if len(named) < cells.n_shown:
        line_end = cells.right[cells.on_line][-1]
        numbers = [tick for tick in ax.get_yticks() if cells.left[0] <= tick <= line_end]
    ax.set_yticks(
        [*numbers, *middle], [*(f"{tick:g}" for tick in numbers), *(plain(cells.labels[k] or "") for k in named)]
    )


def _draw_margins(
    ax: "Axes",
    across: DisplayCells,
    up: DisplayCells,
    margins: tuple[NDArray[np.float64], NDArray[np.float64]],
    weight: NDArray[np.float64],
) -> None:
    """The effect of each feature alone, above and to the right."""
    from mpl_toolkits.axes_grid1 import make_axes_locatable

    divider = make_axes_locatable(ax)
    top = divider.append_axes("top", 0.55, pad=0.08, sharex=ax)
    side = divider.append_axes("right", 0.55, pad=0.08, sharey=ax)
    for axes, cells, effect, mass, sideways in (
        (top, across, margins[0], weight.sum(axis=1), False),
        (side, up, margins[1], weight.sum(axis=0), True),
    ):
        shown = cells.merge(effect, mass)
        for left, right, height in zip(cells.left, cells.right, shown, strict=True):
            line = ([left, right], [height, height])
            axes.plot(*(line[::-1] if sideways else line), color=PALETTE[0], linewidth=1.6, solid_capstyle="butt")
        (axes.axvline if sideways else axes.axhline)(0, color=MUTED, linewidth=0.8, zorder=0)
        axes.spines[["top", "right", "bottom", "left"]].set_visible(False)
        axes.tick_params(
            labelbottom=sideways, labelleft=not sideways, labelsize="x-small", length=2, colors=INK,
            bottom=sideways, left=not sideways,
        )  # fmt: skip


def _note(across: DisplayCells, up: DisplayCells) -> str:
    if not across.note and not up.note:
        return ""
    return f"{across.n_cells:,} × {up.n_cells:,} cells drawn as {across.n_shown:,} × {up.n_shown:,}"
