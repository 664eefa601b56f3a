"""Exact: sums and means over rows that do not depend on the order of the rows."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood import _native

Floats = NDArray[np.float64]


def _flat(values: Any) -> Floats:
    return np.ascontiguousarray(values, dtype=np.float64).ravel()


def exact_sum(values: Any) -> float:
    """Sum of all values."""
    return _native.exact_sum(_flat(values))


def exact_mean(values: Any, weight: Any = ()) -> float:
    """Weighted mean of the values, never below the smallest or above the largest; without weights each counts once.

    Values without weight are ignored, even if they are NaN; NaN if no value counts.
    """
    return _native.exact_mean(_flat(values), _flat(weight))


def exact_column_means(values: NDArray[Any], weight: Any = ()) -> Floats:
    """Weighted mean of each column of (n_rows, n_columns)."""
    return np.array([exact_mean(column, weight) for column in values.T])


def exact_group_sums(group: NDArray[Any], values: Any, n_groups: int) -> Floats:
    """Sum of the values of each group, 0 … n_groups − 1."""
    return _native.exact_group_sums(np.ascontiguousarray(group, dtype=np.int64), _flat(values), n_groups)


def exact_auc(score: Floats, positive: NDArray[np.bool_], weight: Any = ()) -> float:
    """Probability that a positive row scores above a negative one, ties counted half; NaN if one side is empty."""
    return _native.exact_auc(_flat(score), np.ascontiguousarray(positive), _flat(weight))


def lost_weights(weight: Floats, *, as_shares: bool = False) -> str:
    """A message about weights that are lost beside much larger ones; empty if there are none.

    `as_shares`: the weights are used as shares of the largest, so weights that are all tiny are not lost.
    """
    scale = float(weight.max(initial=0.0)) if as_shares else 1.0
    whole, unit = fixed_numbers(weight / scale if scale > 0 else weight)
    unit *= scale
    lost = (whole == 0) & (weight > 0)
    if not lost.any():
        return ""
    lightest, n_lost = weight[weight > 0].min(), int(np.count_nonzero(lost))
    return (
        f"sample_weight runs from {lightest:g} to {weight.max():g}: {n_lost:,} rows weigh less than {unit / 2:g}, one "
        "part in 2⁶² of all weight, and count for nothing"
    )


def fixed_numbers(values: Floats) -> tuple[NDArray[np.int64], float]:
    """Finite numbers as multiples of a unit, and the unit; sums of any of them are exact in 64 bits."""
    return _native.fixed_numbers(_flat(values))


def largest_size(values: Floats) -> float:
    """Largest |value|, without a copy of the values; 0 without any, NaN with one."""
    return float(np.maximum(values.max(initial=0.0), -values.min(initial=0.0)))
