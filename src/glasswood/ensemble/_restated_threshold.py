"""Thresholds: the comparison of every library restated as "the largest float64 that goes left".

Every split predicate is monotone in x. Storing the largest x for which it holds makes the one comparison `x <=
threshold` exact for all libraries.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

# The float32 after FLT_MAX is infinity, but rounding treats it as 2**128: half a step above FLT_MAX is infinite.
_FLOAT32_MAX = float(np.finfo(np.float32).max)
_FLOAT32_OVERFLOW = _FLOAT32_MAX + 2.0**103


def at_most(threshold: ArrayLike) -> NDArray[np.float64]:
    """x <= t in float64 (LightGBM, HistGradientBoosting)."""
    return np.array(threshold, dtype=np.float64)


def below(threshold: ArrayLike) -> NDArray[np.float64]:
    """x < t in float64 (perpetual)."""
    with np.errstate(all="ignore"):
        return np.nextafter(np.asarray(threshold, dtype=np.float64), -np.inf)


def float32_at_most(threshold: ArrayLike) -> NDArray[np.float64]:
    """float32(x) <= t with t in float64 (scikit-learn trees, CatBoost borders)."""
    with np.errstate(all="ignore"):
        wanted = np.asarray(threshold, dtype=np.float64)
        nearest = wanted.astype(np.float32)
        rounded_up = nearest.astype(np.float64) > wanted
        largest = np.where(rounded_up, np.nextafter(nearest, np.float32(-np.inf)), nearest)
    return _largest_rounding_to(largest)


def float32_below(threshold: ArrayLike) -> NDArray[np.float64]:
    """float32(x) < t with t in float32 (XGBoost)."""
    with np.errstate(all="ignore"):
        wanted = np.asarray(threshold, dtype=np.float32)
        largest = np.nextafter(wanted, np.float32(-np.inf))
    return _largest_rounding_to(largest)


def _largest_rounding_to(largest: NDArray[np.float32]) -> NDArray[np.float64]:
    """Give the largest float64 that rounds to the float32 `largest` or below."""
    with np.errstate(all="ignore"):  # subnormal numbers and overflow are expected here
        here = largest.astype(np.float64)
        after = np.nextafter(largest, np.float32(np.inf)).astype(np.float64)
        middle = here + (after - here) / 2
        middle = np.where(here == _FLOAT32_MAX, _FLOAT32_OVERFLOW, middle)
        middle = np.where(here == -np.inf, -_FLOAT32_OVERFLOW, middle)
        middle = np.where(here == np.inf, np.inf, middle)
        ties_down = middle.astype(np.float32) <= largest
        return np.where(ties_down, middle, np.nextafter(middle, -np.inf))
