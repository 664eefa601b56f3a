"""DisplayCells: the cells of a feature as positions on an axis; they are merged only if there are too many to draw."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import check_choice

_MARGIN = 0.06  # smallest width of the open first and last cell, as a share of the range
_SMALL_MARGIN = 0.02  # the same if the rows say how far the axis goes
_AXES = ("auto", "linear", "cells")
_CROWDED = 0.25  # a normal distribution cut at its quantiles has about 0.5, a log-normal one 0.17
_FEW = 8  # so few thresholds are readable on any axis
_SLOT = 0.075  # width of the slot for "missing" or "unseen" beside the numbers, as a share of the range


@dataclass(frozen=True, slots=True, eq=False)
class DisplayCells:
    """Left and right end of every drawn cell, the cells of the table it represents, and its label if it has one."""

    left: NDArray[np.float64]  # (n_shown,)
    right: NDArray[np.float64]  # (n_shown,)
    owner: NDArray[np.int64]  # (n_cells,) the drawn cell that each cell of the table belongs to
    labels: tuple[str | None, ...]  # (n_shown,) None on the number line
    n_cells: int
    edges: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))  # thresholds between the drawn intervals
    is_even: bool = False  # intervals are drawn with equal widths instead of to scale

    @property
    def n_shown(self) -> int:
        """Number of drawn cells."""
        return len(self.left)

    @property
    def on_line(self) -> NDArray[np.bool_]:
        """Which drawn cells are on the number line."""
        return np.array([label is None for label in self.labels], dtype=bool)

    @property
    def note(self) -> str:
        """A remark for the caption; empty if there is none."""
        parts = [f"{self.n_cells:,} cells drawn as {self.n_shown:,}"] if self.n_shown < self.n_cells else []
        return "; ".join([*parts, "cells equally wide, not to scale"] if self.is_even else parts)

    def ticks(self, most: int = 6) -> tuple[NDArray[np.float64], list[str]]:
        """Some thresholds for an axis of cells with equal widths: their positions and texts."""
        n = len(self.edges)
        at = np.unique(np.round(np.linspace(0, n - 1, min(most, n))).astype(np.int64))
        for digits in range(3, 18):
            texts = [f"{edge:.{digits}g}" for edge in self.edges[at]]
            if len(set(texts)) == len(texts):
                break
        return self.right[at], texts

    def merge(self, values: NDArray[np.float64], weight: NDArray[np.float64]) -> NDArray[np.float64]:
        """Weighted mean of (n_cells, …) values per drawn cell; plain mean without weight; NaN is ignored."""
        flat = values.reshape(self.n_cells, -1)
        known = ~np.isnan(flat)
        mass = np.where(known, weight.reshape(-1, 1), 0.0)
        empty = self._sum(mass) <= 0
        mass = np.where(empty[self.owner], known.astype(float), mass)
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = self._sum(mass * np.where(known, flat, 0.0)) / self._sum(mass)
        return mean.reshape(self.n_shown, *values.shape[1:])

    def total(self, weight: NDArray[np.float64]) -> NDArray[np.float64]:
        """Weight per drawn cell."""
        return self._sum(weight.reshape(-1, 1))[:, 0]

    def _sum(self, flat: NDArray[np.float64]) -> NDArray[np.float64]:
        out = np.zeros((self.n_shown, flat.shape[1]))
        np.add.at(out, self.owner, flat)
        return out


def display_cells(
    upper: NDArray[np.float64],
    labels: tuple[str | None, ...],
    *,
    axis: str = "auto",
    most: int = 300,
    reach: tuple[float, float] | None = None,
) -> DisplayCells:
    """Place the cells of one feature on an axis.

    Parameters
    ----------
    upper : (n_cells,)
        Upper end of each interval, +inf for the last; ignored if there is a label.
    labels : (n_cells,)
        Text of a category, "missing" or "unseen"; None for an interval. Intervals come first, in order.
    axis : {"auto", "linear", "cells"}
        To scale; all cells with equal width; or to scale unless most cells would be too narrow to see.
    most : int
        If there are more intervals, neighbours are merged for display.
    reach : tuple of float, optional
        How far the open first and last cells are drawn if that is beyond all thresholds; by default a little further.
    """
    check_choice("axis", axis, _AXES)
    n_cells = len(labels)
    is_interval = np.array([label is None for label in labels], dtype=bool)
    intervals = np.flatnonzero(is_interval)
    edges = upper[intervals[:-1]]
    owner = np.zeros(n_cells, dtype=np.int64)
    if len(intervals) > most:
        owner[intervals] = np.arange(len(intervals)) * most // len(intervals)
        last = np.flatnonzero(np.diff(owner[intervals], append=-1) != 0)[:-1]
        edges = edges[last]
    else:
        owner[intervals] = np.arange(len(intervals))
    is_even = len(intervals) > 1 and (axis == "cells" or (axis == "auto" and _is_crowded(edges)))
    left, right = (np.zeros(0), np.zeros(0)) if not len(intervals) else _even(edges) if is_even else _line(edges, reach)
    named = np.flatnonzero(~is_interval)
    owner[named] = len(left) + np.arange(len(named))
    starts, width = _slots(right, len(named))
    return DisplayCells(
        left=np.concatenate([left, starts]),
        right=np.concatenate([right, starts + width]),
        owner=owner,
        labels=(*(None,) * len(left), *(labels[k] for k in named)),
        n_cells=n_cells,
        edges=edges,
        is_even=is_even,
    )


def total_pair(across: DisplayCells, up: DisplayCells, weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weight per drawn cell of the product of two features."""
    owner = across.owner[:, None] * up.n_shown + up.owner[None, :]
    size = across.n_shown * up.n_shown
    summed = np.bincount(owner.ravel(), weight.ravel(), minlength=size)
    return np.asarray(summed, dtype=np.float64).reshape(across.n_shown, up.n_shown)


def merge_pair(
    across: DisplayCells, up: DisplayCells, table: NDArray[np.float64], weight: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Weighted mean per drawn cell of the product of two features."""
    if across.n_shown == across.n_cells and up.n_shown == up.n_cells:
        return table[np.argsort(across.owner)][:, np.argsort(up.owner)]
    known = ~np.isnan(table)
    owner = across.owner[:, None] * up.n_shown + up.owner[None, :]
    size = across.n_shown * up.n_shown
    mass = np.where(known, weight, 0.0)
    total = np.bincount(owner.ravel(), mass.ravel(), minlength=size)
    mass = np.where(total[owner] > 0, mass, known)
    filled = np.where(known, table, 0.0) * mass
    total = np.bincount(owner.ravel(), mass.ravel(), minlength=size)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.bincount(owner.ravel(), filled.ravel(), minlength=size) / total
    return np.asarray(mean.reshape(across.n_shown, up.n_shown))


def _is_crowded(edges: NDArray[np.float64]) -> bool:
    """Whether most cells would be much narrower than with equal widths."""
    finite = edges[np.isfinite(edges)]
    if len(finite) < _FEW:
        return False
    return bool(np.median(np.diff(finite)) < _CROWDED * (finite[-1] - finite[0]) / (len(finite) - 1))


def _even(edges: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    ends = np.arange(len(edges) + 2, dtype=np.float64)
    return ends[:-1], ends[1:]


def _line(
    edges: NDArray[np.float64], ends_at: tuple[float, float] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Ends of consecutive intervals; the open ones end where `ends_at` says, or a little beyond the thresholds."""
    finite = edges[np.isfinite(edges)]
    if ends_at is not None and ends_at[1] > ends_at[0]:
        low, high = min([ends_at[0], *finite]), max([ends_at[1], *finite])
        margin = _SMALL_MARGIN * (high - low)
        # a threshold beyond all rows still needs a cell on its other side
        low, high = low - margin * (low in finite), high + margin * (high in finite)
        ends = np.clip(np.concatenate([[-np.inf], edges, [np.inf]]), low, high)
        return ends[:-1], ends[1:]
    if not len(finite):
        return np.linspace(0, 1, len(edges) + 2)[:-1], np.linspace(0, 1, len(edges) + 2)[1:]
    low, high = float(finite.min()), float(finite.max())
    # with few thresholds an open cell is drawn nearly as wide as the others; with many it is narrow
    reach = max(_MARGIN, 0.8 / len(finite)) * (high - low) if high > low else max(abs(high) * _MARGIN, 0.5)
    ends = np.clip(np.concatenate([[-np.inf], edges, [np.inf]]), low - reach, high + reach)
    return ends[:-1], ends[1:]


def _slots(right: NDArray[np.float64], count: int) -> tuple[NDArray[np.float64], float]:
    """Starts and width of named cells: unit steps if there are only categories, else slots beside the number line."""
    if not len(right):
        return np.arange(count, dtype=np.float64) - 0.4, 0.8
    span = float(right[-1] - right[0]) if len(right) > 1 else 1.0
    span = span if span > 0 else 1.0
    width = span * _SLOT
    return right[-1] + width * (0.6 + 1.4 * np.arange(count)), width
