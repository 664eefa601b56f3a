"""FeatureEffect: value of the model per cell of one feature."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.results._cells import Cells
from glasswood.results._json import to_json
from glasswood.results._outputs import by_output, with_output
from glasswood.tables import FrameKind, make_frame


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FeatureEffect:
    """Value, effect, spread and weight of every cell of one feature.

    Arrays are (n_cells,) for a model with one output, else (n_cells, n_outputs).
    """

    feature: str
    cells: Cells
    value: NDArray[np.float64]
    effect: NDArray[np.float64]  # value − baseline
    spread: NDArray[np.float64]  # what the method says about the scatter around value; NaN where it says nothing
    weight: NDArray[np.float64]  # mass of the cell: of rows where a table was given, else of training
    baseline: float | NDArray[np.float64]  # weighted mean of value, one per output
    method: str
    outputs: tuple[str, ...]
    kind: FrameKind | None = None  # the caller's frame library

    def __len__(self) -> int:
        return len(self.cells)

    def to_frame(self, backend: str | None = None) -> Any:
        """One row per cell: lower, upper, category, missing, value, effect, spread, weight [, output].

        With several outputs the cells are repeated for each, one output after the other.
        """
        n = len(self.outputs)
        columns = self.cells.take(np.tile(np.arange(len(self)), n))
        for name in ("value", "effect", "spread", "weight"):
            columns[name] = by_output(getattr(self, name), n)
        return make_frame(with_output(columns, self.outputs, len(self)), backend or self.kind)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; numbers that are not finite are None."""
        return {
            "feature": self.feature,
            "method": self.method,
            "outputs": list(self.outputs),
            "cells": self.cells.to_dict(),
            "value": to_json(self.value),
            "effect": to_json(self.effect),
            "spread": to_json(self.spread),
            "weight": to_json(self.weight),
            "baseline": to_json(self.baseline),
        }

    def __repr__(self) -> str:
        return f"FeatureEffect({self.feature!r}, {len(self)} cells, method={self.method!r})"
