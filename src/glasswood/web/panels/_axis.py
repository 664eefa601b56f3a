"""Axis: the cells of a feature as the page draws them, with positions, texts and ticks."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.plots import DisplayCells
from glasswood.results import Cells
from glasswood.web.page._text import edge, interval, number
from glasswood.web.panels._seen_values import Seen
from glasswood.web.panels._ticks import ticks

_MAX_VALUE_TICKS = 12
_MAX_NAMED = 24  # so many category names side by side are still readable


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """Drawn cells of a feature, and a text for each."""

    feature: str
    cells: DisplayCells
    words: tuple[str, ...]  # (n_shown,)
    edges: tuple[str, ...]  # between neighbours on the number line
    kept: NDArray[np.intp]  # (n_kept,) drawn cells that are shown; "missing" and "unseen" only if they have rows
    seen: Seen | None = None

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready: ends, texts, labels of the cells beside the number line, ticks."""
        line = self.cells.on_line
        span = (float(self.cells.left[line][0]), float(self.cells.right[line][-1])) if line.any() else None
        return {
            "feature": self.feature,
            "left": places(self.cells.left[self.kept], self.cells),
            "right": places(self.cells.right[self.kept], self.cells),
            "edges": list(self.edges),
            "label": [self.cells.labels[k] for k in self.kept],
            "words": [self.words[k] for k in self.kept],
            "ticks": [] if span is None else self._ticks(*span),
            "note": self.cells.note,
        }

    def _ticks(self, low: float, high: float) -> list[list[Any]]:
        """Ticks at the values themselves if there are few of them."""
        if self.seen is None or not self.seen.few or len(self.seen.value) > _MAX_VALUE_TICKS:
            return ticks(low, high)
        return [[value, number(value, 6)] for value in self.seen.value.tolist()]


def axis_of(cells: Cells, weight: NDArray[np.float64], *, most: int, seen: Seen | None = None) -> Axis:
    """Lay out the cells of a feature; `seen` has the numbers in the rows, which determine the range of the axis.

    With more than `most` intervals, neighbours are merged; the rarest categories are merged if there are too many to
    read.
    """
    if seen is None:
        drawn = cells.display(most)
    else:
        drawn = replace(cells, upper=seen.centred(cells.upper)).display(most, reach=seen.reach)
    shown = _fewer_names(drawn, cells, weight)
    if cells.is_category and len(cells) == 1:  # the model does not split on it: its one cell contains every level
        return Axis(cells.feature, replace(shown, labels=("every value",)), (f"any {cells.feature}",), (), np.arange(1))
    first = np.full(shown.n_shown, len(cells))
    np.minimum.at(first, shown.owner, np.arange(len(cells)))
    last = np.full(shown.n_shown, -1)
    np.maximum.at(last, shown.owner, np.arange(len(cells)))
    words = tuple(
        _named_words(cells, label, int(first[k]), int(last[k]))
        if (label := shown.labels[k]) is not None
        else interval(cells.feature, float(cells.lower[first[k]]), float(cells.upper[last[k]]))
        for k in range(shown.n_shown)
    )
    inner = np.flatnonzero(shown.on_line)[:-1]
    edges = tuple(edge(float(cells.upper[last[k]]), float(shown.right[k] - shown.left[k])) for k in inner)
    mass = shown.total(weight)
    empty = np.array([label in ("missing", "unseen") for label in shown.labels], dtype=bool) & (mass <= 0)
    kept = np.flatnonzero(~(empty & bool(mass.any())))
    return Axis(feature=cells.feature, cells=shown, words=words, edges=edges, kept=kept, seen=seen)


def places(ends: NDArray[np.float64], cells: DisplayCells) -> list[float]:
    """Ends of cells, precise to a thousandth of a pixel even if the range is far from zero."""
    span = float(cells.right.max() - cells.left.min()) if cells.n_shown else 1.0
    digits = 6 - math.floor(math.log10(span)) if span > 0 else 6
    return [round(float(x), digits) for x in ends]


def _named_words(cells: Cells, label: str, cell: int, last: int) -> str:
    if cells.category[cell] is not None:
        return f"{cells.feature} is {label}" if cell == last else f"{cells.feature} is one of {label}, the rarest"
    return f"{cells.feature} {'was never seen in training' if label == 'unseen' else 'is missing'}"


def _fewer_names(shown: DisplayCells, cells: Cells, weight: NDArray[np.float64]) -> DisplayCells:
    """Merge the rarest categories if there are too many to read."""
    known = np.array([cells.category[i] is not None for i in range(len(cells))])
    if known.sum() <= _MAX_NAMED:
        return shown
    rank = np.argsort(np.argsort(-np.where(known, weight, -1.0), kind="stable"), kind="stable")
    rest = known & (rank >= _MAX_NAMED)
    kept = np.flatnonzero(~rest)  # in the order of the table: categories, unseen, missing
    n_known = int(known[kept].sum())
    place = np.full(len(cells), n_known)
    place[kept] = [k if k < n_known else k + 1 for k in range(len(kept))]
    names = [shown.labels[int(shown.owner[i])] for i in kept]
    names.insert(n_known, f"{int(rest.sum()):,} others")
    start = np.arange(len(names), dtype=np.float64) - 0.4
    return DisplayCells(left=start, right=start + 0.8, owner=place, labels=tuple(names), n_cells=len(cells))
