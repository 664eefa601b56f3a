"""Explanations that need all rows of a Dask collection at once: the rows are brought to this process."""

from collections.abc import Sequence
from typing import Any

import glasswood as gw
from glasswood.dask._collections import check_collection, check_same_partitions, need_dask
from glasswood.errors import TableError
from glasswood.explain.compare import Comparison
from glasswood.explain.rules import RuleSet


def rules(model: Any, X: Any, y: Any, *, sample_weight: Any = None, **options: Any) -> RuleSet:
    """`glasswood.rules` from the rows of a Dask collection, which must fit into the memory of this process.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `glasswood.read` takes.
    X : Dask DataFrame or Array
        The training rows.
    y : Dask Series or Array
        Their targets, in the same partitions.
    sample_weight : Dask Series or Array, optional
        Weight of each row, in the same partitions.
    **options
        As in `glasswood.rules`.
    """
    rows, target, weight = _computed("glasswood.rules", X=X, y=y, sample_weight=sample_weight)
    return gw.rules(model, rows, target, sample_weight=weight, **options)


def compare(a: Any, b: Any, X: Any, y: Any = None, *, sample_weight: Any = None, **options: Any) -> Comparison:
    """`glasswood.compare` over the rows of a Dask collection, which must fit into the memory of this process.

    Parameters
    ----------
    a, b : fitted model, path or Ensemble
        Anything `glasswood.read` takes.
    X : Dask DataFrame or Array
        Rows with the columns of both models.
    y : Dask Series or Array, optional
        Their targets, in the same partitions.
    sample_weight : Dask Series or Array, optional
        Weight of each row, in the same partitions.
    **options
        As in `glasswood.compare`.
    """
    rows, target, weight = _computed("glasswood.compare", X=X, y=y, sample_weight=sample_weight)
    return gw.compare(a, b, rows, target, sample_weight=weight, **options)


def _computed(instead: str, **collections: Any) -> Sequence[Any]:
    """Tables of the collections, in their order; None stays None."""
    given = {name: table for name, table in collections.items() if table is not None}
    for name, table in given.items():
        check_collection(table, name, instead)
    check_same_partitions(given)
    tables = dict(zip(given, need_dask("dask").compute(*given.values()), strict=True))
    (first, rows), *others = tables.items()
    for name, table in others:
        if len(table) != len(rows):
            raise TableError(f"{first} has {len(rows)} rows and {name} has {len(table)}")
    return [tables.get(name) for name in collections]
