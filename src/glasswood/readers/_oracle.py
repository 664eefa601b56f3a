"""Oracle: what the source library itself predicts; every reader is compared with it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import OWN_TABLE

FLOAT64_SUMS = 1e-12  # tolerance per unit of |baseline| + Σ|value| for libraries that add in float64


def float32_sums(n_trees: int) -> float:
    """Tolerance per unit of |baseline| + Σ|value| for a library that adds its trees in float32."""
    return (n_trees + 1) * 2.0**-24


@dataclass(frozen=True, slots=True, eq=False)
class Oracle:
    """Raw prediction and leaf numbers of the library for the rows of one table."""

    raw: NDArray[np.float64]  # (n_rows, n_outputs)
    leaves: NDArray[np.int32] | None  # (n_rows, n_trees); None if the library gives no leaf numbers
    unit: float = FLOAT64_SUMS  # allowed difference in raw per unit of |baseline| + Σ|value of the leaf|
    notes: tuple[str, ...] = ()  # for the user, about how the library was asked
    asked_with: str = OWN_TABLE  # what the library was given to predict
    # (some of the first rows, n_outputs) result of the public predict or predict_proba; None if that is raw
    prediction: NDArray[np.float64] | None = None
