"""Interaction: the joint table of two or more features, and what remains of it beyond fewer features."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import check_choice
from glasswood.errors import KeyNotFoundError, OptionError
from glasswood.plots import draw_heat
from glasswood.results._cells import Cells
from glasswood.results._html import html_table
from glasswood.results._json_values import to_json
from glasswood.results._lazy_table import LazyTable
from glasswood.results._main_terms import main_terms
from glasswood.results._outputs import by_output, output_index, weighted_sd, with_output
from glasswood.tables import FrameKind, make_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Interaction:
    """Value and weight of every cell of the product of two or more features.

    Tables are (cells of the first feature, cells of the second, …). If the model has several outputs, they are one more
    axis at the end.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> tree = gw.TreeRegressor(max_depth=2).fit(X, [0.0, 1.0, 2.0, 6.0])
    >>> pair = gw.interactions(tree, X)["x0", "x1"]
    >>> pair.value[:2, :2]
    array([[0., 2.],
           [1., 6.]])
    >>> pair.interaction[:2, :2]
    array([[ 0.75, -0.75],
           [-0.75,  0.75]])
    """

    features: tuple[str, ...]
    cells: tuple[Cells, ...]  # one per feature
    value: NDArray[np.float64]  # the joint table
    spread: NDArray[np.float64]  # NaN if the method defines none
    weight: NDArray[np.float64]
    baseline: float | NDArray[np.float64]  # weighted mean of value, one per output
    h2: float | NDArray[np.float64]  # Friedman's H² of a pair; NaN without a table or for more than two features
    # sd over the rows of f_jk = PD_jk − PD_j − PD_k + PD_∅, which is H²'s numerator in units of raw; NaN like h2
    term_sd: float | NDArray[np.float64]
    # effect of each feature of a pair, as `effects` gives it by the same method; empty for more than two features
    alone: tuple[NDArray[np.float64], ...]
    method: str
    outputs: tuple[str, ...]
    kind: FrameKind | None = None
    # share of the variance of the exact term over the rows that the means of the cells keep; 1 on the model's own cells
    kept: float | NDArray[np.float64] = 1.0
    _effect: LazyTable
    _interaction: LazyTable

    @property
    def degree(self) -> int:
        """Number of features."""
        return len(self.features)

    @property
    def effect(self) -> NDArray[np.float64]:
        """Joint value minus the baseline."""
        return self._effect.array

    @property
    def interaction(self) -> NDArray[np.float64]:
        """The purified table: its weighted mean along every feature is 0, and an additive model has 0 everywhere."""
        return self._interaction.array

    @property
    def strength(self) -> float | NDArray[np.float64]:
        """Weighted standard deviation of `interaction`, one per output."""
        table = self.interaction
        if len(self.outputs) == 1:
            return weighted_sd(table, self.weight)
        return np.array([weighted_sd(table[..., o], self.weight[..., o]) for o in range(len(self.outputs))])

    @property
    def left_out(self) -> float | NDArray[np.float64]:
        """Standard deviation over the rows of what the exact term does inside the cells, one per output.

        ``term_sd**2`` is ``left_out**2`` and the variance of the means of the cells. It is 0 on the model's own cells.
        """
        return self.term_sd * np.sqrt(1.0 - self.kept) if np.any(self.kept != 1.0) else np.zeros_like(self.term_sd)[()]

    def margins(self, output: str | int = 0) -> tuple[NDArray[np.float64], ...]:
        """Main term of each feature of a pair, per cell; empty for more than two features.

        They belong to the same decomposition as `interaction`: in every cell, the terms of the two features and the
        interaction add up to the joint effect. The effects in `alone` are those of `effects` and do not add up to it.
        """
        (o,) = output_index(output, self.outputs)
        if self.degree != 2:
            return ()
        one = len(self.outputs) == 1
        return main_terms(*(t if one else t[..., o] for t in (self.effect, self.interaction, self.weight)))

    def transpose(self, features: Sequence[str]) -> "Interaction":
        """The same tables with the features in another order."""
        if sorted(map(str, features)) != sorted(self.features):
            raise KeyNotFoundError(f"the table is of {', '.join(map(repr, self.features))}; got {features!r}")
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
            _effect=self._effect.transpose(axes),
            _interaction=self._interaction.transpose(axes),
        )

    def to_frame(self, backend: str | None = None) -> Any:
        """One row per cell: lower_0, upper_0, category_0, missing_0, lower_1, …, value, effect, interaction, weight.

        With several outputs there is a column `output`, and the cells are repeated for each output. The cells of the
        last feature vary fastest.
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
            "kept": to_json(self.kept),
            "alone": [to_json(effect) for effect in self.alone],
            "margins": [[to_json(part) for part in self.margins(o)] for o in range(len(self.outputs))],
        }

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
            Where to draw; by default new axes.
        output : str or int
            Which output to show, by name or position.
        table : {"interaction", "effect"}
            The purified interaction, or the joint effect. The margins show the main term of each feature; the two main
            terms and the interaction add up to the joint effect.
        axis : {"auto", "linear", "cells"}
            To scale; all cells with equal width; or to scale unless a feature is so skewed that most cells would be too
            narrow to see. The caption says if it is not to scale.
        """
        if self.degree != 2:
            raise OptionError(f"a table of {self.degree} features cannot be drawn as a map; see to_frame()")
        check_choice("table", table, ("interaction", "effect"))
        (o,) = output_index(output, self.outputs)
        one = len(self.outputs) == 1
        effect, pure, weight = (t if one else t[..., o] for t in (self.effect, self.interaction, self.weight))
        # so many cells per side that about one with weight remains in each; more would show gaps between rows
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

    def __repr__(self) -> str:
        size = " × ".join(str(len(cells)) for cells in self.cells)
        return f"Interaction({', '.join(map(repr, self.features))}, {size} cells, method={self.method!r})"
