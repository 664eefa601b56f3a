"""examples: an index of the leaves that rows reach, which stays on the workers that hold the rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood._checks import check_choice, whole_number
from glasswood._jobs import resolve_n_jobs
from glasswood._powers import power_of, times_power
from glasswood.dask._collections import check_collection, need_dask
from glasswood.dask._dask_parts import DaskParts
from glasswood.dask._far_rows import FarRows, FarSource
from glasswood.ensemble import Ensemble, align
from glasswood.errors import TableError
from glasswood.explain import part_sums
from glasswood.explain.examples import (
    MAX_ROWS,
    METHODS,
    ExampleIndex,
    LeafCounts,
    LeafRows,
    Method,
    choose_method,
    leaf_counts,
    nearest_in,
    number_leaves,
    part_rows,
    row_source,
    similar_in,
    weights_of,
)
from glasswood.readers import as_ensemble, read_draws
from glasswood.results import RowSource
from glasswood.tables import FrameKind, check_some_weight, frame_kind, n_rows_of, read_vector, read_weight, take_rows

Floats = NDArray[np.float64]
_NONE = np.empty(0)


def examples(
    model: Any,
    X_train: Any,
    y_train: Any = None,
    *,
    method: Method = "auto",
    min_rows_per_leaf: int = 1,
    sample_weight: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> ExampleIndex:
    """`glasswood.examples` among the rows of a Dask collection.

    The lists of the leaves stay on the workers, 4 bytes per row and tree. Queries are sent there as the leaves they
    reach, and rows are fetched only to be shown. Targets come to this process.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `glasswood.read` takes.
    X_train : Dask DataFrame or Array
        Rows to find.
    y_train : Dask Series or Array, optional
        Their targets, in the same partitions.
    sample_weight : Dask Series or Array, optional
        Weight of each row, in the same partitions.
    method, min_rows_per_leaf, n_jobs
        As in `glasswood.examples`. The draws that ``method="inbag"`` needs are made in this process.
    progress : bool
        Has no effect: Dask shows its tasks.
    """
    check_choice("method", method, METHODS)
    min_rows_per_leaf = whole_number("min_rows_per_leaf", min_rows_per_leaf, 1)
    n_threads = resolve_n_jobs(n_jobs)
    given = {"X_train": X_train, "y_train": y_train, "sample_weight": sample_weight}
    for name, table in given.items():
        if table is not None:
            check_collection(table, name, "glasswood.examples")
    tables = DaskParts.of_collections(**given)
    some, *_ = tables.first()
    first = take_rows(some, 0, 1)
    n_rows = sum(tables.n_rows)
    if n_rows > MAX_ROWS:
        raise TableError(f"X_train has {n_rows:,} rows; give at least 1 and fewer than 2**31")
    numbered = number_leaves(as_ensemble(model, some))
    chosen = choose_method(method, numbered.source)
    draws = read_draws(model, n_rows) if chosen == "inbag" else None
    parts = tables.beside([None] * len(tables) if draws is None else tables.cut(draws))
    exponent, unit = 0, 1.0
    if sample_weight is not None:
        check_some_weight(sum(parts.ask(_n_weighted)))
        exponent = power_of(np.array(parts.ask(_heaviest)))
        most = 1 if draws is None else int(draws.max(initial=1))
        (total,) = part_sums(parts.keep(_scaled, exponent, most), _columns)
        unit = float(np.ldexp(1.0, 1021 if np.isinf(total) else _native.unit_exponent(total, 61)))
    counts = parts.merged(LeafCounts.plus, _counted, numbered, exponent, unit, n_threads)
    kept = counts.kept(min_rows_per_leaf)
    start = np.concatenate([[0], np.cumsum(np.where(kept, counts.n_entries, 0))])
    leaves = LeafRows(start=start, row=np.empty(0, dtype=np.uint32), mass=counts.mass(unit))
    each, tree_weight = weights_of(numbered, leaves, chosen)
    before = tables.cut(np.arange(n_rows))
    listed = parts.beside([rows[0] for rows in before]).keep(
        _listed, numbered, exponent, kept, chosen == "breiman", n_threads
    )
    return DaskExampleIndex(
        numbered=numbered,
        leaves=leaves,
        unit=each,
        tree_weight=tree_weight,
        row_weight=None,
        table=first,
        target=None if y_train is None else _target(y_train, n_rows),
        n_rows=n_rows,
        method=chosen,
        min_rows_per_leaf=min_rows_per_leaf,
        n_jobs=n_jobs,
        parts=listed,
        far=FarRows(X_train, tables.n_rows),
    )


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class DaskExampleIndex(ExampleIndex):
    """An index whose lists lie on the workers; `leaves` has only their lengths, and `table` one row."""

    parts: DaskParts
    far: FarRows

    def _nearest(self, leaf: NDArray[np.int32], k: int) -> tuple[NDArray[np.int64], Floats]:
        given = leaf, k, self.unit, self.tree_weight, self._total(leaf), self._n_threads
        found: tuple[NDArray[np.int64], Floats] = self.parts.merged(_most_similar, _nearest_part, *given)
        return found

    def _similar(self, leaf: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int32], Floats]:
        given = leaf, self.unit, self.tree_weight, self._total(leaf), self._n_threads
        found: tuple[NDArray[np.int64], NDArray[np.int32], Floats] = self.parts.merged(
            _all_similar, _similar_part, *given
        )
        return found

    def _total(self, leaf: NDArray[np.int32]) -> Floats:
        """Weight of the trees whose leaf holds a row, added up in the order of the trees as one index does."""
        weight = np.where(self.leaves.kept[leaf], self.tree_weight, 0.0)
        return np.cumsum(weight, axis=1)[:, -1] if weight.shape[1] else np.zeros(len(weight))

    def _train(self) -> RowSource:
        shown = row_source(self.table, self.numbered)
        return FarSource(table=self.far, order=shown.order, features=shown.features)

    def _kind(self) -> FrameKind | None:
        return frame_kind(self.table)


@dataclass(frozen=True, slots=True, eq=False)
class _IndexPart:
    """The lists of a partition, on its worker."""

    before: int  # rows of the partitions before
    start: NDArray[np.int64]
    row: NDArray[np.uint32]
    weight: Floats  # of the rows; empty for 1 each
    n_rows: int


def _target(y_train: Any, n_rows: int) -> NDArray[Any]:
    (values,) = need_dask("dask").compute(y_train)
    return read_vector(values, n_rows, what="y_train")


# What follows runs on the workers. A part is the tables of a partition, and the draws of its rows or None.


def _weight(part: Any, exponent: int = 0) -> Floats | None:
    (X, _, sample_weight), _ = part
    weight = read_weight(sample_weight, n_rows_of(X))
    return None if weight is None else times_power(weight, -exponent)


def _n_weighted(part: Any) -> int:
    weight = _weight(part)
    return 0 if weight is None else int(np.count_nonzero(weight))


def _heaviest(part: Any) -> float:
    weight = _weight(part)
    return 0.0 if weight is None else float(weight.max(initial=0.0))


def _scaled(part: Any, exponent: int, most: int) -> Floats | None:
    weight = _weight(part, exponent)
    return None if weight is None else weight * most


def _columns(weight: Floats) -> tuple[Floats, Floats]:
    return weight[None], _NONE


def _counted(part: Any, numbered: Ensemble, exponent: int, unit: float, n_threads: int) -> LeafCounts:
    (X, *_), draws = part
    return leaf_counts(numbered, align(X, numbered.features), _weight(part, exponent), draws, unit, n_threads)


def _listed(
    given: Any, numbered: Ensemble, exponent: int, kept: NDArray[np.bool_], equal: bool, n_threads: int
) -> _IndexPart:
    part, before = given
    (X, *_), draws = part
    weight = _weight(part, exponent)
    start, row = part_rows(numbered, align(X, numbered.features), weight, draws, kept, n_threads)
    return _IndexPart(int(before), start, row, _NONE if equal or weight is None else weight, n_rows_of(X))


def _nearest_part(
    part: _IndexPart, leaf: NDArray[np.int32], k: int, unit: Floats, tree_weight: Floats, total: Floats, n_threads: int
) -> tuple[NDArray[np.int64], Floats]:
    arrays = part.start, part.row, unit, tree_weight, part.weight, part.n_rows
    row, similarity = nearest_in(arrays, leaf, k, total, n_threads)
    return np.where(row < 0, -1, row + part.before), similarity


def _similar_part(
    part: _IndexPart, leaf: NDArray[np.int32], unit: Floats, tree_weight: Floats, total: Floats, n_threads: int
) -> tuple[NDArray[np.int64], NDArray[np.int32], Floats]:
    arrays = part.start, part.row, unit, tree_weight, part.weight, part.n_rows
    count, row, similarity = similar_in(arrays, leaf, total, n_threads)
    return count, row + np.int32(part.before), similarity


def _most_similar(
    one: tuple[NDArray[np.int64], Floats], other: tuple[NDArray[np.int64], Floats]
) -> tuple[NDArray[np.int64], Floats]:
    """The best of two lists for each query: the most similar first, equal ones by row number, −1 last."""
    row, similarity = (np.concatenate(both, axis=1) for both in zip(one, other, strict=True))
    order = np.lexsort((np.where(row < 0, MAX_ROWS, row), -similarity), axis=1)[:, : one[0].shape[1]]
    return np.take_along_axis(row, order, axis=1), np.take_along_axis(similarity, order, axis=1)


def _all_similar(one: Sequence[NDArray[Any]], other: Sequence[NDArray[Any]]) -> tuple[NDArray[Any], ...]:
    """Rows of both for each query; those of the first come first."""
    query = np.concatenate([np.repeat(np.arange(len(count)), count) for count, *_ in (one, other)])
    order = np.argsort(query, kind="stable")
    row, similarity = (np.concatenate([one[i], other[i]])[order] for i in (1, 2))
    return one[0] + other[0], row, similarity
