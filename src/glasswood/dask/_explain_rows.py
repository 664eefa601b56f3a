"""Rules and comparisons over the rows of Dask collections, made of sums and of one column at a time."""

from typing import Any

from glasswood.dask._collections import check_collection
from glasswood.dask._dask_parts import DaskParts
from glasswood.dask._weight_unit import weight_unit_of
from glasswood.explain.compare import Comparison, compare_parts
from glasswood.explain.rules import RuleSet, rules_of_parts, warn_if_empty
from glasswood.readers import as_ensemble
from glasswood.tables import frame_kind


def rules(
    model: Any,
    X: Any,
    y: Any,
    *,
    p0: float = 0.0,
    max_rules: int = 25,
    n_quantiles: int = 10,
    max_depth: int | None = 2,
    random_state: Any = None,
    sample_weight: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> RuleSet:
    """`glasswood.rules` from the rows of a Dask collection.

    To this process come sums and, of one feature at a time, its distinct values with their weights.

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
    p0, max_rules, n_quantiles, max_depth, random_state, n_jobs
        As in `glasswood.rules`.
    progress : bool
        Has no effect: Dask shows its tasks.
    """
    parts, first = _parts("glasswood.rules", X=X, y=y, sample_weight=sample_weight)
    found = rules_of_parts(
        as_ensemble(model, first),
        parts,
        kind=frame_kind(first),
        p0=p0,
        max_rules=max_rules,
        n_quantiles=n_quantiles,
        max_depth=max_depth,
        random_state=random_state,
        n_jobs=n_jobs,
    )
    warn_if_empty(found, p0)
    return found


def compare(
    a: Any,
    b: Any,
    X: Any,
    y: Any = None,
    *,
    scale: str = "auto",
    sample_weight: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> Comparison:
    """`glasswood.compare` over the rows of a Dask collection.

    To this process come sums, the difference of raw in every row (of one output at a time, 16 bytes per row with its
    weight) for the quantiles, and what `rules` brings.

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
    scale, n_jobs
        As in `glasswood.compare`.
    progress : bool
        Has no effect: Dask shows its tasks.
    """
    parts, first = _parts("glasswood.compare", X=X, y=y, sample_weight=sample_weight)
    unit = None if sample_weight is None else weight_unit_of(sample_weight)
    return compare_parts(a, b, parts, first, with_y=y is not None, scale=scale, unit=unit, n_jobs=n_jobs)


def _parts(instead: str, **collections: Any) -> tuple[DaskParts, Any]:
    """Partitions with rows as parts, and the table of the first."""
    for name, table in collections.items():
        if table is not None:
            check_collection(table, name, instead)
    parts = DaskParts.of_collections(**collections)
    return parts, parts.first()[0]
