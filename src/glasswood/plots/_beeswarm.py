"""Beeswarm: one line per feature, one dot per row, coloured by the value of the feature."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from glasswood.plots._dots import MISSING_MARKER, ROUND, DotColumn, rank_bar, spread_rows
from glasswood.plots._style import INK, MUTED, PALETTE_WORDS, caption, new_axes, plain, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAX_DOTS = 2_000  # of one feature
_BINS = 120
_SIZE = 7
_MAX_CHARS = 40  # of a name
_HEIGHT = 0.4  # half of a feature's line
_MAX_LEVEL_CHARS = 20  # of a level, and of the name before its levels
_LINE_CHARS = 110
_MAX_LINES = 3  # of levels


def draw_beeswarm(
    names: Sequence[str],
    values: NDArray[np.float64],
    columns: Sequence[DotColumn | None],
    *,
    n_rows: int,
    n_features: int,
    xlabel: str,
    note: str = "",
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw (n_dots, n_drawn) values of n_rows rows and n_features features, the first feature on top."""
    ax = new_axes(ax, (7.2, max(1.4 + 0.42 * len(names), 2.8)))
    ax.axvline(0, color=MUTED, linewidth=1, zorder=0)
    places = np.arange(len(names))[::-1]
    low, high = float(values.min(initial=0.0)), float(values.max(initial=0.0))
    for j, place in enumerate(places.tolist()):
        column = columns[j]
        offset = _offsets(values[:, j], low, high)
        heights = place + _HEIGHT * offset
        if column is None:
            ax.scatter(values[:, j], heights, s=_SIZE, c=MUTED, linewidth=0, rasterized=True)
            continue
        colours = column.colours()
        for marker, rows in column.markers():
            size = _SIZE if marker == ROUND else 1.3 * _SIZE
            ax.scatter(
                values[rows, j], heights[rows], s=size, c=colours[rows], marker=marker, linewidth=0, rasterized=True
            )
    ax.set_yticks(places, [plain(shortened(name, _MAX_CHARS)) for name in names])
    ax.set_ylim(-0.7, len(names) - 0.3)
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel(plain(xlabel), color=INK)
    drawn = [column for column in columns if column is not None]
    if any(not column.is_category for column in drawn):
        rank_bar(ax, "value of the feature")
    caption(ax, note, *_notes(drawn, len(values), n_rows, len(names), n_features), *_levels(names, columns))
    return ax


def _offsets(values: NDArray[np.float64], low: float, high: float) -> NDArray[np.float64]:
    """Heights from −1 to 1; dots that would overlap are placed alternately above and below the line."""
    out = np.zeros(len(values))
    if not len(values) or high <= low:
        return out
    bins = np.minimum(((values - low) / (high - low) * _BINS).astype(int), _BINS - 1)
    order = np.argsort(bins, kind="stable")
    count = np.bincount(bins, minlength=_BINS)
    rank = np.empty(len(values), dtype=int)
    rank[order] = np.arange(len(values)) - np.repeat(np.cumsum(count) - count, count)
    step = (rank + 1) // 2 * np.where(rank % 2, 1, -1)
    return step / max(8.0, float(count.max()) / 2)


def _notes(drawn: list[DotColumn], n_dots: int, n_rows: int, n_names: int, n_features: int) -> list[str]:
    parts = []
    if any(np.isnan(column.values).any() for column in drawn):
        parts.append("grey cross: missing")
    if any(column.is_category for column in drawn):
        shapes = {marker for column in drawn for marker, _ in column.markers()} - {MISSING_MARKER}
        parts.append("a colour for each category" if shapes <= {ROUND} else "a colour and shape for each category")
    if n_dots < n_rows:
        parts.append(f"{n_dots:,} of {n_rows:,} rows, evenly spread")
    if n_names < n_features:
        parts.append(f"the first {n_names} of {n_features:,} features")
    return ["; ".join(parts)] if parts else []


def _levels(names: Sequence[str], columns: Sequence[DotColumn | None]) -> list[str]:
    """Lines that say which colour is which level, for categories whose levels differ in colour alone."""
    lines: list[str] = []
    for name, column in zip(names, columns, strict=True):
        if column is None or not column.is_category:
            continue
        labels = [look.label for look in column.looks()[0]]
        if not 0 < len(labels) <= len(PALETTE_WORDS):
            continue
        named = [
            f"{word} {shortened(label, _MAX_LEVEL_CHARS)}" for word, label in zip(PALETTE_WORDS, labels, strict=False)
        ]
        text = f"{shortened(name, _MAX_LEVEL_CHARS)}: {', '.join(named)}"
        if lines and len(lines[-1]) + len(text) < _LINE_CHARS:
            lines[-1] += f"; {text}"
        elif len(lines) < _MAX_LINES:
            lines.append(text)
    return lines


def dots_of(n_rows: int) -> NDArray[np.int64]:
    """Numbers of the rows that are drawn."""
    return spread_rows(n_rows, MAX_DOTS)
