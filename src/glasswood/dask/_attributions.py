"""attributions: computed partition by partition on the workers."""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

import glasswood as gw
from glasswood.dask._collections import check_collection, check_same_partitions, is_collection, tables_of
from glasswood.dask._dask_parts import DaskParts
from glasswood.dask._far_rows import FarAttributedRows, FarRows
from glasswood.explain.attributions import Attributor, check_bytes
from glasswood.readers import as_ensemble
from glasswood.results import Attributions
from glasswood.tables import take_rows

_BY_ROW = ("values", "rest", "raw", "prediction", "interactions")


def attributions(
    model: Any,
    X: Any,
    *,
    background: Any = None,
    method: str = "auto",
    interactions: bool = False,
    features: Sequence[str | int] | None = None,
    output: str | int | None = None,
    sample_weight: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> Attributions:
    """`glasswood.attributions` with a Dask collection as background, as rows to explain, or both.

    Workers explain their partitions of X. The values come to this process; the rows stay on the workers, and those
    that a row or a picture shows are fetched. Every row is compared with the whole background, so this process reads
    the background, one partition after the other, keeps it as cells, one or two bytes per value, and sends it to each
    worker once.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `glasswood.read` takes.
    X : table, Dask DataFrame or Array
        The rows to explain.
    background : table, Dask DataFrame or Array, optional
        Rows to average over.
    sample_weight : array, Dask Series or Array, optional
        Weight of each row of the background.
    method, interactions, features, output, n_jobs, progress
        As in `glasswood.attributions`.
    """
    rows, weights = background, sample_weight
    if background is not None and is_collection(background):
        rows, weights = _streams(background, sample_weight)
    over: dict[str, Any] = {"background": rows, "sample_weight": weights, "method": method, "progress": progress}
    options: dict[str, Any] = {"interactions": interactions, "features": features, "output": output, "n_jobs": n_jobs}
    if not is_collection(X):
        return gw.attributions(model, X, **over, **options)
    check_collection(X, "X", "glasswood.attributions")
    parts = DaskParts.of_collections(X=X)
    (first,) = parts.first()
    explain = gw.attributor(as_ensemble(model, first), n_jobs=n_jobs, **over)
    if interactions:
        one = explain(take_rows(first, 0, 1), **options)
        check_bytes(sum(parts.n_rows), len(one.names), len(one.outputs))
    found = parts.ask(_explain, explain, options)
    return _joined(found, FarRows(X, parts.n_rows))


def _explain(part: tuple[Any], explain: Attributor, options: dict[str, Any]) -> Attributions:
    """Attributions of the rows of a partition, without the rows. Runs on a worker."""
    found = explain(part[0], **options)
    return replace(found, rows=replace(found.rows, table=None))


def _joined(found: Sequence[Attributions], table: FarRows) -> Attributions:
    """Attributions of all rows, in the order of the partitions."""
    first = found[0]
    by_row = {name: [getattr(part, name) for part in found] for name in _BY_ROW if getattr(first, name) is not None}
    own = {field.name: getattr(first.rows, field.name) for field in fields(first.rows)}
    joined = {name: np.concatenate(parts) for name, parts in by_row.items()}
    return replace(first, **joined, rows=FarAttributedRows(**{**own, "table": table}))  # type: ignore[arg-type]


def _streams(background: Any, sample_weight: Any) -> tuple[Any, Any]:
    """Partitions of the background and their weights, one after the other."""
    check_collection(background, "background", "glasswood.attributions")
    if sample_weight is None:
        return tables_of(background), None
    check_collection(sample_weight, "sample_weight", "glasswood.attributions")
    check_same_partitions({"background": background, "sample_weight": sample_weight})
    return tables_of(background), tables_of(sample_weight)
