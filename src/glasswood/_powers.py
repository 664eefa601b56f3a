"""Powers of two: scale numbers of any size to an ordinary size without losing a digit, and back."""

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_ORDINARY = 100  # up to 2^±100, cubes of numbers and sums of 2^31 of them neither overflow nor underflow


def power_of(values: Floats) -> int:
    """Exponent e for which `values` / 2^e have an ordinary size; 0 if they already do. NaN is ignored."""
    largest = max(
        float(np.fmax.reduce(values, axis=None, initial=0.0)), -float(np.fmin.reduce(values, axis=None, initial=0.0))
    )
    exponent = (math.frexp(largest)[1] - 1) // 2 * 2  # even, so that its square root is a power of two as well
    return exponent if largest > 0 and abs(exponent) > _ORDINARY else 0


def times_power(values: Floats, exponent: int) -> Floats:
    """`values` · 2^exponent; infinite on overflow."""
    if exponent == 0:
        return values
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(np.ldexp(values, exponent))
