"""Curve: the effect of one feature as a step function, with the weight of its cells as bars below."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from glasswood._words import with_minus
from glasswood.plots._display_cells import DisplayCells
from glasswood.plots._style import INK, LINE_STYLES, MUTED, PALETTE, caption, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BAR_HEIGHT = 0.16  # of the axes
_BARS = 40  # on the number line


def draw_curve(
    cells: DisplayCells,
    effect: NDArray[np.float64],
    weight: NDArray[np.float64],
    *,
    feature: str,
    outputs: tuple[str, ...],
    ylabel: str,
    note: str = "",
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw effects (n_cells, n_outputs) over the cells of a feature.

    Intervals are steps; categories, missing and unseen are points; bars show the weight.
    """
    ax = new_axes(ax, (6.4, 3.8))
    shown, mass = cells.merge(effect, weight), cells.total(weight)
    ax.axhline(0, color=MUTED, linewidth=0.8, zorder=1)
    for k, output in enumerate(outputs):
        _draw_output(ax, cells, shown[:, k], k, plain(output))
    _draw_bars(ax, cells, mass)
    label_axis(ax, cells)
    ax.set_xlabel(plain(feature), color=INK)
    ax.set_ylabel(ylabel, color=INK)
    low, high = ax.get_ylim()
    # the lowest part is left for the bars
    ax.set_ylim(low - (high - low) * _BAR_HEIGHT * 1.35, high)
    if len(outputs) > 1:
        ax.legend(frameon=False, fontsize="small", ncols=min(len(outputs), 4), loc="best")
    caption(ax, "; ".join(part for part in (note, cells.note) if part))
    return ax


def _draw_output(ax: "Axes", cells: DisplayCells, effect: NDArray[np.float64], k: int, output: str) -> None:
    colour, style = PALETTE[k % len(PALETTE)], LINE_STYLES[k // len(PALETTE) % len(LINE_STYLES)]
    on_line = cells.on_line
    if np.any(on_line):
        edges = np.append(cells.left[on_line], cells.right[on_line][-1:])
        ax.stairs(
            effect[on_line], edges, baseline=None, color=colour, linestyle=style, linewidth=1.8, label=output, zorder=3
        )
    named = ~on_line
    if np.any(named):
        middle = (cells.left[named] + cells.right[named]) / 2
        label = None if np.any(on_line) else output
        ax.plot(middle, effect[named], "os^Dv"[k % 5], color=colour, markersize=6, label=label, zorder=3)


def _draw_bars(ax: "Axes", cells: DisplayCells, mass: NDArray[np.float64]) -> None:
    """Weight as bars of equal width on the number line, and one bar per named cell, on one scale."""
    starts, tall, wide = weight_bars(cells, mass)
    if tall.size and tall.max() > 0:
        ax.bar(
            starts,
            tall / tall.max() * _BAR_HEIGHT,
            wide,
            align="edge",
            transform=ax.get_xaxis_transform(),
            color=MUTED,
            edgecolor="white",
            linewidth=0.4,
            zorder=2,
        )


def weight_bars(
    cells: DisplayCells, mass: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Start, weight and width of the bars: bars of equal width on the number line, one per named cell.

    The weight of a cell is spread evenly over its width. One bar per cell would show only spikes, because thresholds
    may be close together.
    """
    on_line = cells.on_line
    edges, heights, widths = _histogram(cells.left[on_line], cells.right[on_line], mass[on_line])
    starts = np.concatenate([edges, cells.left[~on_line]])
    tall = np.concatenate([heights, mass[~on_line]])
    return starts, tall, np.concatenate([widths, (cells.right - cells.left)[~on_line]])


def _histogram(
    left: NDArray[np.float64], right: NDArray[np.float64], mass: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    if len(left) <= 1:
        return left, mass, right - left
    grid = np.linspace(left[0], right[-1], _BARS + 1)
    ends = np.append(left, right[-1])
    below = np.interp(grid, ends, np.concatenate([[0.0], np.cumsum(mass)]))
    return grid[:-1], np.diff(below), np.diff(grid)


def label_axis(ax: "Axes", cells: DisplayCells, *, upright: bool = False) -> None:
    """Name categories, "missing" and "unseen" at their positions; show numbers only on the number line.

    `upright`: label the vertical axis.
    """
    axis, set_limits = (ax.yaxis, ax.set_ylim) if upright else (ax.xaxis, ax.set_xlim)
    reach = 0.01 * (cells.right.max() - cells.left.min()) if cells.n_shown and not upright else 0.0
    set_limits(cells.left.min() - reach, cells.right.max() + reach)
    named = np.flatnonzero(~cells.on_line)
    middle = (cells.left[named] + cells.right[named]) / 2
    texts = [_short(cells.labels[k] or "") for k in named]
    if len(named) == cells.n_shown:
        step = max(1, len(named) // 40)
        axis.set_ticks(middle[::step], texts[::step])
        if sum(map(len, texts)) > 60 and not upright:
            for tick in ax.get_xticklabels():
                tick.set(rotation=45, ha="right")
        return
    if not cells.is_even and not len(named):
        return
    if cells.is_even:
        numbers, shown = cells.ticks()
    else:
        line_end = cells.right[cells.on_line][-1]
        numbers = np.array([tick for tick in axis.get_ticklocs() if cells.left[0] <= tick <= line_end])
        shown = [f"{tick:g}" for tick in numbers]
    shown = [with_minus(text) for text in shown]
    axis.set_ticks([*numbers, *middle], [*shown, *texts])
    for tick in () if upright else ax.get_xticklabels()[len(numbers) :]:
        tick.set_rotation(90)


def _short(text: str, most: int = 18) -> str:
    return plain(text if len(text) <= most else text[: most - 1] + "…")
