"""Explanations over the rows of Dask collections.

Workers count their own rows, and only sums travel. Sums over rows do not depend on how the rows are cut, so the results
have the bits of those of one table.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import glasswood as gw
from glasswood._jobs import resolve_n_jobs
from glasswood.dask._collections import check_collection
from glasswood.dask._dask_parts import DaskParts
from glasswood.dask._weight_unit import weight_unit_of
from glasswood.ensemble import Ensemble
from glasswood.explain.effects import CountedParts, ledger_of_parts
from glasswood.readers import as_ensemble
from glasswood.results import Effects, Interactions, Ledger
from glasswood.tables import frame_kind

_CELLS = 50_000_000


def effects(
    model: Any,
    X: Any,
    *,
    features: Sequence[str | int] | None = None,
    method: str = "auto",
    sample_weight: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> Effects:
    """`glasswood.effects` over the rows of a Dask collection.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `glasswood.read` takes.
    X : Dask DataFrame or Array
        Rows to average over.
    sample_weight : Dask Series or Array, optional
        Weight of each row, in the same partitions.
    features, method, n_jobs, progress
        As in `glasswood.effects`.
    """
    options: dict[str, Any] = {"features": features, "method": method, "n_jobs": n_jobs, "progress": progress}
    return gw.effects(*_counts(model, X, sample_weight, "glasswood.effects"), **options)


def interactions(
    model: Any,
    X: Any,
    *,
    features: Sequence[str | int] | None = None,
    pairs: Iterable[Sequence[str | int]] | None = None,
    degree: int = 2,
    method: str = "auto",
    max_cells: int = _CELLS,
    sample_weight: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> Interactions:
    """`glasswood.interactions` over the rows of a Dask collection.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `glasswood.read` takes.
    X : Dask DataFrame or Array
        Rows to average over.
    sample_weight : Dask Series or Array, optional
        Weight of each row, in the same partitions.
    features, pairs, degree, method, max_cells, n_jobs, progress
        As in `glasswood.interactions`.
    """
    options: dict[str, Any] = {"features": features, "pairs": pairs, "degree": degree, "method": method}
    options |= {"max_cells": max_cells, "n_jobs": n_jobs, "progress": progress}
    return gw.interactions(*_counts(model, X, sample_weight, "glasswood.interactions"), **options)


def ledger(
    model: Any,
    X: Any,
    *,
    max_cells: int = _CELLS,
    sample_weight: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> Ledger:
    """`glasswood.ledger` over the rows of a Dask collection.

    Workers keep the terms of their rows, 8 bytes for each row, output and term, at most 256 MB of all rows unless there
    are more than 4 million.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `glasswood.read` takes.
    X : Dask DataFrame or Array
        The rows.
    sample_weight : Dask Series or Array, optional
        Weight of each row, in the same partitions.
    max_cells, n_jobs
        As in `glasswood.ledger`.
    progress : bool
        Has no effect: Dask shows its tasks.
    """
    n_threads = resolve_n_jobs(n_jobs)
    parts, first, unit = _parts(X, sample_weight, "glasswood.ledger")
    ensemble, kind = as_ensemble(model, first), frame_kind(first)
    return ledger_of_parts(ensemble, parts, unit=unit, kind=kind, max_cells=max_cells, n_threads=n_threads)


def _counts(model: Any, X: Any, sample_weight: Any, instead: str) -> tuple[Ensemble, CountedParts]:
    """The model, checked on the first rows, and the rows, to be counted by the workers."""
    parts, first, unit = _parts(X, sample_weight, instead)
    return as_ensemble(model, first), CountedParts(parts, frame_kind(first), unit)


def _parts(X: Any, sample_weight: Any, instead: str) -> tuple[DaskParts, Any, float | None]:
    """Partitions with rows, the first of them, and the unit of the weights."""
    check_collection(X, "X", instead)
    if sample_weight is not None:
        check_collection(sample_weight, "sample_weight", instead)
    parts = DaskParts.of_collections(X=X, sample_weight=sample_weight)
    return parts, parts.first()[0], None if sample_weight is None else weight_unit_of(sample_weight)
