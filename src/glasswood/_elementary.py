"""Elementary functions with the same bits on every machine; those of numpy and the C library differ."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood import _native

Floats = NDArray[np.float64]


def _each(function: Callable[[Floats], Floats], values: Any) -> Floats:
    array = np.ascontiguousarray(values, dtype=np.float64)
    return function(array.ravel()).reshape(np.shape(values))


def exp(values: Any) -> Floats:
    """Return e to the power of each value."""
    return _each(_native.exp, values)


def log(values: Any) -> Floats:
    """Return the natural logarithm; −inf for 0, NaN for negative values."""
    return _each(_native.log, values)


def log2(values: Any) -> Floats:
    """Return the logarithm to base 2; exact for powers of two."""
    return _each(_native.log2, values)


def log1p(values: Any) -> Floats:
    """Return log(1 + x), accurate for small x."""
    return _each(_native.log1p, values)


def expit(values: Any) -> Floats:
    """Return 1 / (1 + exp(−x)), which never overflows."""
    return _each(_native.expit, values)
