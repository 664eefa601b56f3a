"""Stated thresholds: float32 thresholds as XGBoost prints them, with the fewest digits that identify them."""

import numpy as np
from numpy.typing import NDArray


def stated_threshold(numbers: NDArray[np.float32]) -> NDArray[np.float64]:
    """The float64 nearest to the shortest decimal that rounds to each float32.

    0.1 in float32 is 0.10000000149…; a label should show 0.1.
    """
    exact = numbers.astype(np.float64)
    best = exact.copy()
    with np.errstate(all="ignore"):
        exponent = np.floor(np.log10(np.abs(exact)))
        for digits in range(9, 0, -1):  # the fewest digits come last, so they win
            place = digits - 1 - exponent
            usable = np.isfinite(place) & (np.abs(place) <= 22)  # powers of ten that are exact in float64
            scale = 10.0 ** np.where(usable, np.abs(place), 0)
            up = place >= 0
            whole = np.rint(np.where(up, exact * scale, exact / scale))
            decimal = np.where(up, whole / scale, whole * scale)  # with exact operands the result is correctly rounded
            best = np.where(usable & (decimal.astype(np.float32) == numbers), decimal, best)
    return best
