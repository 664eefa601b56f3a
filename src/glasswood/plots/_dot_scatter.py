"""Dot scatter: what a feature adds in each row, against the value of the feature."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood._words import with_minus
from glasswood.plots._dots import MISSING, MISSING_MARKER, RAMP, ROUND, DotColumn
from glasswood.plots._style import INK, MUTED, PALETTE, caption, colour_bar, new_axes, plain, shortened
from glasswood.tables import date_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIZE = 10
_JITTER = 0.3
_MAX_LEVELS = 30  # that have a place of their own on the axis
_FEW_LEVELS = 15  # names of up to this many levels are written at 45 degrees, more at 90
_FEW_IN_LEGEND = 6
_LEGEND_CHARS = 70  # in a line above the axes
_MAX_CHARS = 28  # of a name
_MAX_LABEL = 48  # letters beside an axis of 4.2 inches


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
    partner = picture.partner_column
    crowded = partner is not None and partner.is_category and len(partner.looks()[0]) >= _FEW_IN_LEGEND
    ax = new_axes(ax, (8.4, 4.8) if crowded else (6.4, 4.2))
    ax.axhline(0, color=MUTED, linewidth=1, zorder=0)
    column = picture.column.with_few_levels(_MAX_LEVELS)
    x, tick = _places(column)
    if partner is None:
        ax.scatter(x, picture.added, s=_SIZE, c=PALETTE[0], linewidth=0, alpha=0.8, rasterized=True)
    else:
        colours = _partner_colours(ax, partner, picture.partner or "")
        for marker, rows in partner.markers():
            size = _SIZE if marker == ROUND else 1.6 * _SIZE
            ax.scatter(
                x[rows], picture.added[rows], s=size, c=colours[rows], marker=marker, linewidth=0, alpha=0.8,
                rasterized=True,
            )  # fmt: skip
    if column.is_whole:
        from matplotlib.ticker import MaxNLocator

        ax.xaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10], integer=True))
    _label(ax, column, tick)
    ax.set_xlabel(plain(shortened(picture.feature, _MAX_LABEL)), color=INK)
    ax.set_ylabel(plain(shortened(picture.ylabel, _MAX_LABEL)), color=INK)
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
    """Name levels and missing values on the axis."""
    if column.labels is not None:
        ticks: list[float] = np.arange(len(column.labels), dtype=float).tolist()
        texts = [plain(shortened(label, _MAX_CHARS)) for label in column.labels]
    elif column.is_date:
        low, high = ax.get_xlim()
        pairs = date_ticks(low, min(high, _largest(column)))
        ticks, texts = [place for place, _ in pairs], [text for _, text in pairs]
    elif tick is None:
        return
    else:
        low = ax.get_xlim()[0]
        ticks = [float(t) for t in ax.get_xticks() if low <= t <= _largest(column)]
        texts = [with_minus(f"{t:g}") for t in ticks]
    if tick is not None:
        ticks, texts = [*ticks, tick], [*texts, "missing"]
    ax.set_xticks(ticks, texts)
    few = len(texts) <= _FEW_LEVELS
    if column.labels is not None and (not few or max(map(len, texts), default=0) > 6):
        for label in ax.get_xticklabels():
            label.set(rotation=45 if few else 90, ha="right" if few else "center")


def _largest(column: DotColumn) -> float:
    finite = column.values[np.isfinite(column.values)]
    return float(finite.max()) if len(finite) else -np.inf


def _partner_colours(ax: "Axes", column: DotColumn, name: str) -> Any:
    """Colour of each row, explained by a bar or a legend."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize, to_rgba
    from matplotlib.lines import Line2D
    from matplotlib.ticker import MaxNLocator

    missing = np.isnan(column.values)
    handles = []
    if column.is_category:
        colours = column.colours()
        for look in column.looks()[0]:
            text = plain(shortened(look.label, _MAX_CHARS))
            handles.append(Line2D([], [], marker=look.marker, linestyle="", color=look.colour, label=text))
    else:
        known = column.values[np.isfinite(column.values)]
        low, high = np.percentile(known, [2, 98]) if len(known) else (0.0, 1.0)
        shade = ScalarMappable(Normalize(low, high if high > low else low + 1.0), RAMP)
        colours = shade.to_rgba(np.where(missing, low, column.values))
        ticks = MaxNLocator(7, integer=column.is_whole)
        bar = colour_bar(ax, shade, shortened(name, _MAX_LABEL), fraction=0.05, ticks=ticks)
        if column.is_date:
            pairs = date_ticks(*shade.get_clim())
            bar.set_ticks([place for place, _ in pairs], labels=[text for _, text in pairs])
        colours[missing] = to_rgba(MISSING)
    if missing.any():
        handles.append(Line2D([], [], marker=MISSING_MARKER, linestyle="", color=MISSING, label="missing"))
    if len(handles) <= _FEW_IN_LEGEND:
        # above the axes, because no corner is free of dots
        widest = max((len(str(handle.get_label())) for handle in handles), default=0)
        columns = max(1, min(len(handles), _LEGEND_CHARS // (widest + 4)))
        place: dict[str, Any] = {
            "loc": "lower left",
            "bbox_to_anchor": (0.0, 1.01),
            "borderaxespad": 0.0,
            "ncols": columns,
        }
    else:  # more would hide the dots
        place = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0), "borderaxespad": 0.0, "labelspacing": 0.25}
    if handles:
        ax.legend(handles=handles, title=plain(shortened(name, _MAX_LABEL)), frameon=False, fontsize="small", **place)
    return colours
