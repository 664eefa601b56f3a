"""Axis: the cells of a feature as the page draws them, with positions, texts and ticks."""

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from glasswood.plots import DisplayCells
from glasswood.results import Cells
from glasswood.web.page._text import edge, interval, named, number
from glasswood.web.panels._dates import date_interval, date_text, date_ticks
from glasswood.web.panels._seen_values import Seen
from glasswood.web.panels._ticks import ticks
from glasswood.web.panels.tree._plane import Plane

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
    is_date: bool = False
    inside: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, dtype=np.intp))  # (n_shown,) a cell in each
    n_levels: int = 0  # how many of the drawn cells are single levels of a category; they come first

    @property
    def n_left_out(self) -> int:
        """Cells for missing and unseen values that no row is in."""
        return self.cells.n_shown - len(self.kept)

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
            return date_ticks(low, high) if self.is_date else ticks(low, high)
        text = date_text if self.is_date else lambda value: number(value, 6)
        return [[value, text(value)] for value in self.seen.value.tolist()]


def axis_of(
    cells: Cells, weight: NDArray[np.float64], *, most: int, seen: Seen | None = None, is_date: bool = False
) -> Axis:
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
        return Axis(
            feature=cells.feature,
            cells=replace(shown, labels=("every value",)),
            words=(f"any {named(cells.feature)}",),
            edges=(),
            kept=np.arange(1),
            inside=np.zeros(1, dtype=np.intp),
        )
    first = np.full(shown.n_shown, len(cells))
    np.minimum.at(first, shown.owner, np.arange(len(cells)))
    last = np.full(shown.n_shown, -1)
    np.maximum.at(last, shown.owner, np.arange(len(cells)))
    between = date_interval if is_date else interval
    words = tuple(
        _named_words(cells, label, int(first[k]), int(last[k]))
        if (label := shown.labels[k]) is not None
        else between(cells.feature, float(cells.lower[first[k]]), float(cells.upper[last[k]]))
        for k in range(shown.n_shown)
    )
    inner = np.flatnonzero(shown.on_line)[:-1]
    ends = [(float(cells.upper[last[k]]), float(shown.right[k] - shown.left[k])) for k in inner]
    edges = tuple(date_text(end) if is_date else edge(end, width) for end, width in ends)
    mass = shown.total(weight)
    empty = np.array([label in ("missing", "unseen") for label in shown.labels], dtype=bool) & (mass <= 0)
    kept = np.flatnonzero(~(empty & bool(mass.any())))
    return Axis(
        feature=cells.feature,
        cells=shown,
        words=words,
        edges=edges,
        kept=kept,
        seen=seen,
        is_date=is_date,
        inside=np.where(shown.on_line, (first + last) // 2, first),
        n_levels=int(sum(cells.category[f] is not None and f == end for f, end in zip(first, last, strict=True))),
    )


def cells_in_model(axis: Axis, cells: Cells, ensemble: Ensemble, plane: Plane) -> list[int]:
    """For each drawn cell, the number that one of its values has in the page's model; −1 is missing."""
    feature = ensemble.feature_names.index(cells.feature)
    labels = ensemble.features.categories[feature]
    codes = {label: code for code, label in enumerate(labels or ())}
    found = []
    for i in axis.inside[axis.kept].tolist():
        upper = float(cells.upper[i])
        if cells.missing[i]:
            found.append(-1)
        elif labels is not None:
            found.append(codes.get(cells.category[i], len(codes)))
        else:
            value = upper if upper < np.inf else float(np.nextafter(cells.lower[i], np.inf))
            found.append(int(np.searchsorted(plane.cuts.get(feature, np.zeros(0)), value, side="left")))
    return found


def places(ends: NDArray[np.float64], cells: DisplayCells) -> list[float]:
    """Ends of cells, precise to a thousandth of a pixel even if the range is far from zero."""
    span = float(cells.right.max() - cells.left.min()) if cells.n_shown else 1.0
    digits = 6 - math.floor(math.log10(span)) if span > 0 else 6
    return [round(float(x), digits) for x in ends]


def _named_words(cells: Cells, label: str, cell: int, last: int) -> str:
    name = named(cells.feature)
    if cells.category[cell] is not None:
        return f"{name} is {label}" if cell == last else f"{name} is one of {label}, the rarest"
    return f"{name} {'was never seen in training' if label == 'unseen' else 'is missing'}"


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
