"""Split translation: splits on transformed columns, expressed as splits on the columns of the caller's table."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import ZERO, Ensemble, align, unpack_set
from glasswood.errors import TableError, UnsupportedModelError
from glasswood.readers._float_keys import LARGEST
from glasswood.readers.pipelines._cut_search import carry, stretches
from glasswood.readers.pipelines._sources import Sources
from glasswood.readers.pipelines._tracks import Track, values_of

# zeros that the model treats as missing: none, LightGBM's, or those that a sparse matrix does not store
NO_ZERO, NEAR_ZERO, EXACT_ZERO = 0, 1, 2


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """A split on a number with several cuts, and the stretches between them that go left."""

    cuts: NDArray[np.float64]  # (n_cuts,) ascending: the last float of every stretch except the last
    left: NDArray[np.bool_]  # (n_cuts + 1,)
    missing_left: bool


@dataclass(frozen=True, slots=True, eq=False)
class Splits:
    """The nodes of a model with their splits on other columns; arrays have one entry per node."""

    feature: NDArray[np.int32]
    threshold: NDArray[np.float64]
    missing_left: NDArray[np.bool_]
    category_set: NDArray[np.int32]
    unseen_left: NDArray[np.bool_]
    swapped: NDArray[np.bool_]  # the children are swapped
    set_words: list[NDArray[np.uint64]]  # the sets that `category_set` numbers
    steps: dict[int, Steps]  # nodes that need several cuts; their entries in the arrays are not used


@dataclass(frozen=True, slots=True, eq=False)
class _ColumnSplits:
    """The nodes that split on one column of the model."""

    column: int
    nodes: NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class _Questions:
    """The distinct splits among those on one column."""

    question: NDArray[np.intp]  # (n_nodes_here,) number of the node's split among the distinct ones
    first: NDArray[np.intp]  # (n_questions,) a node with that split


def translate_splits(inner: Ensemble, sources: Sources, zeros: NDArray[np.int8]) -> Splits:
    """Express every split of `inner`, whose columns are described by the tracks of `sources`."""
    n = inner.n_nodes
    out = Splits(
        feature=np.full(n, -1, dtype=np.int32),
        threshold=np.full(n, np.nan),
        missing_left=np.zeros(n, dtype=bool),
        category_set=np.full(n, -1, dtype=np.int32),
        unseen_left=np.zeros(n, dtype=bool),
        swapped=np.zeros(n, dtype=bool),
        set_words=[],
        steps={},
    )
    simple: list[_ColumnSplits] = []
    for group in _splits_by_column(inner):
        track = sources.tracks[group.column]
        out.feature[group.nodes] = track.source
        is_category = inner.features.categories[group.column] is not None
        if track.encoded is not None:
            _write_level_sets(inner, sources, zeros, group, out)
        elif track.is_plain and (is_category or zeros[group.column] == NO_ZERO):
            _copy_splits(inner, group, sources.filled[track.source], out)
        elif is_category or zeros[group.column] != NO_ZERO or any(link.pivots for link in track.links):
            _write_steps(inner, sources, zeros, group, out)
        else:
            simple.append(group)
    _carry_thresholds(inner, sources, simple, out)
    return out


def _splits_by_column(inner: Ensemble) -> list[_ColumnSplits]:
    """The splits of every column that has any."""
    nodes = np.flatnonzero(inner.feature >= 0)
    column = inner.feature[nodes]
    if len(inner.features) <= np.iinfo(np.uint16).max:
        column = column.astype(np.uint16)  # numpy sorts two bytes by counting, several times faster than four
    order = np.argsort(column, kind="stable")
    nodes, column = nodes[order], column[order]
    bounds = [*np.flatnonzero(np.diff(column, prepend=column[:1] - 1)).tolist(), len(nodes)]
    return [_ColumnSplits(int(column[start]), nodes[start:stop]) for start, stop in pairwise(bounds)]


def _questions(inner: Ensemble, group: _ColumnSplits) -> _Questions:
    """Number the distinct splits of a column; nodes with the same one are translated once."""
    here = group.nodes
    by_set = inner.features.categories[group.column] is not None
    _, what = np.unique(inner.category_set[here] if by_set else inner.threshold[here], return_inverse=True)
    key = 4 * what + 2 * inner.unseen_left[here] + inner.missing_left[here]
    distinct, question = np.unique(key, return_inverse=True)
    first = np.empty(len(distinct), dtype=np.intp)
    first[question] = here
    return _Questions(question, first)


def _copy_splits(inner: Ensemble, group: _ColumnSplits, filled: int | None, out: Splits) -> None:
    """Splits that stay as they are; missing values may go where the level goes that an imputer makes of them."""
    here = group.nodes
    out.threshold[here], out.missing_left[here] = inner.threshold[here], inner.missing_left[here]
    out.unseen_left[here] = inner.unseen_left[here]
    if inner.features.categories[group.column] is None:
        return
    distinct = _questions(inner, group)
    base = len(out.set_words)
    missing_left = inner.missing_left[distinct.first]
    for k, node in enumerate(distinct.first.tolist()):
        start, stop = inner.set_start[inner.category_set[node] :][:2]
        out.set_words.append(inner.set_bits[start:stop])
        if filled is not None:
            missing_left[k] = _members(inner, group.column, node)[filled]
    out.category_set[here] = base + distinct.question
    out.missing_left[here] = missing_left[distinct.question]


def _write_level_sets(
    inner: Ensemble, sources: Sources, zeros: NDArray[np.int8], group: _ColumnSplits, out: Splits
) -> None:
    """Splits on a column that is read by its levels: the set of levels that go left."""
    track = sources.tracks[group.column]
    labels = sources.labels[track.source] or ()
    assert track.encoded is not None
    values = track.encoded.at(labels, track.out)
    if track.links:
        distinct, inverse = np.unique(values, return_inverse=True)
        values = values_of([track], [distinct])[0][inverse]
    asked = _questions(inner, group)
    left = _goes_left(inner, group.column, asked.first, values, zeros)  # (n_questions, n_labels + 2)
    n_words = -(-len(labels) // 64)
    flags = np.zeros((len(left), n_words * 64), dtype=bool)
    flags[:, : len(labels)] = left[:, :-2]
    base = len(out.set_words)
    out.set_words.extend(np.packbits(flags, axis=1, bitorder="little").view("<u8").astype(np.uint64))
    out.category_set[group.nodes] = base + asked.question
    out.unseen_left[group.nodes] = left[asked.question, -2]
    out.missing_left[group.nodes] = left[asked.question, -1]


def _goes_left(
    inner: Ensemble, column: int, questions: NDArray[np.intp], values: NDArray[np.float64], zeros: NDArray[np.int8]
) -> NDArray[np.bool_]:
    """Which values of the transformed column go left at each of some nodes: (n_questions, n_values)."""
    seen = _after_zeros(values, int(zeros[column]))
    missing_left = inner.missing_left[questions][:, np.newaxis]
    if inner.features.categories[column] is None:
        return np.where(np.isnan(seen), missing_left, seen <= inner.threshold[questions][:, np.newaxis])
    codes = _codes(inner, column, seen)
    left = np.empty((len(questions), len(values)), dtype=bool)
    for k, node in enumerate(questions.tolist()):
        left[k] = _members(inner, column, node)[codes]
    return left


def _members(inner: Ensemble, column: int, node: int) -> NDArray[np.bool_]:
    """Which codes of a category go left at a node; after those of the levels come unseen and, at −1, missing."""
    n_levels = int(inner.features.n_levels[column])
    start, stop = inner.set_start[inner.category_set[node] :][:2]
    member = np.zeros(n_levels + 2, dtype=bool)
    flags = unpack_set(inner.set_bits[start:stop])[:n_levels]
    member[: len(flags)] = flags
    member[n_levels], member[-1] = inner.unseen_left[node], inner.missing_left[node]
    return member


def _codes(inner: Ensemble, column: int, values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Codes of numbers in a category feature of the model, found as for any table."""
    matrix = np.full((len(values), len(inner.features)), np.nan)
    matrix[:, column] = values
    try:
        codes = align(matrix, inner.features).column(column)
    except TableError as error:
        raise UnsupportedModelError(f"the model takes a transformed column for a category: {error}") from error
    return np.asarray(np.minimum(codes, inner.features.n_levels[column]), dtype=np.int64)


def _after_zeros(values: NDArray[np.float64], zero: int) -> NDArray[np.float64]:
    """Values with NaN for zeros that the model treats as missing."""
    if zero == NEAR_ZERO:
        return np.where(np.abs(values) <= ZERO, np.nan, values)
    return np.where(values == 0, np.nan, values) if zero == EXACT_ZERO else values


def _carry_thresholds(inner: Ensemble, sources: Sources, simple: Sequence[_ColumnSplits], out: Splits) -> None:
    """Splits on columns whose transformers are monotone: one cut stays one cut."""
    tracks = [sources.tracks[group.column] for group in simple]
    found = [np.unique(inner.threshold[group.nodes], return_inverse=True) for group in simple]
    missing = values_of(tracks, [np.array([np.nan])] * len(tracks))
    parts = carry(tracks, [cuts for cuts, _ in found], [(-LARGEST, LARGEST)] * len(tracks))
    for group, (cuts, place), part, absent in zip(simple, found, parts, missing, strict=True):
        here = group.nodes
        constant = part.below_at_low == part.below_at_high
        out.threshold[here] = np.where(constant, np.inf, part.last)[place]
        to_left = inner.missing_left[here] if np.isnan(absent[0]) else (absent <= cuts)[place]
        swapped = (~part.below_at_low)[place]
        out.swapped[here], out.missing_left[here] = swapped, to_left ^ swapped


def _write_steps(inner: Ensemble, sources: Sources, zeros: NDArray[np.int8], group: _ColumnSplits, out: Splits) -> None:
    """Splits on a number through a function that is not monotone, with as many cuts as needed."""
    track, distinct = sources.tracks[group.column], _questions(inner, group)
    parts = stretches(track)
    cuts = _cuts_of(inner, group.column, distinct.first, int(zeros[group.column]))
    found = carry([track] * len(parts), [cuts] * len(parts), parts)
    ends = np.unique([end for part in found for end in (part.high, *part.last.tolist())])
    at_ends = values_of([track, track], [ends, np.array([np.nan])])
    for k, node in enumerate(distinct.first.tolist()):
        one = np.array([node])
        left = _goes_left(inner, group.column, one, at_ends[0], zeros)[0]
        missing = bool(_goes_left(inner, group.column, one, at_ends[1], zeros)[0, 0])
        turns = np.flatnonzero(left[:-1] != left[1:])
        steps = Steps(ends[turns], left[np.append(turns, len(left) - 1)], missing)
        here = group.nodes[distinct.question == k]
        if len(turns) > 1:
            out.steps.update(dict.fromkeys(here.tolist(), steps))
            continue
        swapped = not steps.left[0]
        out.threshold[here] = steps.cuts[0] if len(turns) else np.inf
        out.swapped[here], out.missing_left[here] = swapped, missing ^ swapped


def _cuts_of(inner: Ensemble, column: int, questions: NDArray[np.intp], zero: int) -> NDArray[np.float64]:
    """Transformed values at which the result of a split may change."""
    labels = inner.features.categories[column]
    if labels is None:
        cuts = inner.threshold[questions].tolist()
    else:
        known = range(len(labels)) if inner.features.coded[column] else labels
        levels = np.array([level for level in known if not isinstance(level, str)], dtype=np.float64)
        cuts = [*np.nextafter(levels, -np.inf).tolist(), *levels.tolist()]
    around: dict[int, tuple[float, ...]] = {
        NEAR_ZERO: (float(np.nextafter(-ZERO, -1)), ZERO),
        EXACT_ZERO: (-5e-324, 0.0),
    }
    return np.unique([*cuts, *around.get(zero, ())])


def columns_missing(tracks: Sequence[Track]) -> NDArray[np.bool_]:
    """For each track whether a missing value stays missing, or is refused, along the track."""
    found = values_of(tracks, [np.array([np.nan]) if track.encoded is None else np.zeros(0) for track in tracks])
    return np.array([bool(len(array)) and bool(np.isnan(array[0])) for array in found], dtype=bool)


def split_arrays(inner: Ensemble, splits: Splits) -> dict[str, NDArray[Any]]:
    """What `restate` takes: the arrays of the splits, if no node needs several cuts."""
    words = splits.set_words
    return {
        "feature": splits.feature,
        "threshold": splits.threshold,
        "missing_left": splits.missing_left,
        "category_set": splits.category_set,
        "unseen_left": splits.unseen_left,
        "stated_threshold": np.where(splits.threshold == inner.threshold, inner.stated_threshold, splits.threshold),
        "set_start": np.concatenate([[0], np.cumsum([len(part) for part in words])]).astype(np.int64),
        "set_bits": np.concatenate(words) if words else np.zeros(0, dtype=np.uint64),
    }


def node_arrays(inner: Ensemble, splits: Splits) -> dict[str, Any]:
    """Every array for `build_ensemble`, with the splits as they are before nodes get several cuts."""
    return {
        "tree_start": inner.tree_start,
        "tree_output": inner.tree_output,
        "left": np.where(splits.swapped, inner.right, inner.left),
        "right": np.where(splits.swapped, inner.left, inner.right),
        "leaf_id": inner.leaf_id,
        "value": inner.value,
        "weight": inner.weight,
        "gain": inner.gain,
        **split_arrays(inner, splits),
    }
