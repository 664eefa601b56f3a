"""Ledger: how much of the variance of a model its effects and pairs reproduce."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood._words import counted
from glasswood.plots import draw_shares
from glasswood.results._html import html_table
from glasswood.results._json_values import to_json
from glasswood.results._outputs import by_output, output_index, with_output
from glasswood.tables import FrameKind, make_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ledger:
    """Variance of raw over the rows, and the share of it that sums of simple terms reproduce.

    The share of some terms is 1 − Var(raw − g) / Var(raw), where g is the sum of multiples of the terms that comes
    closest to raw over the rows: one coefficient for each feature, and for each pair. It is 1 for a constant model.
    `effects`, `pairs` (what they add) and `left_over` are never negative and add up to 1, in attributes, frame and
    document alike. Arrays have one entry per output.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> tree = gw.TreeRegressor(max_depth=2).fit(X, [0.0, 1.0, 2.0, 6.0])
    >>> found = gw.ledger(tree, X)
    >>> found.variance, found.effects.round(3), found.pairs.round(3), found.left_over
    (array([5.1875]), array([0.892]), array([0.108]), array([0.]))
    """

    mean: NDArray[np.float64]  # weighted mean of raw
    variance: NDArray[np.float64]  # weighted variance of raw; inf or 0 if it is out of range; the shares are exact
    effects: NDArray[np.float64]  # share of the effects of single features
    effects_and_pairs: NDArray[np.float64]  # share of the effects and the terms of pairs
    # share of all terms added up without coefficients: smaller, even negative, if correlated features count the same
    # thing twice
    as_they_stand: NDArray[np.float64]
    outputs: tuple[str, ...]
    n_rows: int
    kind: FrameKind | None = None

    @property
    def pairs(self) -> NDArray[np.float64]:
        """What the terms of pairs add to the share of the effects."""
        return self.effects_and_pairs - self.effects

    @property
    def left_over(self) -> NDArray[np.float64]:
        """What effects and pairs do not reproduce: interactions of three features and more."""
        return 1.0 - self.effects_and_pairs

    def to_frame(self, backend: str | None = None) -> Any:
        """Three rows per output: shares of effects, of what pairs add, and of what is left over; they add up to 1."""
        parts = np.stack([self.effects, self.pairs, self.left_over])
        with np.errstate(invalid="ignore"):
            variance = np.where(parts == 0, 0.0, parts * self.variance)
        n = len(self.outputs)
        columns: dict[str, Any] = {
            "part": ["effects", "pairs", "left over"] * n,
            "share": by_output(parts[:, 0] if n == 1 else parts, n),
            "variance": by_output(variance[:, 0] if n == 1 else variance, n),
        }
        return make_frame(with_output(columns, self.outputs, 3), backend or self.kind)

    def plot(self, ax: "Axes | None" = None, *, output: str | int = 0) -> "Axes":
        """Draw the three shares of one output side by side."""
        (o,) = output_index(output, self.outputs)
        shares = np.array([self.effects[o], self.pairs[o], self.left_over[o]])
        of = "raw" if len(self.outputs) == 1 else f"raw of {self.outputs[o]}"
        return draw_shares(["effects", "pairs", "left over"], shares, xlabel=f"share of the variance of {of}", ax=ax)

    def _repr_html_(self) -> str:
        several = len(self.outputs) > 1
        rows = [
            [
                *([name] if several else []),
                self.variance[o],
                f"{self.effects[o]:.1%}",
                f"{self.pairs[o]:.1%}",
                f"{self.left_over[o]:.1%}",
            ]
            for o, name in enumerate(self.outputs)
        ]
        header = [*(["output"] if several else []), "variance of raw", "effects", "pairs add", "left over"]
        return html_table(f"Ledger over {counted(self.n_rows, 'row')}", header, rows)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "outputs": list(self.outputs),
            "n_rows": self.n_rows,
            "mean": to_json(self.mean),
            "variance": to_json(self.variance),
            "effects": to_json(self.effects),
            "pairs": to_json(self.pairs),
            "effects_and_pairs": to_json(self.effects_and_pairs),
            "left_over": to_json(self.left_over),
            "as_they_stand": to_json(self.as_they_stand),
        }

    def __repr__(self) -> str:
        parts = (("effects", self.effects), ("pairs", self.pairs), ("left_over", self.left_over))
        shares = ", ".join(f"{name}={' '.join(f'{share:.1%}' for share in part)}" for name, part in parts)
        return f"Ledger({shares}, n_rows={self.n_rows})"
