"""Error and stability of rules along p0."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from glasswood.plots._style import INK, MUTED, PALETTE, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_rule_cv(
    p0: NDArray[np.float64],
    error: NDArray[np.float64],
    error_se: NDArray[np.float64],
    stability: NDArray[np.float64],
    *,
    marks: Mapping[str, float],
    measure: str,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the error with two standard errors on the left axis, stability on the right, and a line at each mark."""
    ax = new_axes(ax, (6.4, 3.8))
    ax.fill_between(p0, error - 2 * error_se, error + 2 * error_se, color=PALETTE[0], alpha=0.2, linewidth=0)
    ax.plot(p0, error, color=PALETTE[0], linewidth=1.8)
    ax.set_xscale("log")
    _plain_log_ticks(ax)
    ax.set_xlabel("p0: share of trees a path must be in", color=INK)
    ax.set_ylabel(measure, color=PALETTE[0])
    right = ax.twinx()
    right.spines["top"].set_visible(False)
    right.plot(p0, stability, color=PALETTE[1], linewidth=1.8, linestyle="--")
    right.set_ylim(0, 1)
    right.set_ylabel("stability", color=PALETTE[1])
    for place, (name, value) in enumerate(marks.items()):
        ax.axvline(value, color=MUTED, linewidth=1, zorder=0)
        text = f"{name} = {value:.3g}"
        ax.annotate(
            text,
            (value, 0.03 + 0.07 * place),
            (4, 0),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            fontsize="small",
            color=INK,
        )
    return ax


def _plain_log_ticks(ax: "Axes") -> None:
    from matplotlib.ticker import FormatStrFormatter, LogLocator, NullFormatter

    ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    ax.xaxis.set_major_formatter(FormatStrFormatter("%g"))
    ax.xaxis.set_minor_formatter(NullFormatter())
