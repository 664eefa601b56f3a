"""Small random models with rows and weights, for comparing effects with their definitions."""

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from hypothesis import strategies as st
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from tests.reference import effects as reference
from tests.reference.built import built
from tests.reference.ensembles import Recipe, random_columns, random_ensemble


@dataclass(frozen=True)
class Case:
    """A model, its rows as a frame and as cells, and their weights (None: 1 each)."""

    ensemble: Ensemble
    X: pl.DataFrame
    rows: list[reference.Row]
    weight: NDArray[np.float64] | None

    @property
    def w(self) -> NDArray[np.float64]:
        return np.ones(len(self.rows)) if self.weight is None else self.weight


def as_frame(ensemble: Ensemble, columns: list[NDArray[Any]]) -> pl.DataFrame:
    """Columns of codes and numbers as a frame; categories are labelled by their code, −1 is null."""
    series = {}
    for f, column in enumerate(columns):
        if ensemble.features.categories[f] is not None:
            column = [None if code < 0 else float(code) for code in column]
        series[ensemble.feature_names[f]] = pl.Series(column, dtype=pl.Float64)
    return pl.DataFrame(series)


def random_case(seed: int, **fixed: Any) -> Case:
    """One case; keyword arguments fix fields of the recipe."""
    rng = np.random.default_rng(seed)
    n_features, n_outputs = int(rng.integers(1, 5)), int(rng.integers(1, 4))
    drawn = {
        "n_trees": int(rng.integers(0, 5)),
        "n_features": n_features,
        "n_category_features": int(rng.integers(0, n_features + 1)),
        "n_outputs": n_outputs,
        "width": int(rng.choice([1, n_outputs])),
        "n_leaves": int(rng.choice([2, 3, 6, 9])),
        "n_thresholds": int(rng.choice([1, 2, 4])),
        "max_levels": 3,
    }
    chosen = drawn | fixed
    chosen["n_category_features"] = min(chosen["n_category_features"], chosen["n_features"])
    arrays = random_ensemble(rng, Recipe(**chosen))
    columns = random_columns(rng, arrays, int(rng.integers(1, 12)))
    if rng.random() < 0.3:
        _drop_weights(rng, arrays)
    ensemble = built(arrays)
    routed = rng.random(len(ensemble.features)) < 0.7
    ensemble = dataclasses.replace(ensemble, features=dataclasses.replace(ensemble.features, missing_routed=routed))
    weight = None
    if rng.random() < 0.5:
        weight = rng.choice([0.0, 1.0, 2.0, 0.5], len(columns[0]))
        weight[0] = 1.0
    return Case(ensemble, as_frame(ensemble, columns), reference.encode(ensemble, columns), weight)


def _drop_weights(rng: np.random.Generator, arrays: dict[str, NDArray[Any]]) -> None:
    """Remove the weight of some leaves."""
    leaf = arrays["feature"] < 0
    weight = np.where(leaf & (rng.random(len(leaf)) < 0.4), 0.0, arrays["weight"])
    for node in reversed(range(len(leaf))):
        if not leaf[node]:
            weight[node] = weight[arrays["left"][node]] + weight[arrays["right"][node]]
    arrays["weight"] = weight


def cases(**fixed: Any) -> st.SearchStrategy[Case]:
    """Random cases."""
    return st.integers(0, 2**32).map(lambda seed: random_case(seed, **fixed))
