"""CellGrid: the paths of a model and the cells of its features, computed once per model."""

import dataclasses
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood._native import Paths
from glasswood._powers import power_of, times_power
from glasswood.ensemble import Ensemble
from glasswood.results import Cells


@dataclass(frozen=True, slots=True, eq=False)
class CellGrid:
    """The cells of every feature, for kernels and results."""

    ensemble: Ensemble  # values and weights scaled to an ordinary size by the powers of two below
    paths: Paths
    size: NDArray[np.int64]  # (n_features,) number of cells of each feature
    cells: tuple[Cells, ...]
    value_power: int
    weight_power: int

    def n_cells(self, tuples: NDArray[np.int32]) -> NDArray[np.int64]:
        """Number of cells of the table of each tuple of features (n_tuples, degree); 2**62 if there are more."""
        sizes = self.size[tuples].astype(np.float64).prod(axis=1)
        return np.asarray(np.minimum(sizes, 2.0**62), dtype=np.int64)

    def split(self, flat: NDArray[np.float64], tuples: NDArray[np.int32], n_outputs: int) -> list[NDArray[np.float64]]:
        """Tables that follow each other in `flat`, each as (n_outputs, cells …)."""
        ends = np.cumsum(self.n_cells(tuples) * n_outputs)
        parts = np.split(flat, ends[:-1]) if len(ends) else []
        return [part.reshape(n_outputs, *self.size[row]) for part, row in zip(parts, tuples, strict=True)]


def make_grid(ensemble: Ensemble) -> CellGrid:
    """The grid of a model; kept with it because every explanation needs it."""
    return ensemble._cached("grid", _make)


def _make(ensemble: Ensemble) -> CellGrid:
    value_power = power_of(np.concatenate([ensemble.value.ravel(), ensemble.baseline]))
    weight_power = power_of(ensemble.weight)
    if value_power or weight_power:
        ensemble = dataclasses.replace(
            ensemble,
            value=times_power(ensemble.value, -value_power),
            baseline=times_power(ensemble.baseline, -value_power),
            weight=times_power(ensemble.weight, -weight_power),
        )
    paths = Paths(ensemble._trees(), ensemble.weight, ensemble.features.missing_routed)
    found = paths.cells()
    start, regular, size = found["start"], found["regular"], found["size"]
    cells = tuple(
        _cells(ensemble, f, found["thresholds"][start[f] : start[f + 1]], int(regular[f]), int(size[f]))
        for f in range(len(ensemble.features))
    )
    return CellGrid(
        ensemble=ensemble,
        paths=paths,
        size=size.astype(np.int64),
        cells=cells,
        value_power=value_power,
        weight_power=weight_power,
    )


def _cells(ensemble: Ensemble, f: int, thresholds: NDArray[np.float64], regular: int, size: int) -> Cells:
    labels = ensemble.features.categories[f]
    used = size > 1
    is_category = labels is not None
    lower, upper = np.full(size, np.nan), np.full(size, np.nan)
    category: list[str | int | float | bool | None] = [None] * size
    if labels is not None and used:
        category[:regular] = labels
    elif labels is None:
        lower[0], lower[1:regular] = -np.inf, thresholds
        upper[: regular - 1], upper[regular - 1] = thresholds, np.inf
    missing = np.zeros(size, dtype=bool)
    # the unseen cell of a category comes after the known ones and before the missing one
    missing[regular + (1 if is_category and used else 0) :] = True
    return Cells(
        feature=ensemble.feature_names[f],
        is_category=is_category,
        lower=lower,
        upper=upper,
        category=tuple(category),
        missing=missing,
    )
