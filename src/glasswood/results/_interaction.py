"""Interaction: the joint table of a pair, or of more features, and what is left of it beyond fewer."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood.errors import GlasswoodError
from glasswood.plots import draw_heat
from glasswood.results._cells import Cells
from glasswood.results._html import html_table
from glasswood.results._json import to_json
from glasswood.results._outputs import by_output, output_index, weighted_sd, with_output
from glasswood.results._purified import purify
from glasswood.tables import FrameKind, make_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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

    def margins(self, output: str | int = 0) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What each feature of a pair does alone, centred: with `interaction` they add up to `effect` of an output."""
        (o,) = output_index(output, self.outputs)
        one = len(self.outputs) == 1
        effect, pure, weight = (t if one else t[..., o] for t in (self.effect, self.interaction, self.weight))
        return _margins(effect - pure, weight)

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

    def plot(self, ax: "Axes | None" = None, *, output: str | int = 0, table: str = "interaction") -> "Axes":
        """Draw the table of a pair as a heat map on its real cells.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; fresh axes by default.
        output : str or int
            Which output to show, by name or position.
        table : {"interaction", "effect"}
            The purified interaction, with what each feature does alone in the margins (map and margins add up to the
            joint effect), or the joint effect itself.
        """
        if self.degree != 2:
            raise GlasswoodError(f"a table of {self.degree} features cannot be drawn as a map; see to_frame()")
        if table not in ("interaction", "effect"):
            raise GlasswoodError(f"table must be 'interaction' or 'effect', got {table!r}")
        (o,) = output_index(output, self.outputs)
        one = len(self.outputs) == 1
        effect, pure, weight = (t if one else t[..., o] for t in (self.effect, self.interaction, self.weight))
        margins = self.margins(o) if table == "interaction" else None
        return draw_heat(
            (self.cells[0].display(), self.cells[1].display()),
            pure if table == "interaction" else effect,
            weight,
            margins,
            features=(self.features[0], self.features[1]),
            label="interaction" if table == "interaction" else "joint effect on raw",
            note=self.method if one else f"{self.method}, output {self.outputs[o]}",
            ax=ax,
        )

    def _repr_html_(self) -> str:
        strength, h2 = np.atleast_1d(self.strength), np.atleast_1d(self.h2)
        rows = [[name, strength[o], h2[o]] for o, name in enumerate(self.outputs)]
        size = " × ".join(f"{len(cells):,}" for cells in self.cells)
        title = f"Interaction of {' and '.join(self.features)}, {size} cells ({self.method})"
        return html_table(title, ["output", "strength", "H²"], rows)

    def _by_output(self) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
        if len(self.outputs) == 1:
            return [(self.value, self.weight)]
        return [(self.value[..., o], self.weight[..., o]) for o in range(len(self.outputs))]

    def __repr__(self) -> str:
        size = " × ".join(str(len(cells)) for cells in self.cells)
        return f"Interaction({', '.join(map(repr, self.features))}, {size} cells, method={self.method!r})"


def _margins(
    additive: NDArray[np.float64], weight: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The two one-feature functions an additive table is the sum of, the second one centred by the weights."""
    known = np.where(np.isnan(additive), 0.0, 1.0)
    filled = np.nan_to_num(additive)
    with np.errstate(invalid="ignore"):
        across = np.sum(filled, axis=1) / np.sum(known, axis=1)
        up = np.sum(filled, axis=0) / np.sum(known, axis=0)
    mass = weight.sum(axis=1), weight.sum(axis=0)
    centred = []
    for part, w in zip((across, up), mass, strict=True):
        held = (w > 0) & ~np.isnan(part)
        centre = np.average(part[held], weights=w[held]) if held.any() else np.nanmean(part)
        centred.append(part - centre)
    return centred[0], centred[1]
