"""FeatureEffect: the value of the model in each cell of one feature."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood._words import with_minus
from glasswood.plots import draw_curve
from glasswood.results._cells import Cells
from glasswood.results._html import Bar, html_table
from glasswood.results._json_values import to_json
from glasswood.results._outputs import by_output, output_index, with_output
from glasswood.tables import FrameKind, make_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FeatureEffect:
    """Value, effect, spread and weight of every cell of one feature.

    Arrays are (n_cells,) for a model with one output, else (n_cells, n_outputs).

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> tree = gw.TreeRegressor(max_depth=2).fit(X, [0.0, 1.0, 2.0, 6.0])
    >>> effect = gw.effects(tree, X)["x0"]
    >>> effect.value[:2], effect.effect[:2], effect.weight[:2]
    (array([1. , 3.5]), array([-1.25,  1.25]), array([2., 2.]))
    >>> effect.to_frame("pyarrow").column_names
    ['lower', 'upper', 'category', 'missing', 'value', 'effect', 'spread', 'weight']
    """

    feature: str
    cells: Cells
    value: NDArray[np.float64]
    effect: NDArray[np.float64]  # value − baseline
    spread: NDArray[np.float64]  # scatter of the model around value, as the method defines it; NaN if it defines none
    weight: NDArray[np.float64]  # weight of the rows in the cell if a table was given, otherwise of the training rows
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
        return make_frame(self.columns(), backend or self.kind)

    def columns(self) -> dict[str, Any]:
        """Columns of the frame, by name."""
        n = len(self.outputs)
        columns = self.cells.take(np.tile(np.arange(len(self)), n))
        for name in ("value", "effect", "spread", "weight"):
            columns[name] = by_output(getattr(self, name), n)
        return with_output(columns, self.outputs, len(self))

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

    def plot(self, ax: "Axes | None" = None, *, output: str | int | None = None, axis: str = "auto") -> "Axes":
        """Draw the effect as a step curve, with the weight of the cells as bars below.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default new axes.
        output : str or int, optional
            One output of several, by name or position; by default all.
        axis : {"auto", "linear", "cells"}
            To scale; all cells with equal width; or to scale unless the feature is so skewed that most cells would be
            too narrow to see. The caption says if it is not to scale.
        """
        n = len(self.outputs)
        shown = output_index(output, self.outputs)
        baseline = with_minus(", ".join(f"{b:.4g}" for b in np.atleast_1d(self.baseline)[shown][:3]))
        return draw_curve(
            self.cells.display(axis=axis),
            self.effect.reshape(len(self), n)[:, shown],
            self.weight.reshape(len(self), n)[:, shown].mean(axis=1),
            feature=self.feature,
            outputs=tuple(self.outputs[o] for o in shown),
            ylabel="effect on raw",
            note=f"{self.method}; baseline {baseline}",
            ax=ax,
        )

    def _repr_html_(self) -> str:
        n = len(self.outputs)
        effect = self.effect.reshape(len(self), n)
        value, weight = self.value.reshape(len(self), n), self.weight.reshape(len(self), n)
        reach = float(np.nanmax(np.abs(effect))) if np.any(np.isfinite(effect)) else 0.0
        rows = [
            [
                self.cells.label(i),
                *([self.outputs[o]] if n > 1 else []),
                value[i, o],
                effect[i, o],
                Bar(effect[i, o], reach),
                weight[i, o],
            ]
            for o in range(n)
            for i in range(len(self))
        ]
        header = [self.feature, *(["output"] if n > 1 else []), "value", "effect", "", "weight"]
        return html_table(f"Effect of {self.feature} ({self.method})", header, rows)

    def __repr__(self) -> str:
        return f"FeatureEffect({self.feature!r}, {len(self)} cells, method={self.method!r})"
