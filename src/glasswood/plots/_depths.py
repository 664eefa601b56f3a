"""Impurity and score of a tree by depth; depth increases downwards, as in a drawn tree."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from glasswood.plots._style import INK, MUTED, PALETTE, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_depths(
    impurity: NDArray[np.float64],
    score: NDArray[np.float64],
    criterion: str,
    score_name: str,
    *,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw impurity against depth, with the score beside each point."""
    n = len(impurity)
    ax = new_axes(ax, (5.0, 1.2 + 0.42 * n))
    depth = np.arange(n)
    ax.plot(impurity, depth, color=PALETTE[0], marker="o", markersize=5, linewidth=1.8, clip_on=False, zorder=3)
    shown = {"accuracy": "accuracy", "r2": "R²"}[score_name]
    for d in depth:
        text = f"{shown} {score[d]:.3g}" if d == 0 else f"{score[d]:.3g}"
        ax.annotate(
            text, (impurity[d], d), (8, 0), textcoords="offset points", va="center", fontsize="small", color=INK
        )
    ax.set_ylim(n - 0.5, -0.5)
    ax.set_yticks(depth)
    ax.set_xlim(0, max(float(impurity.max()) * 1.25, 1e-12))
    ax.set_xlabel({"gini": "Gini impurity", "entropy": "entropy (bits)"}.get(criterion, "mean squared error"))
    ax.set_ylabel("depth")
    ax.grid(axis="y", color=MUTED, linewidth=0.5, alpha=0.6)
    return ax
