"""Dot scatter: what a feature adds in each row, against the value of the feature."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood.plots._dots import MISSING, RAMP, DotColumn
from glasswood.plots._style import INK, MUTED, PALETTE, caption, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_JITTER = 0.3
_MAX_LEVELS = 20


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DotScatter:
    """One feature, what it added, and optionally a second feature that colours the dots."""

    feature: str
    column: DotColumn
    added: NDArray[np.float64]
    partner: str | None = None
    partner_column: DotColumn | None = None
    ylabel: str = ""
    note: str = ""


def draw_dot_scatter(picture: DotScatter, *, ax: "Axes | None" = None) -> "Axes":
    """Draw a dot per row; missing values have a tick of their own, dots of a category are scattered a little."""
    ax = new_axes(ax, (6.4, 4.2))
    ax.axhline(0, color=MUTED, linewidth=1, zorder=0)
    x, tick = _places(picture.column)
    colours: Any = PALETTE[0]
    if picture.partner_column is not None:
        colours = _partner_colours(ax, picture)
    ax.scatter(x, picture.added, s=10, c=colours, linewidth=0, alpha=0.8, rasterized=True)
    _label(ax, picture.column, tick)
    ax.set_xlabel(plain(picture.feature), color=INK)
    ax.set_ylabel(plain(picture.ylabel), color=INK)
    caption(ax, picture.note)
    return ax


def _places(column: DotColumn) -> tuple[NDArray[np.float64], float | None]:
    """Positions of the dots, and the position of missing values if there are any."""
    x = column.values.copy()
    missing = np.isnan(x)
    finite = x[np.isfinite(x)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    tick = None
    if missing.any():
        tick = high + 1.0 if column.is_category else high + 0.12 * ((high - low) or 1.0)
        x[missing] = tick
    if column.is_category or missing.any():
        rows = np.arange(len(x)) * 0.6180339887498949 % 1.0 - 0.5  # scattered evenly, without randomness
        reach = _JITTER if column.is_category else 0.03 * ((high - low) or 1.0)
        x = np.where(missing | column.is_category, x + 2 * reach * rows, x)
    return x, tick


def _label(ax: "Axes", column: DotColumn, tick: float | None) -> None:
    if column.labels is not None:
        used = np.unique(column.values[~np.isnan(column.values)]).astype(int)[:_MAX_LEVELS]
        ticks, texts = used.astype(float).tolist(), [plain(column.labels[code]) for code in used]
    elif tick is None:
        return
    else:
        ticks = [float(t) for t in ax.get_xticks() if t < tick - 0.02 * abs(tick) and t >= ax.get_xlim()[0]]
        texts = [f"{t:g}" for t in ticks]
    if tick is not None:
        ticks, texts = [*ticks, tick], [*texts, "missing"]
    ax.set_xticks(ticks, texts)
    if column.labels is not None and max(map(len, texts), default=0) > 6:
        for label in ax.get_xticklabels():
            label.set(rotation=45, ha="right")


def _partner_colours(ax: "Axes", picture: DotScatter) -> Any:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize
    from matplotlib.lines import Line2D

    column = picture.partner_column
    assert column is not None and picture.partner is not None
    missing = np.isnan(column.values)
    handles = []
    if column.labels is not None:
        codes = np.unique(column.values[~missing]).astype(int)
        for code in codes[:_MAX_LEVELS]:
            colour = PALETTE[code % len(PALETTE)]
            handles.append(Line2D([], [], marker="o", linestyle="", color=colour, label=plain(column.labels[code])))
        colours = column.colours()
    else:
        known = column.values[~missing]
        low, high = np.percentile(known, [2, 98]) if len(known) else (0.0, 1.0)
        shade = ScalarMappable(Normalize(low, high if high > low else low + 1.0), RAMP)
        colours = shade.to_rgba(np.where(missing, low, column.values))
        bar = ax.figure.colorbar(shade, ax=ax, pad=0.02, fraction=0.05)
        bar.set_label(plain(picture.partner), color=INK)
        bar.outline.set_visible(False)
    if missing.any():
        from matplotlib.colors import to_rgba

        colours[missing] = to_rgba(MISSING)
        handles.append(Line2D([], [], marker="o", linestyle="", color=MISSING, label="missing"))
    if handles:
        ax.legend(handles=handles, title=plain(picture.partner), frameon=False, fontsize="small", loc="best")
    return colours
