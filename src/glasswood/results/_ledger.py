"""Ledger: how much of a model its effects and pairs reproduce."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.results._json import to_json
from glasswood.results._outputs import by_output, with_output
from glasswood.tables import FrameKind, make_frame


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ledger:
    """Variance of raw over the rows, and the share of it that sums of simple terms reproduce.

    The share of a sum g is 1 − Var(raw − g) / Var(raw); it is 1 for a constant model and may be negative under strong
    correlation. Arrays have one entry per output.
    """

    mean: NDArray[np.float64]  # weighted mean of raw
    variance: NDArray[np.float64]  # weighted variance of raw
    effects: NDArray[np.float64]  # share of the sum of the effects of single features
    pairs: NDArray[np.float64]  # share of effects and pairs together
    outputs: tuple[str, ...]
    n_rows: int
    kind: FrameKind | None = None

    @property
    def left_over(self) -> NDArray[np.float64]:
        """What effects and pairs do not reproduce: interactions of three features and more."""
        return 1.0 - self.pairs

    def to_frame(self, backend: str | None = None) -> Any:
        """Three rows per output, part and share: effects, what pairs add, what is left over; they add up to 1."""
        parts = np.stack([self.effects, self.pairs - self.effects, self.left_over])
        n = len(self.outputs)
        columns: dict[str, Any] = {
            "part": ["effects", "pairs", "left over"] * n,
            "share": by_output(parts[:, 0] if n == 1 else parts, n),
            "variance": by_output((parts * self.variance)[:, 0] if n == 1 else parts * self.variance, n),
        }
        return make_frame(with_output(columns, self.outputs, 3), backend or self.kind)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "outputs": list(self.outputs),
            "n_rows": self.n_rows,
            "mean": to_json(self.mean),
            "variance": to_json(self.variance),
            "effects": to_json(self.effects),
            "pairs": to_json(self.pairs),
            "left_over": to_json(self.left_over),
        }
