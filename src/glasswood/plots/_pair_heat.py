"""Pair heat: a table of features by features; the darker a cell, the stronger the interaction of the pair."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from glasswood.plots._style import INK, caption, colour_bar, inches_of, new_axes, plain, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_RAMP = "Blues"
_MAX_CHARS = 32  # of a name
_MAX_WRITTEN = 12  # features for which numbers fit into the cells
_LEAST_WRITTEN = 0.01  # of the largest; smaller numbers need more digits than fit into a cell


def draw_pair_heat(
    names: Sequence[str], table: NDArray[np.float64], *, label: str, note: str = "", ax: "Axes | None" = None
) -> "Axes":
    """Draw a symmetric table (n, n): the lower triangle and the diagonal."""
    n = len(names)
    note_width = max((inches_of(line, 7) for line in note.splitlines()), default=0.0)
    ax = new_axes(ax, (max(2.6 + 0.42 * n, note_width + 1.0), max(1.8 + 0.38 * n, inches_of(label) + 1.0)))
    shown = np.where(np.tri(n, dtype=bool), table, np.nan)
    mesh = ax.pcolormesh(shown[::-1], cmap=_RAMP, vmin=0, vmax=float(np.nanmax(shown, initial=0.0)) or 1.0)
    middle = np.arange(n) + 0.5
    ax.set_xticks(middle, [plain(shortened(name, _MAX_CHARS)) for name in names], rotation=45, ha="right")
    ax.set_yticks(middle, [plain(shortened(name, _MAX_CHARS)) for name in reversed(names)])
    ax.tick_params(length=0)
    ax.spines[["left", "bottom"]].set_visible(False)
    if n <= _MAX_WRITTEN:
        most = float(np.nanmax(shown, initial=0.0))
        for i in range(n):
            for j in range(i + 1):
                if abs(shown[i, j]) < _LEAST_WRITTEN * most:
                    continue
                dark = shown[i, j] > 0.55 * most
                text = f"{shown[i, j]:.2g}"
                ax.text(j + 0.5, n - i - 0.5, text, ha="center", va="center", fontsize="x-small",
                        color="white" if dark else INK)  # fmt: skip
    colour_bar(ax, mesh, label, fraction=0.04)
    caption(ax, note)
    return ax
