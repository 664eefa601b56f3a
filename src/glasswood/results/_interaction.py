"""Interaction: the joint table of a pair, or of more features, and what is left of it beyond fewer."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.results._cells import Cells
from glasswood.results._json import to_json
from glasswood.results._outputs import by_output, weighted_sd, with_output
from glasswood.results._purified import purify
from glasswood.tables import FrameKind, make_frame


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Interaction:
    """Value and weight of every cell of the product of two or more features.

    Tables are (cells of the first feature, cells of the second, …), with the outputs as one more axis at the end where
    there are several.
    """

    features: tuple[str, ...]
    cells: tuple[Cells, ...]  # one per feature
    value: NDArray[np.float64]  # the joint table
    spread: NDArray[np.float64]  # NaN where the method says nothing
    weight: NDArray[np.float64]
    baseline: float | NDArray[np.float64]  # weighted mean of value, one per output
    h2: float | NDArray[np.float64]  # Friedman's H² of a pair; NaN without a table or beyond pairs
    method: str
    outputs: tuple[str, ...]
    kind: FrameKind | None = None
    # the purified table, made when first asked for: it costs more than all the rest; a transposed result asks the other
    _purified: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    _other: "Interaction | None" = None

    @property
    def degree(self) -> int:
        """Number of features."""
        return len(self.features)

    @property
    def effect(self) -> NDArray[np.float64]:
        """Joint value minus the baseline."""
        return self.value - self.baseline

    @property
    def interaction(self) -> NDArray[np.float64]:
        """The purified table: its weighted mean along every feature is 0, and an additive model has 0 everywhere."""
        if self._other is not None:
            return self._other.interaction.transpose(self._order(self._other))
        if "table" not in self._purified:
            parts = [purify(value, weight) for value, weight in self._by_output()]
            self._purified["table"] = parts[0] if len(self.outputs) == 1 else np.stack(parts, axis=-1)
        return self._purified["table"]

    @property
    def strength(self) -> float | NDArray[np.float64]:
        """Weighted standard deviation of `interaction`, one per output."""
        table = self.interaction
        if len(self.outputs) == 1:
            return weighted_sd(table, self.weight)
        return np.array([weighted_sd(table[..., o], self.weight[..., o]) for o in range(len(self.outputs))])

    def transpose(self, features: Sequence[str]) -> "Interaction":
        """The same tables with the features in another order."""
        order = [self.features.index(name) for name in features]
        axes = order if len(self.outputs) == 1 else [*order, self.degree]
        return replace(
            self,
            features=tuple(features),
            cells=tuple(self.cells[d] for d in order),
            value=self.value.transpose(axes),
            spread=self.spread.transpose(axes),
            weight=self.weight.transpose(axes),
            _other=self if self._other is None else self._other,
        )

    def to_frame(self, backend: str | None = None) -> Any:
        """One row per cell: lower_0, upper_0, category_0, missing_0, lower_1, …, value, effect, interaction, weight.

        With several outputs the column output follows, and the cells are repeated for each, one after the other. The
        cells of the last feature vary fastest.
        """
        n = len(self.outputs)
        shape = self.value.shape[: self.degree]
        columns: dict[str, Any] = {}
        for d, (cells, index) in enumerate(zip(self.cells, np.indices(shape), strict=True)):
            columns |= cells.take(np.tile(index.ravel(), n), f"_{d}")
        for name in ("value", "effect", "interaction", "weight"):
            columns[name] = by_output(getattr(self, name), n)
        return make_frame(with_output(columns, self.outputs, int(np.prod(shape))), backend or self.kind)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; numbers that are not finite are None."""
        return {
            "features": list(self.features),
            "method": self.method,
            "outputs": list(self.outputs),
            "cells": [cells.to_dict() for cells in self.cells],
            "value": to_json(self.value),
            "effect": to_json(self.effect),
            "interaction": to_json(self.interaction),
            "weight": to_json(self.weight),
            "baseline": to_json(self.baseline),
            "strength": to_json(self.strength),
            "h2": to_json(self.h2),
        }

    def _order(self, other: "Interaction") -> list[int]:
        """Axes of the other's tables in the order of this one."""
        order = [other.features.index(name) for name in self.features]
        return order if len(self.outputs) == 1 else [*order, self.degree]

    def _by_output(self) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
        if len(self.outputs) == 1:
            return [(self.value, self.weight)]
        return [(self.value[..., o], self.weight[..., o]) for o in range(len(self.outputs))]

    def __repr__(self) -> str:
        size = " × ".join(str(len(cells)) for cells in self.cells)
        return f"Interaction({', '.join(map(repr, self.features))}, {size} cells, method={self.method!r})"
