"""Grow trees and forests: a table, a target and options → Ensemble."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood._checks import check_choice
from glasswood._exact import exact_sum
from glasswood._jobs import resolve_n_jobs
from glasswood._powers import power_of, times_power
from glasswood.ensemble import Ensemble, Provenance, build_ensemble
from glasswood.tables import check_some_weight
from glasswood.train._target import ClassTarget, Target
from glasswood.train._training_table import TrainingTable, check_n_rows
from glasswood.train.forest._options import ForestOptions, TreeOptions, rows_of

_MAX_EXPONENT = 960  # of a gain, so that sums over the splits of a tree stay finite


def grow_forest(
    table: TrainingTable,
    target: Target,
    weight: NDArray[np.float64] | None,
    options: TreeOptions,
    *,
    seed: int,
    source: Provenance,
    on_trees: Callable[[int], None] | None = None,
    n_jobs: int | None = None,
) -> Ensemble:
    """Grow the trees that `options` ask for: one, or a forest whose prediction is their mean.

    Parameters
    ----------
    table : TrainingTable
    target : NumberTarget or ClassTarget
    weight : ndarray of float64, (n_rows,), optional
        Weights of the rows. A row of weight 0 is ignored.
    options : TreeOptions or ForestOptions
    seed : int
        From 0 to 2**64 − 1; together with the options it determines every random draw.
    source : Provenance
        Recorded in the ensemble.
    on_trees : callable, optional
        Called while the trees grow with the number of trees finished since the last call.
    n_jobs : int, optional
        Number of threads. The result has the same bits for any number.

    Returns
    -------
    Ensemble

    Examples
    --------
    >>> import numpy as np
    >>> from glasswood.ensemble import Provenance
    >>> from glasswood.tables import read_table
    >>> from glasswood.train import NumberTarget, training_table
    >>> from glasswood.train.forest import TreeOptions, grow_forest
    >>> table = training_table(read_table(np.array([[0.0], [1.0], [2.0]])))
    >>> source = Provenance(
    ...     library="glasswood", version="", model="tree", objective="squared_error", weight_kind="weights"
    ... )
    >>> options = TreeOptions(criterion="squared_error")
    >>> target = NumberTarget(np.array([1.0, 1.0, 4.0]))
    >>> grow_forest(table, target, None, options, seed=0, source=source).threshold[0]
    np.float64(1.5)
    """
    n_rows, n_features = table.rows.n_rows, len(table.features)
    check_n_rows(n_rows)
    forest = options if isinstance(options, ForestOptions) else None
    is_class = isinstance(target, ClassTarget)
    check_choice("criterion", options.criterion, ("gini", "entropy") if is_class else ("squared_error",))
    drawn = forest is not None and forest.bootstrap
    exponent = 0 if weight is None or drawn else power_of(weight)  # with draws, rows are counted instead of weighted
    row_weight = row_weights(weight, n_rows)
    total = float(forest.n_rows_drawn(n_rows)) if forest is not None and drawn else exact_sum(row_weight)
    nodes: dict[str, Any] = _native.grow_forest(
        table.rows.data,
        table.features.n_levels,
        numbers=np.empty(0) if isinstance(target, ClassTarget) else target.y,
        labels=target.labels if isinstance(target, ClassTarget) else np.empty(0, dtype=np.int32),
        n_classes=len(target.classes) if isinstance(target, ClassTarget) else 0,
        weight=row_weight,
        criterion=options.criterion,
        max_depth=options.max_depth,
        min_samples_split=rows_of(options.min_samples_split, n_rows, least=2),
        min_samples_leaf=rows_of(options.min_samples_leaf, n_rows, least=1),
        min_weight_leaf=options.weight_needed(total, exponent),
        max_leaf_nodes=options.max_leaf_nodes,
        max_features=options.n_features_drawn(n_features),
        needs_gain=options.needs_gain,
        ccp_alpha=float(options.ccp_alpha),
        n_quantiles=forest.n_quantiles if forest is not None and forest.splits == "quantile" else 0,
        n_estimators=1 if forest is None else forest.n_estimators,
        bootstrap=drawn,
        n_draws=0 if forest is None else forest.n_rows_drawn(n_rows),
        seed=seed,
        on_trees=on_trees,
        n_threads=resolve_n_jobs(n_jobs),
    )
    nodes["stated_threshold"] = nodes.pop("shown")
    nodes["weight"] = times_power(nodes["weight"], exponent)
    nodes["gain"] = times_power(nodes["gain"], _gain_exponent(nodes["gain"], exponent))
    return build_ensemble(
        **nodes,
        baseline=np.zeros(len(target.outputs)),
        features=table.features,
        outputs=target.outputs,
        source=source,
    )


def row_weights(weight: NDArray[np.float64] | None, n_rows: int) -> NDArray[np.float64]:
    """Weights for the kernels, scaled to an ordinary size; at least one must be above 0."""
    if weight is None:
        return np.ones(n_rows)
    check_some_weight(np.count_nonzero(weight))
    return times_power(weight, -power_of(weight))


def _gain_exponent(gain: NDArray[np.float64], exponent: int) -> int:
    """Exponent for gains: that of the weights, limited so that all gains stay finite."""
    largest = float(np.fmax.reduce(gain, initial=0.0))
    own = math.frexp(largest)[1] if largest > 0 else 0
    return int(np.clip(exponent, -_MAX_EXPONENT - own, _MAX_EXPONENT - own))


def drawn_counts(
    weight: NDArray[np.float64] | None, n_rows: int, options: ForestOptions, *, seed: int, tree: int
) -> NDArray[np.float64]:
    """How often tree number `tree` of a forest drew each row, recomputed from its seed."""
    if not options.bootstrap:
        return row_weights(weight, n_rows)
    return _native.draw_rows(seed, tree, options.n_rows_drawn(n_rows), row_weights(weight, n_rows))
