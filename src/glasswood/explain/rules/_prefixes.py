"""Prefixes: predictions of the first 0, 1, 2, … rules of a list, for choosing its length."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from glasswood._exact import exact_column_means
from glasswood.ensemble import AlignedRows
from glasswood.explain._quantiles import cut_positions
from glasswood.explain.rules._fit import RuleOptions, choose_rules, rule_masks, rule_outputs
from glasswood.explain.rules._grid import RuleGrid, distinct_values
from glasswood.explain.rules._paths import PathCounts
from glasswood.explain.rules._target import RuleTarget
from glasswood.explain.rules._weights import output_moments, row_folds, solve_weights
from glasswood.results import Condition

PathKey: TypeAlias = frozenset[tuple[object, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class RulePrefixes:
    """A list of rules, and the predictions of its first k rules for other rows."""

    frequency: NDArray[np.float64]  # (n_rules,) descending
    # identity of each path: features, ranks of quantiles and sides; comparable between tables
    keys: tuple[PathKey, ...]
    prediction: NDArray[np.float64]  # (n_rules + 1, n_rows, n_outputs)


def rule_prefixes(
    counts: PathCounts,
    rows: AlignedRows,
    target: RuleTarget,
    weight: NDArray[np.float64],
    others: AlignedRows,
    options: RuleOptions,
    *,
    n_quantiles: int,
) -> RulePrefixes:
    """Choose rules on `rows` and predict `others` with the first k of them, for every k."""
    chosen, conditions, masks = choose_rules(counts, rows, weight, options)
    mean = exact_column_means(target.y, weight)
    _, inside, outside = rule_outputs(masks, target.y - mean, weight)
    fired = rule_masks(conditions, counts.grid.features, others, options.n_jobs)
    output = np.where(fired.T[:, :, None], inside[:, None, :], outside[:, None, :])  # (n_rules, n_others, n_outputs)
    prediction = np.zeros((len(chosen) + 1, others.n_rows, len(mean)))
    if target.labels is not None:
        prediction[1:] = np.cumsum(output, axis=0) / np.arange(1, len(chosen) + 1)[:, None, None]
    elif len(chosen):
        y = target.y[:, 0]
        fold = row_folds(masks, y, options.seed)
        moments = output_moments(masks, inside[:, 0], outside[:, 0], y - mean[0], weight, fold)
        last = moments.shape[1] - 1
        for k in range(1, len(chosen) + 1):
            first = np.array([*range(k + 1), last])
            beta = solve_weights(moments[:, first[:, None], first], options.l2).coefficient
            for part, values in zip(beta, output[:, :, 0], strict=False):
                prediction[k, :, 0] += part * values
    keys = _keys(conditions, counts.grid, rows, weight, n_quantiles)
    return RulePrefixes(frequency=counts.count[chosen] / counts.n_trees, keys=keys, prediction=prediction + mean)


def _keys(
    rules: list[tuple[Condition, ...]],
    grid: RuleGrid,
    rows: AlignedRows,
    weight: NDArray[np.float64],
    n_quantiles: int,
) -> tuple[PathKey, ...]:
    """Paths with the rank of each bound among the quantiles of its feature instead of the bound."""
    position = {name: f for f, name in enumerate(grid.features.names)}
    cuts: dict[str, NDArray[np.float64]] = {}
    for condition in (c for rule in rules for c in rule if c.levels is None):
        f = position[condition.feature]
        if condition.feature not in cuts and grid.features.categories[f] is None:
            values, mass = distinct_values(rows.column(f), weight)
            cuts[condition.feature] = values[cut_positions(mass, n_quantiles)]

    def rank(feature: str, bound: float) -> int | None:
        return int(np.searchsorted(cuts[feature], bound)) if np.isfinite(bound) else None

    return tuple(
        frozenset(
            (c.feature, rank(c.feature, c.lower), rank(c.feature, c.upper), c.levels, c.missing, c.present)
            for c in rule
        )
        for rule in rules
    )
