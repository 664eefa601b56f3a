"""Every row that a small model can tell apart, and what the model answers: proofs by looking at all of them."""

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.reference.ensembles import Arrays, Recipe, random_ensemble
from tests.reference.predict import ZERO_REACH, reached


def small(seed: int) -> Arrays:
    """A random model of at most three features, so that all its cells can be tried."""
    rng = np.random.default_rng(seed)
    p, n_outputs = int(rng.integers(1, 4)), int(rng.integers(1, 3))
    recipe = Recipe(
        n_trees=int(rng.integers(0, 7)),
        n_features=p,
        n_category_features=int(rng.integers(0, p + 1)),
        n_outputs=n_outputs,
        width=int(rng.choice([1, n_outputs])),
        n_leaves=int(rng.integers(2, 7)),
        n_thresholds=3,
        max_levels=4,
    )
    return random_ensemble(rng, recipe)


def values(arrays: Arrays, feature: int) -> list[float]:
    """Values of a feature, at least one in every cell: thresholds and what is just above, codes, unseen, missing."""
    n_levels = int(arrays["n_levels"][feature])
    if n_levels:
        return list(range(-1, n_levels + 1))
    thresholds = np.unique(arrays["threshold"][(arrays["feature"] == feature)])
    around = [-np.inf, np.inf, 0.0, 2 * ZERO_REACH, -2 * ZERO_REACH]
    with np.errstate(over="ignore"):
        return [np.nan, *np.unique([*thresholds, *np.nextafter(thresholds, np.inf), *around]).tolist()]


def all_columns(arrays: Arrays, only: dict[int, list[float]] | None = None) -> list[NDArray[Any]]:
    """Every combination of values, as columns; `only` gives the values of some features."""
    options = [(only or {}).get(j, values(arrays, j)) for j in range(len(arrays["n_levels"]))]
    rows = list(product(*options))
    return [
        np.array([row[j] for row in rows], dtype=np.int32 if arrays["n_levels"][j] else np.float64)
        for j in range(len(options))
    ]


def leaf_values(arrays: Arrays, columns: list[NDArray[Any]], output: int) -> list[list[float]]:
    """What baseline and trees add to an output, row by row, to be added up exactly."""
    leaves = reached(arrays, columns)
    width = arrays["value"].shape[1]
    use = [t for t, first in enumerate(arrays["tree_output"]) if first <= output < first + width]
    return [
        [float(arrays["baseline"][output])]
        + [float(arrays["value"][row[t], output - arrays["tree_output"][t]]) for t in use]
        for row in leaves
    ]


def near_values(arrays: Arrays, feature: int, own: float) -> list[float]:
    """Values to which a feature may move, with the nearest one to `own` in every cell: never missing, never unseen."""
    n_levels = int(arrays["n_levels"][feature])
    if n_levels:
        return [own, *(level for level in range(n_levels) if level != own)]
    thresholds = np.unique(arrays["threshold"][(arrays["feature"] == feature)])
    ends = [ZERO_REACH, np.nextafter(ZERO_REACH, np.inf), 0.0]
    with np.errstate(over="ignore"):
        around = [*thresholds, *np.nextafter(thresholds, np.inf), *ends, *(-end for end in ends)]
    return [own, *(float(v) for v in np.unique(around) if np.isfinite(v) and v != own)]


def move_cost(arrays: Arrays, feature: int, own: float, values: NDArray[Any], scale: float) -> NDArray[np.float64]:
    """What it costs to move a feature from `own`: 1 for another level, or from missing; else the scaled distance."""
    if arrays["n_levels"][feature] or np.isnan(own):
        same = (values == own) | (np.isnan(values.astype(np.float64)) & np.isnan(own))
        return np.where(same, 0.0, 1.0)
    with np.errstate(over="ignore"):
        return np.abs(values - own) / scale
