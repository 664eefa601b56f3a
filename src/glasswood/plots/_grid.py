"""Grid: a table over two lists of numbers as a heat map with its values, and children as densities."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood.plots._style import INK, MUTED, PALETTE, new_axes, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_grid(
    table: NDArray[np.float64],
    rows: NDArray[np.float64],
    columns: NDArray[np.float64],
    *,
    across: str,
    up: str,
    label: str,
    title: str,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw a table (n_rows, n_columns) of values of at least 0; dark is large, on a log scale if the range is large."""
    from matplotlib.colors import LogNorm, Normalize

    ax = new_axes(ax, (6.4, 4.2))
    least, most = float(table.min(initial=np.inf)), float(table.max(initial=0.0))
    shade = LogNorm(least, most) if 0 < 1000 * least < most else Normalize(0.0, most or 1.0)
    mesh = ax.pcolormesh(table, cmap="Blues", norm=shade, edgecolors="white", linewidth=1.0)
    dark = shade(table) > 0.6
    for (i, j), value in np.ndenumerate(table):
        colour = "white" if dark[i, j] else INK
        ax.text(j + 0.5, i + 0.5, f"{value:.3g}", color=colour, fontsize="x-small", ha="center", va="center")
    ax.set_xticks(np.arange(len(columns)) + 0.5, [f"{value:g}" for value in columns])
    ax.set_yticks(np.arange(len(rows)) + 0.5, [f"{value:g}" for value in rows])
    ax.set_xlabel(across, color=INK)
    ax.set_ylabel(up, color=INK)
    ax.set_title(title, color=INK, fontsize="medium")
    bar = ax.figure.colorbar(mesh, ax=ax, pad=0.02, fraction=0.05)
    bar.set_label(label, color=INK)
    bar.outline.set_visible(False)
    return ax


def draw_children(
    spread: NDArray[np.float64],
    sd: NDArray[np.float64],
    n: int,
    texts: Sequence[Sequence[str]],
    *,
    axes: Any = None,
) -> NDArray[Any]:
    """Draw the densities of two children with means ∓spread for every spread (down) and sd (across)."""
    if axes is None:
        figure = new_figure((2.8 * len(sd), 2.4 * len(spread)))
        axes = figure.subplots(len(spread), len(sd), squeeze=False, sharex="col")
        figure.suptitle(f"two children of {n:,} rows each", color=INK)
    panels = np.asarray(axes).reshape(len(spread), len(sd))
    for (i, j), ax in np.ndenumerate(panels):
        reach = 3 * float(sd[j]) + float(spread.max())  # panels of one sd have the same scale
        x = np.linspace(-reach, reach, 401)
        for mean, colour in ((-spread[i], PALETTE[0]), (spread[i], PALETTE[1])):
            density = np.exp(-(((x - mean) / sd[j]) ** 2) / 2)
            ax.fill_between(x, density, color=colour, alpha=0.35, linewidth=0)
            ax.axvline(mean, color=colour, linewidth=1.0)
        ax.axhline(0, color=MUTED, linewidth=0.8)
        ax.set_title(f"spread {spread[i]:g}, sd {sd[j]:g}", fontsize="x-small", color=INK)
        ax.set_xlabel(texts[i][j], fontsize="x-small", color=INK)
        ax.set_yticks([])
        ax.spines[["top", "right", "left"]].set_visible(False)
    return panels
