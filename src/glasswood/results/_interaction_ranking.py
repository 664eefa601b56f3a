"""Ranking: pairs (or longer tuples) of features by the strength of their interaction."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood.plots import draw_bars
from glasswood.results._html import Bar, html_table
from glasswood.results._json_values import to_json
from glasswood.results._outputs import output_index
from glasswood.tables import FrameKind, make_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# score → label of the axis of a picture, with the method
SCORES = {
    "strength": "strength: sd of the interaction ({})",
    "h2": "Friedman's H²",
    "term_sd": "sd of the pair's term over the rows",
}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ranking:
    """Scores of the interactions, one entry per tuple of features and output, strongest first.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> tree = gw.TreeRegressor(max_depth=2).fit(X, [0.0, 1.0, 2.0, 6.0])
    >>> found = gw.interactions(tree, X).ranking().to_frame("pyarrow").to_pydict()
    >>> found["feature_0"], found["feature_1"], found["strength"]
    (['x0'], ['x1'], [0.75])
    """

    features: tuple[tuple[str, ...], ...]  # (n_entries,), each of `degree` names
    output: tuple[str, ...]  # (n_entries,)
    strength: NDArray[np.float64]  # (n_entries,); weighted sd of the purified interaction
    h2: NDArray[np.float64]  # Friedman's H²
    term_sd: NDArray[np.float64]  # sd of the pair's term over the rows, in units of raw
    kept: NDArray[np.float64] | None  # share of the term's variance that coarse cells keep; None on the model's own
    by: str  # which of the three decides the order
    degree: int
    method: str
    outputs: tuple[str, ...]  # of the model
    kind: FrameKind | None = None

    def __len__(self) -> int:
        return len(self.features)

    def to_frame(self, backend: str | None = None) -> Any:
        """One row per entry: feature_0, feature_1[, …], strength, h2 [, term_sd] [, kept] [, output].

        The column term_sd is present if it decides the order, the column kept if the cells are coarser than those of
        the model, the column output if the model has several.
        """
        columns: dict[str, Any] = {f"feature_{d}": [names[d] for names in self.features] for d in range(self.degree)}
        for name in dict.fromkeys(("strength", "h2", self.by)):
            columns[name] = getattr(self, name)
        if self.kept is not None:
            columns["kept"] = self.kept
        if len(self.outputs) > 1:
            columns["output"] = list(self.output)
        return make_frame(columns, backend or self.kind)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; numbers that are not finite are None."""
        return {
            "degree": self.degree,
            "method": self.method,
            "by": self.by,
            "features": [list(names) for names in self.features],
            "output": list(self.output),
            **{name: to_json(getattr(self, name)) for name in SCORES},
            "kept": None if self.kept is None else to_json(self.kept),
        }

    def plot(self, ax: "Axes | None" = None, *, output: str | int = 0) -> "Axes":
        """Draw the score that decides the order as bars, for one output."""
        (o,) = output_index(output, self.outputs)
        shown = [i for i, name in enumerate(self.output) if name == self.outputs[o]]
        names = [" × ".join(self.features[i]) for i in shown]
        of = self.method if len(self.outputs) == 1 else f"{self.method}, output {self.outputs[o]}"
        return draw_bars(names, getattr(self, self.by)[shown], xlabel=SCORES[self.by].format(of), ax=ax)

    def _repr_html_(self) -> str:
        several, score = len(self.outputs) > 1, getattr(self, self.by)
        reach = float(np.nan_to_num(score).max(initial=0.0))
        shown = list(dict.fromkeys(("strength", "h2", self.by)))
        rows: list[list[Any]] = [
            [*names, *([output] if several else [])] for names, output in zip(self.features, self.output, strict=True)
        ]
        header = [*(f"feature {d + 1}" for d in range(self.degree)), *(["output"] if several else [])]
        for name in shown:
            header += ["H²" if name == "h2" else name] + [""] * (name == self.by)
            for i, row in enumerate(rows):
                row += [getattr(self, name)[i]] + [Bar(score[i], reach, signed=False)] * (name == self.by)
        if self.kept is not None:
            header.append("kept")
            rows = [[*row, f"{share:.1%}"] for row, share in zip(rows, self.kept.tolist(), strict=True)]
        return html_table(f"Interactions ({self.method})", header, rows)

    def __repr__(self) -> str:
        return f"Ranking({len(self)} entries of degree {self.degree}, by={self.by!r}, method={self.method!r})"
