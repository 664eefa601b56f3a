"""Rules: what each predicts inside and outside, and what each adds for one row."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from glasswood.plots._style import INK, MUTED, PALETTE, caption, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_rules(
    names: Sequence[str],
    inside: NDArray[np.float64],
    outside: NDArray[np.float64],
    share: NDArray[np.float64],
    *,
    mean: float,
    xlabel: str,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw each rule as a line from its output outside to its output inside; a larger dot means more rows."""
    ax = new_axes(ax, (7.0, 1.1 + 0.3 * max(len(names), 1)))
    places = np.arange(len(names))[::-1]
    ax.axvline(mean, color=MUTED, linewidth=1, zorder=0)
    ax.hlines(places, outside, inside, color=MUTED, linewidth=2, zorder=1)
    ax.scatter(outside, places, s=16 + 120 * (1 - share), color=MUTED, edgecolor=INK, linewidth=0.5, label="else")
    ax.scatter(inside, places, s=16 + 120 * share, color=PALETTE[1], zorder=3, label="then")
    ax.set_yticks(places, [plain(name) for name in names])
    ax.set_ylim(-0.7, len(names) - 0.3)
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel(plain(xlabel), color=INK)
    if len(names):
        ax.legend(frameon=False, fontsize="small", ncols=2, loc="lower right", bbox_to_anchor=(1.0, 1.0))
    caption(ax, f"grey line: all rows ({mean:.3g}); the size of a dot is its share of the rows")
    return ax


def draw_parts(
    names: Sequence[str],
    added: NDArray[np.float64],
    fired: NDArray[np.bool_],
    *,
    start: float,
    xlabel: str,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the parts of one prediction as bars from zero; those of rules that do not hold are pale."""
    ax = new_axes(ax, (7.0, 1.1 + 0.3 * max(len(names), 1)))
    places = np.arange(len(names))[::-1]
    colours = [PALETTE[1] if part > 0 else PALETTE[0] for part in added.tolist()]
    for place, part, colour, inside in zip(places.tolist(), added.tolist(), colours, fired.tolist(), strict=True):
        ax.barh(place, part, height=0.66, color=colour, alpha=1.0 if inside else 0.35)
    ax.axvline(0, color=INK, linewidth=0.8)
    ax.set_yticks(places, [plain(name) for name in names])
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel(plain(xlabel), color=INK)
    ax.locator_params(axis="x", nbins=6)
    caption(ax, f"prediction {start + float(added.sum()):.4g}; pale: the rule did not fire")
    return ax
