"""Lines: the running sum of every row, from the baseline at the bottom to raw at the top."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from glasswood.plots._dots import RAMP
from glasswood.plots._style import INK, MUTED, caption, new_axes, plain, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MAX_CHARS = 40  # of a name


def draw_lines(
    names: Sequence[str],
    values: NDArray[np.float64],
    baseline: float,
    *,
    xlabel: str,
    note: str = "",
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw (n_rows, n_features) values as running sums, the first feature on top; the end of a row gives its colour."""
    from matplotlib import colormaps
    from matplotlib.collections import LineCollection

    ax = new_axes(ax, (7.2, 1.6 + 0.36 * max(len(names), 1)))
    upwards = values[:, ::-1]
    sums = baseline + np.concatenate([np.zeros((len(values), 1)), np.cumsum(upwards, axis=1)], axis=1)
    heights = np.arange(len(names) + 1, dtype=float)
    ends = sums[:, -1]
    low, high = float(ends.min(initial=baseline)), float(ends.max(initial=baseline))
    colours = colormaps[RAMP]((ends - low) / ((high - low) or 1.0))
    segments = [np.column_stack([line, heights]) for line in sums]
    ax.add_collection(LineCollection(segments, colors=colours, linewidths=0.9, alpha=0.7))
    ax.axvline(baseline, color=MUTED, linewidth=1, linestyle=":", zorder=0)
    reach = 0.04 * (float(np.ptp(sums)) or 1.0) if sums.size else 1.0
    ax.set_xlim(float(sums.min(initial=baseline)) - reach, float(sums.max(initial=baseline)) + reach)
    ax.set_ylim(0, len(names))
    ax.set_yticks(heights[:-1] + 0.5, [plain(shortened(name, _MAX_CHARS)) for name in reversed(names)])
    ax.set_yticks(heights, minor=True)
    ax.grid(axis="y", which="minor", color=MUTED, linewidth=0.4, alpha=0.6)
    ax.tick_params(axis="y", which="both", length=0)
    ax.spines["left"].set_visible(False)
    ax.set_xlabel(plain(xlabel), color=INK)
    caption(ax, note)
    return ax
