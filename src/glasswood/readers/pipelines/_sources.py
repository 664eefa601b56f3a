"""Sources: whether the model uses each column of the caller's table as a number or by levels, with matching tracks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from glasswood.ensemble import FeatureSchema, Label
from glasswood.errors import UnsupportedModelError
from glasswood.readers.pipelines._filled_levels import filled_levels, keeps_levels
from glasswood.readers.pipelines._levels import EncodedColumn
from glasswood.readers.pipelines._tracks import Link, Matrix, Step, Track


class UnsettledError(UnsupportedModelError):
    """A column of the table that can be read neither as a number nor by its levels."""

    def __init__(self, source: int, reason: str) -> None:
        super().__init__(reason)
        self.source = source


@dataclass(frozen=True, slots=True, eq=False)
class Sources:
    """The columns of the caller's table, and how the columns of the model are derived from them."""

    names: tuple[str, ...]
    named: bool
    tracks: tuple[Track, ...]  # one per column of the model
    labels: tuple[tuple[Label, ...] | None, ...]  # for each column of the table; None for a number
    # for each column of the table the category feature of the model to which its levels are passed
    direct: tuple[int | None, ...]
    # for such a column whose missing values an imputer fills: the code of the level that they become
    filled: tuple[int | None, ...]


def settle(names: Sequence[str], named: bool, tracks: Sequence[Track], inner: FeatureSchema) -> Sources:
    """Decide how each column of the table is read."""
    settled = list(tracks)
    # neither a step nor a tree uses it, so it may hold anything
    labels: list[tuple[Label, ...] | None] = [()] * len(names)
    direct: list[int | None] = [None] * len(names)
    filled: list[int | None] = [None] * len(names)
    users: dict[int, list[int]] = {}
    for out, track in enumerate(tracks):
        users.setdefault(track.source, []).append(out)
    for source, outs in users.items():
        name = names[source]
        as_category = [o for o in outs if keeps_levels(tracks[o], inner, o)]
        as_levels = [o for o in outs if tracks[o].encoded is not None]
        flags = [o for o in outs if tracks[o].encoded is None and tracks[o].links and tracks[o].links[0].flag]
        as_number = sorted(set(outs).difference(as_category, as_levels, flags))
        if as_category:
            out = as_category[0]
            if len(as_category) + len(flags) < len(outs) or len(as_category) > 1:
                raise UnsettledError(
                    source,
                    f"column {name!r} reaches the model both as it is, as a category, and through transformers; give "
                    "it twice under two names",
                )
            direct[source], labels[source] = out, inner.categories[out]
            for o in flags:
                settled[o] = _as_levels(tracks[o])
            if tracks[out].links:
                settled[out] = Track(source)
                labels[source], filled[source] = filled_levels(tracks[out], inner, out)
            continue
        _refuse_text([tracks[o] for o in as_number], name, source)
        _refuse_numbers_as_text(as_number, tracks, inner, name)
        known = _known([tracks[o] for o in as_levels])
        if as_number or not known:
            labels[source] = None
            for o in as_levels:
                settled[o] = _as_number(tracks[o], name)
            continue
        for o in flags:
            settled[o] = _as_levels(tracks[o])
        labels[source] = _known([settled[o] for o in (*as_levels, *flags)])
    return Sources(tuple(names), named, tuple(settled), tuple(labels), tuple(direct), tuple(filled))


def _known(tracks: Sequence[Track]) -> tuple[Label, ...]:
    """Levels that any encoder of a column knows, in order."""
    columns = {id(track.encoded): track.encoded for track in tracks if track.encoded is not None}
    if len(columns) == 1:
        return next(iter(columns.values())).labels
    return tuple(dict.fromkeys(label for column in columns.values() for label in column.labels))


def _refuse_text(tracks: Sequence[Track], name: str, source: int) -> None:
    for track in tracks:
        for link in track.links:
            if link.fill is not None and isinstance(link.fill.value, str):
                raise UnsettledError(
                    source,
                    f"column {name!r} holds text that no encoder makes numbers of behind its {link.step.name}; encode "
                    "it in the pipeline, or fill it in before",
                )


def _refuse_numbers_as_text(outs: Sequence[int], tracks: Sequence[Track], inner: FeatureSchema, name: str) -> None:
    """A model that knows levels by their texts, as CatBoost does, does not compare the numbers that steps compute."""
    for out in outs:
        if tracks[out].links and inner.hashes and inner.hashes[out] is not None:
            raise UnsettledError(
                tracks[out].source,
                f"column {name!r} reaches the model as a category behind its {tracks[out].links[-1].step.name}",
            )


def _as_levels(track: Track) -> Track:
    """An indicator of missing values, for a column that is read by its levels."""
    fill = track.links[0].fill
    wanted = fill.wanted if fill is not None else None
    labels = () if wanted is None else (wanted,)
    codes = np.array([0, 1] if wanted is None else [1, 0, 0], dtype=np.int64)
    column = EncodedColumn(labels, codes, np.array([[0.0], [1.0]]), np.zeros(0, dtype=np.int64), np.zeros(0))
    return Track(track.source, column, 0, track.links[1:])


def _as_number(track: Track, name: str) -> Track:
    """An encoder of a column that other steps read as a number, as a step function with a step at every level."""
    column = track.encoded
    assert column is not None
    if any(isinstance(label, str) for label in column.labels):
        raise UnsettledError(
            track.source,
            f"column {name!r} is read as a number by one step and as text by another; give it twice under two names",
        )
    known = np.array(column.labels, dtype=np.float64)
    order = np.argsort(known, kind="stable")
    values = column.values(track.out)
    known, at_known = known[order], values[:-2][order]
    unseen, missing = values[-2:].tolist()

    def call(matrix: Matrix) -> Matrix:
        x = matrix[:, 0]
        place = np.minimum(np.searchsorted(known, x), max(len(known) - 1, 0))
        found = np.where(known[place] == x, at_known[place], unseen) if len(known) else np.full(len(x), unseen)
        return np.where(np.isnan(x), missing, found)[:, np.newaxis]

    ends = [end for level in known.tolist() for end in (float(np.nextafter(level, -np.inf)), level)]
    pivots = tuple(low for low, high in pairwise([*ends, np.inf]) if low < high)
    step = Step("encoder", 1, call)
    return replace(track, encoded=None, out=0, links=(Link(step, 0, 0, pivots), *track.links))
