"""Bars: rankings as horizontal bars, and shares of a whole as one stacked bar."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from glasswood.plots._style import INK, MUTED, PALETTE, caption, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_bars(
    names: Sequence[str],
    length: NDArray[np.float64],
    *,
    xlabel: str,
    marks: NDArray[np.float64] | None = None,
    marks_label: str = "",
    most: int = 20,
    note: str = "",
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the longest bars, longest on top; `marks` adds a second number to each as a point on the same axis."""
    order = np.argsort(-np.nan_to_num(length, nan=-np.inf), kind="stable")[:most]
    ax = new_axes(ax, (6.0, 0.9 + 0.27 * max(len(order), 1)))
    places = np.arange(len(order))[::-1]
    ax.barh(places, length[order], height=0.66, color=PALETTE[0])
    if marks is not None:
        ax.plot(marks[order], places, "D", color=PALETTE[1], markersize=4.5, label=marks_label, zorder=3)
        # above the axes: among the bars it would look like one point more
        ax.legend(frameon=False, fontsize="small", loc="lower right", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.0)
    ax.set_yticks(places, [plain(names[k]) for k in order])
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel(plain(xlabel), color=INK)
    ax.set_xlim(left=0)
    caption(ax, f"the first {len(order)} of {len(names):,}" if len(names) > len(order) else "", note)
    return ax


def draw_shares(names: Sequence[str], shares: NDArray[np.float64], *, xlabel: str, ax: "Axes | None" = None) -> "Axes":
    """Draw parts of a whole side by side in one bar, each labelled with its share."""
    ax = new_axes(ax, (6.4, 1.7))
    colours = [*PALETTE[: len(names) - 1], MUTED]
    start = 0.0
    for name, share, colour in zip(names, shares.tolist(), colours, strict=True):
        width = max(share, 0.0)
        ax.barh(0, width, left=start, height=0.6, color=colour, label=plain(f"{name} {share:.1%}"))
        start += width
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)
    ax.set_xlim(0, max(start, 1.0))
    ax.xaxis.set_major_formatter(lambda x, _: f"{x:.0%}")
    ax.set_xlabel(plain(xlabel), color=INK)
    ax.legend(frameon=False, fontsize="small", ncols=len(names), loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return ax
