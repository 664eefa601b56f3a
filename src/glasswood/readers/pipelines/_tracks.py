"""Tracks: the transformations of one column from the caller's table to the model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.readers._float_keys import LARGEST
from glasswood.readers.pipelines._levels import EncodedColumn, Fill

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One fitted transformer of numbers. Each of its output columns depends on one of its input columns."""

    name: str
    n_in: int
    call: Callable[[Matrix], Matrix]  # (n, n_in) → (n, n_out), computed by the transformer itself
    # (n, n_in) → (n, n_in), approximate inverse: where to search for a cut first
    undo: Callable[[Matrix], Matrix] | None = None
    _kept: dict[str, Any] = field(default_factory=dict)

    def takes_missing(self) -> bool:
        """Whether the transformer accepts NaN; otherwise it refuses such rows."""
        if "missing" not in self._kept:
            try:
                self.call(np.full((1, self.n_in), np.nan))
                self._kept["missing"] = True
            except ValueError:
                self._kept["missing"] = False
        return bool(self._kept["missing"])


@dataclass(frozen=True, slots=True, eq=False)
class Link:
    """One column of one step."""

    step: Step
    place: int  # among the input columns of the step
    out: int  # among its output columns
    pivots: tuple[float, ...] = ()  # last floats of the stretches in which the step is monotone
    fill: Fill | None = None  # for an imputer: what it does to labels
    flag: bool = False  # an indicator: whether the label is the one in `fill`


@dataclass(frozen=True, slots=True)
class Mixing:
    """A step that makes a column of several ones, or in a way that no split on one column expresses."""

    step: str
    reason: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """The origin of a column and the transformations applied to it."""

    source: int  # column of the caller's table
    encoded: EncodedColumn | None = None  # the encoder of its levels, whose numbers are the input of the links
    out: int = 0  # among the output columns of the encoder
    links: tuple[Link, ...] = ()
    mixed: Mixing | None = None  # what made it; then it has no source

    @property
    def is_plain(self) -> bool:
        """Whether the column is the caller's, unchanged."""
        return self.encoded is None and not self.links

    def then(self, link: Link) -> Track:
        """The same column after one more step."""
        if self.mixed is not None:
            return self
        return Track(self.source, self.encoded, self.out, (*self.links, link))


def values_of(tracks: Sequence[Track], starts: Sequence[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    """Results of the links of each track for some numbers; tracks with the same steps are computed together."""
    found: list[NDArray[np.float64]] = [np.zeros(0)] * len(tracks)
    for members in _alike(tracks):
        values = [np.asarray(starts[k], dtype=np.float64) for k in members]
        for depth in range(len(tracks[members[0]].links)):
            values = _pass([tracks[k].links[depth] for k in members], values)
        for k, array in zip(members, values, strict=True):
            found[k] = array
    return found


def undone(tracks: Sequence[Track], ends: Sequence[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    """Approximate inputs for which the links of each track give these values; NaN if unknown."""
    found = [np.full(len(values), np.nan) for values in ends]
    for members in _alike(tracks):
        links = [tracks[k].links for k in members]
        if any(link.step.undo is None for link in links[0]):
            continue
        values = [ends[k] for k in members]
        for depth in reversed(range(len(links[0]))):
            values = _pass_back([own[depth] for own in links], values)
        for k, array in zip(members, values, strict=True):
            found[k] = array
    return found


def _alike(tracks: Sequence[Track]) -> list[list[int]]:
    """Tracks with the same steps, by their numbers."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for k, track in enumerate(tracks):
        groups.setdefault(tuple(id(link.step) for link in track.links), []).append(k)
    return list(groups.values())


def _stacked(links: Sequence[Link], values: Sequence[NDArray[np.float64]]) -> tuple[NDArray[np.float64], list[slice]]:
    """A matrix of ones with room for the values, and the rows for each; those of one input column are stacked."""
    length: dict[int, int] = {}
    rows = []
    for link, array in zip(links, values, strict=True):
        start = length.get(link.place, 0)
        rows.append(slice(start, start + len(array)))
        length[link.place] = start + len(array)
    return np.ones((max(length.values(), default=0), links[0].step.n_in)), rows


def _pass_back(links: Sequence[Link], values: Sequence[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    """The inverse of one step for several columns at once."""
    undo = links[0].step.undo
    matrix, rows = _stacked(links, values)
    if undo is None or not len(matrix):
        return [np.full(len(array), np.nan) for array in values]
    for link, array, at in zip(links, values, rows, strict=True):
        matrix[at, link.place] = array
    with np.errstate(all="ignore"):
        result = undo(matrix)
    return [result[at, link.place] for link, at in zip(links, rows, strict=True)]


def _pass(links: Sequence[Link], values: Sequence[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    """One step for several columns at once."""
    step = links[0].step
    matrix, rows = _stacked(links, values)
    if not len(matrix):
        return [np.zeros(0) for _ in values]
    refused = []
    for link, array, at in zip(links, values, rows, strict=True):
        skip, inside = None, array
        if not np.isfinite(array).all():
            missing = np.isnan(array)
            skip = missing if missing.any() and not step.takes_missing() else None
            # a transformer refuses infinities; a monotone one treats them like the largest float
            inside = np.clip(array, -LARGEST, LARGEST)
        refused.append(skip)
        matrix[at, link.place] = inside if skip is None else np.where(skip, 1.0, inside)
    with np.errstate(all="ignore"):
        result = step.call(matrix)
    found = [result[at, link.out] for link, at in zip(links, rows, strict=True)]
    return [
        array if skip is None else np.where(skip, np.nan, array) for array, skip in zip(found, refused, strict=True)
    ]
