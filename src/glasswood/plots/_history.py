"""History: a metric by round, one line per table, with the kept round marked."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from glasswood.plots._style import INK, LINE_STYLES, MUTED, PALETTE, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_history(
    curves: NDArray[np.float64],
    *,
    tables: tuple[str, ...],
    metric: str,
    best_round: int,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw curves (n_rounds, n_tables); rounds are counted from 1."""
    ax = new_axes(ax, (6.4, 3.8))
    rounds = np.arange(1, len(curves) + 1)
    for k, table in enumerate(tables):
        colour, style = PALETTE[k % len(PALETTE)], LINE_STYLES[k // len(PALETTE) % len(LINE_STYLES)]
        ax.plot(rounds, curves[:, k], color=colour, linestyle=style, linewidth=1.8, label=plain(table))
    if 0 < best_round < len(curves):
        ax.axvline(best_round, color=MUTED, linewidth=1.0, zorder=1)
        ax.annotate(f"kept: {best_round}", (best_round, 1.0), xycoords=("data", "axes fraction"), color=INK,
                    fontsize="small", ha="left", va="top")  # fmt: skip
    ax.set_xlabel("round", color=INK)
    ax.set_ylabel(plain(metric.replace("_", " ")), color=INK)
    if len(tables) > 1:
        ax.legend(frameon=False, fontsize="small")
    return ax
