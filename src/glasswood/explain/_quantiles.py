"""Quantiles: which of the values of a feature cut its rows into parts of about equal weight."""

import numpy as np
from numpy.typing import NDArray


def cut_positions(mass: NDArray[np.float64], n_quantiles: int) -> NDArray[np.int64]:
    """Positions of the cuts among the distinct values: the smallest with cumulative weight >= k/n, not the last."""
    if len(mass) <= n_quantiles:
        return np.arange(max(len(mass) - 1, 0))
    below = np.cumsum(mass)
    # products instead of quotients are exact if the weights are whole numbers
    reached = np.searchsorted(np.arange(1, n_quantiles) * below[-1], below * n_quantiles, side="right")
    return np.flatnonzero(np.diff(reached[:-1], prepend=0) > 0)
