"""Ensembles and rows that tests of attributions share."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from tests.reference.built import built
from tests.reference.ensembles import Recipe, random_columns, random_ensemble

Columns = list[NDArray[Any]]


def chain(n_features: int, seed: int = 0) -> tuple[Ensemble, Columns]:
    """Trees whose longest path splits on nearly all of many features."""
    rng = np.random.default_rng(seed)
    shapes = ("chain", "grown")
    recipe = Recipe(n_trees=3, n_features=n_features, n_leaves=2 * n_features, shapes=shapes, odd=False)
    e = built(random_ensemble(rng, recipe))
    return e, random_columns(rng, e._arrays() | {"n_levels": e.features.n_levels}, 70)


CASES = {
    "one output": {"n_trees": 40, "n_leaves": 31},
    "three outputs": {"n_trees": 12, "n_leaves": 31, "n_outputs": 3, "width": 3},
    "categories": {"n_trees": 20, "n_leaves": 15, "n_category_features": 4, "max_levels": 70},
    "oblivious": {"n_trees": 20, "n_leaves": 64, "shapes": ("oblivious",)},
}


def larger(name: str, n_rows: int, n_features: int = 10) -> tuple[Ensemble, Columns]:
    rng = np.random.default_rng(7)
    e = built(random_ensemble(rng, Recipe(**{"n_features": n_features, "n_thresholds": 200} | CASES[name])))
    return e, random_columns(rng, e._arrays() | {"n_levels": e.features.n_levels}, n_rows)
