"""Interaction: the joint table of a pair, or of more features, and what is left of it beyond fewer."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import check_choice
from glasswood._derived import derived
from glasswood.errors import OptionError
from glasswood.plots import draw_heat
from glasswood.results._cells import Cells
from glasswood.results._html import html_table
from glasswood.results._json import to_json
from glasswood.results._outputs import by_output, output_index, weighted_sd, with_output
from glasswood.results._purified import decompose, purify
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
    # sd over the rows of f_jk = PD_jk − PD_j − PD_k + PD_∅, which is H²'s numerator in units of raw; NaN as h2
    term_sd: float | NDArray[np.float64]
    # partial dependence (or what the method gives) of each feature of a pair, as `effects`; none beyond pairs
    alone: tuple[NDArray[np.float64], ...]
    method: str
    outputs: tuple[str, ...]
    kind: FrameKind | None = None
    # effect and interaction, made when first asked for: purifying costs more than all the rest; a transposed result
    # asks the other
    _derived: dict[str, NDArray[np.float64]] = field(default_factory=dict, repr=False)
    _other: "Interaction | None" = None
    _room: NDArray[np.float64] | None = None  # where `effect` goes, memory not yet written to

    @property
    def degree(self) -> int:
        """Number of features."""
        return len(self.features)

    @property
    def effect(self) -> NDArray[np.float64]:
        """Joint value minus the baseline."""
        if self._other is not None:
            return self._other.effect.transpose(self._order(self._other))
        # threads that race here write the same bytes to the same room
        return derived(self._derived, "effect", lambda: np.subtract(self.value, self.baseline, out=self._room))

    @property
    def interaction(self) -> NDArray[np.float64]:
        """The purified table: its weighted mean along every feature is 0, and an additive model has 0 everywhere."""
        if self._other is not None:
            return self._other.interaction.transpose(self._order(self._other))
        return derived(self._derived, "interaction", self._purified)

    @property
    def strength(self) -> float | NDArray[np.float64]:
        """Weighted standard deviation of `interaction`, one per output."""
        table = self.interaction
        if len(self.outputs) == 1:
            return weighted_sd(table, self.weight)
        return np.array([weighted_sd(table[..., o], self.weight[..., o]) for o in range(len(self.outputs))])

    def margins(self, output: str | int = 0) -> tuple[NDArray[np.float64], ...]:
        """Main term of each feature of a pair, per cell; nothing beyond pairs.

        They belong to the same decomposition as `interaction`: the terms of the two cells and the interaction add up to
        the joint effect, in every cell. `alone` has the effects that `effects` gives, which do not.
        """
        (o,) = output_index(output, self.outputs)
        if self.degree != 2:
            return ()
        one = len(self.outputs) == 1
        return decompose(*(t if one else t[..., o] for t in (self.effect, self.interaction, self.weight)))

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
            alone=tuple(self.alone[d] for d in order) if self.alone else (),
            _other=self if self._other is None else self._other,
        )

    def to_frame(self, backend: str | None = None) -> Any:
        """One row per cell: lower_0, upper_0, category_0, missing_0, lower_1, …, value, effect, interaction, weight.

        With several outputs the column output follows, and the cells are repeated for each, one after the other. The
        cells of the last feature vary fastest.
        """
        return make_frame(self.columns(), backend or self.kind)

    def columns(self) -> dict[str, Any]:
        """Columns of the frame, by name."""
        n = len(self.outputs)
        shape = self.value.shape[: self.degree]
        columns: dict[str, Any] = {}
        for d, (cells, index) in enumerate(zip(self.cells, np.indices(shape), strict=True)):
            columns |= cells.take(np.tile(index.ravel(), n), f"_{d}")
        for name in ("value", "effect", "interaction", "weight"):
            columns[name] = by_output(getattr(self, name), n)
        return with_output(columns, self.outputs, int(np.prod(shape)))

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
            "term_sd": to_json(self.term_sd),
            "alone": [to_json(effect) for effect in self.alone],
            "margins": [[to_json(part) for part in self.margins(o)] for o in range(len(self.outputs))],
        }

    def _order(self, other: "Interaction") -> list[int]:
        """Axes of the other's tables in the order of this one."""
        order = [other.features.index(name) for name in self.features]
        return order if len(self.outputs) == 1 else [*order, self.degree]

    def plot(
        self,
        ax: "Axes | None" = None,
        *,
        output: str | int = 0,
        table: str = "interaction",
        axis: str = "auto",
    ) -> "Axes":
        """Draw the table of a pair as a heat map on its real cells.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; fresh axes by default.
        output : str or int
            Which output to show, by name or position.
        table : {"interaction", "effect"}
            The purified interaction, or the joint effect. The margins show the main term of each feature: both and the
            interaction add up to the joint effect.
        axis : {"auto", "linear", "cells"}
            Numbers true to scale; every cell equally wide; or true to scale unless a feature is so skewed that most
            cells could not be seen. The caption says so where it is not to scale.
        """
        if self.degree != 2:
            raise OptionError(f"a table of {self.degree} features cannot be drawn as a map; see to_frame()")
        check_choice("table", table, ("interaction", "effect"))
        (o,) = output_index(output, self.outputs)
        one = len(self.outputs) == 1
        effect, pure, weight = (t if one else t[..., o] for t in (self.effect, self.interaction, self.weight))
        # as many cells a side as leave about one with weight in each: more would show gaps between rows, not the model
        most = int(np.clip(np.sqrt(np.count_nonzero(weight)), 40, 300))
        return draw_heat(
            (self.cells[0].display(most, axis=axis), self.cells[1].display(most, axis=axis)),
            pure if table == "interaction" else effect,
            weight,
            self.margins(o),
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

    def _purified(self) -> NDArray[np.float64]:
        parts = [purify(value, weight) for value, weight in self._by_output()]
        return parts[0] if len(self.outputs) == 1 else np.stack(parts, axis=-1)

    def _by_output(self) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
        if len(self.outputs) == 1:
            return [(self.value, self.weight)]
        return [(self.value[..., o], self.weight[..., o]) for o in range(len(self.outputs))]

    def __repr__(self) -> str:
        size = " × ".join(str(len(cells)) for cells in self.cells)
        return f"Interaction({', '.join(map(repr, self.features))}, {size} cells, method={self.method!r})"
