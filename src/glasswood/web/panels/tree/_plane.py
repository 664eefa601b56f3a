"""Plane: the features over which the regions of a tree are drawn, with the cell of every row.

The page compares no floats. Thresholds are numbered per feature, and the cell of a row is the number of thresholds
below its value: a row goes left at threshold k if its cell is k or less. For a category, the cell is its level; −1 is
missing.
"""

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import AlignedRows, Ensemble
from glasswood.web.panels._dates import date_ticks

_FEW_VALUES = 12


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """The features that are shown and their thresholds."""

    features: tuple[int, ...]  # positions in the model
    cuts: dict[int, NDArray[np.float64]]  # for each feature, ascending

    def rank(self, feature: int, threshold: float) -> int:
        """Position of a threshold among those of its feature."""
        return int(np.searchsorted(self.cuts[feature], threshold))


def plane_of(trees: list[Ensemble]) -> Plane:
    """Features that the trees split on; at least two if the model has two."""
    model = trees[0]
    used = {int(f) for tree in trees for f in np.unique(tree.feature) if f >= 0}
    spare = [f for f in range(len(model.features)) if f not in used]
    shown = tuple(sorted(used | set(spare[: max(0, 2 - len(used))])))
    feature = np.concatenate([np.where(tree.category_set < 0, tree.feature, -1) for tree in trees])
    order = np.argsort(feature, kind="stable")
    first, last = (np.searchsorted(feature[order], shown, side=side) for side in ("left", "right"))
    threshold = np.concatenate([tree.threshold for tree in trees])[order]
    return Plane(shown, {f: np.unique(threshold[a:b]) for f, a, b in zip(shown, first, last, strict=True)})


def plane_to_dict(
    plane: Plane, ensemble: Ensemble, table: AlignedRows, drawn: NDArray[np.int64], dates: Collection[str] = ()
) -> list[dict[str, Any]]:
    """JSON-ready: for each feature its name, range, thresholds or levels, and values and cells of the drawn rows.

    `dates` names the features that are dates; their ticks have texts.
    """
    shown = [_feature_to_dict(plane, f, ensemble, table.column(f), drawn) for f in plane.features]
    for feature in shown:
        if feature["name"] in dates and feature["kind"] == "number":
            feature["ticks"] = date_ticks(*feature["domain"])
    return shown


def _feature_to_dict(
    plane: Plane, feature: int, ensemble: Ensemble, values: NDArray[Any], drawn: NDArray[np.int64]
) -> dict[str, Any]:
    name, levels = ensemble.feature_names[feature], ensemble.features.categories[feature]
    here = values[drawn]
    if levels:
        n = len(levels)
        cells = np.where(here < 0, -1, np.minimum(here, n))
        return {
            "name": name,
            "kind": "category",
            "levels": [str(level) for level in levels] + (["unseen"] if bool((values >= n).any()) else []),
            "missing": bool((values < 0).any()),
            "cells": cells.tolist(),
        }
    numbers, cuts = values.astype(np.float64), plane.cuts[feature]
    cells = np.where(np.isnan(here), -1, np.searchsorted(cuts, here.astype(np.float64), side="left"))
    spread = _spread(numbers, cuts)
    low, high = _extent(numbers, cuts, spread)
    return {
        "name": name,
        "kind": "number",
        "domain": [low, high],
        # a threshold at infinity only tests whether the value is missing
        "cuts": [float(cut) for cut in np.clip(cuts, low, high)],
        "missing": bool(np.isnan(numbers).any()),
        "spread": spread,
        "values": _short(np.clip(numbers[drawn], low, high), high - low),
        "cells": cells.tolist(),
    }


def _extent(values: NDArray[np.float64], cuts: NDArray[np.float64], spread: float) -> tuple[float, float]:
    """Range of an axis: all finite values, and thresholds that are not far from them."""
    finite = values[np.isfinite(values)]
    if not len(finite):
        finite = cuts[np.isfinite(cuts)] if np.isfinite(cuts).any() else np.zeros(1)
    low, high = float(finite.min()), float(finite.max())
    width = high - low
    near = cuts[(cuts > low - width / 2) & (cuts < high + width / 2)]
    low, high = float(near.min(initial=low)), float(near.max(initial=high))
    pad = 0.05 * (high - low) + spread if high > low else 1.0
    return low - pad, high + pad


def _spread(values: NDArray[np.float64], cuts: NDArray[np.float64]) -> float:
    """How far rows may be moved so that equal values do not hide each other; none crosses a threshold."""
    finite = values[np.isfinite(values)]
    distinct = np.unique(finite)
    if not 1 < len(distinct) <= _FEW_VALUES or len(finite) <= 2 * len(distinct):
        return 0.0
    near = np.abs(distinct[:, None] - cuts[None, :]).min(initial=np.inf)
    return float(min(0.3 * np.diff(distinct).min(), 0.8 * near))


def _short(values: NDArray[np.float64], width: float) -> list[float | None]:
    """Values rounded to a millionth of the drawn width; None if missing."""
    decimals = 6 - math.floor(math.log10(width)) if width > 0 else 6
    return [None if math.isnan(value) else round(value, decimals) for value in values.tolist()]
