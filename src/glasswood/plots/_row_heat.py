"""Row heat: rows across, features up; the colour shows what the feature added, and a curve above shows raw."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from glasswood.plots._style import (
    INK,
    MUTED,
    caption,
    colour_bar,
    diverging_colours,
    inches_of,
    new_axes,
    plain,
    shortened,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MAX_CHARS = 40  # of a name


def draw_row_heat(
    names: Sequence[str],
    values: NDArray[np.float64],
    raw: NDArray[np.float64],
    baseline: float,
    *,
    label: str,
    baseline_label: str,
    note: str = "",
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw (n_rows, n_features) values, rows from the smallest raw to the largest."""
    from mpl_toolkits.axes_grid1 import make_axes_locatable

    ax = new_axes(ax, (7.2, max(1.9 + 0.3 * max(len(names), 1), inches_of(label) + 0.6)))
    order = np.argsort(raw, kind="stable")
    # without the largest 1 %, which would leave all other cells pale
    reach = float(np.percentile(np.abs(values), 99)) if values.size else 0.0
    reach = reach or float(np.abs(values).max(initial=0.0)) or 1.0
    mesh = ax.pcolormesh(values[order].T[::-1], cmap=diverging_colours(), vmin=-reach, vmax=reach, rasterized=True)
    ax.set_yticks(np.arange(len(names)) + 0.5, [plain(shortened(name, _MAX_CHARS)) for name in reversed(names)])
    ax.tick_params(axis="y", length=0)
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.set_xlabel("rows, from the smallest raw to the largest", color=INK)
    divider = make_axes_locatable(ax)
    top = divider.append_axes("top", 0.55, pad=0.08, sharex=ax)
    top.plot(np.arange(len(raw)) + 0.5, raw[order], color=INK, linewidth=1)
    top.axhline(baseline, color=MUTED, linewidth=1, linestyle=":")
    top.spines[["top", "right", "bottom"]].set_visible(False)
    top.tick_params(labelbottom=False, bottom=False, labelsize="xx-small", colors=INK)
    top.set_ylabel("raw", fontsize="x-small", color=INK)
    colour_bar(ax, mesh, label, fraction=0.04, extend="both")
    caption(ax, f"dotted: {baseline_label}", note)
    return ax
