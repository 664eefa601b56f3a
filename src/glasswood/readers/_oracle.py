"""Oracle: what the source library itself predicts, the standard every reader is held to."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import OWN_TABLE

FLOAT64_SUMS = 1e-12  # bound per unit of |baseline| + Σ|value| for libraries that add in float64


def float32_sums(n_trees: int) -> float:
    """Bound per unit of |baseline| + Σ|value| for a library that adds its trees in float32."""
    return (n_trees + 1) * 2.0**-24


@dataclass(frozen=True, slots=True, eq=False)
class Oracle:
    """Raw prediction and leaf numbers of the library, for the rows of one table."""

    raw: NDArray[np.float64]  # (n_rows, n_outputs)
    leaves: NDArray[np.int32] | None  # (n_rows, n_trees); None where the library gives no leaf numbers
    unit: float = FLOAT64_SUMS  # allowed difference in raw per unit of |baseline| + Σ|value of the leaf|
    notes: tuple[str, ...] = ()  # what the user should know about how the rows were asked
    asked_with: str = OWN_TABLE  # what the library was given to predict
    # (some of the first rows, n_outputs) what the public predict or predict_proba gives; None where raw is that
    prediction: NDArray[np.float64] | None = None
