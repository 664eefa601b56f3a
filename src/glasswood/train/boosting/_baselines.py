"""Baselines: the constant on the link scale that minimises a loss, given the offset; boosting starts there."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from glasswood._elementary import exp, expit, log, log1p
from glasswood._exact import exact_mean, fixed_numbers

Floats = NDArray[np.float64]
Start = Callable[[Floats, Floats, Floats, int], Floats]  # y, weight or empty, offset (n_outputs, n), n_outputs

_LARGEST = 30.0  # keeps the baseline finite if a class has no rows; exp(−30) is negligible as a share


def start_of_mean(y: Floats, weight: Floats, offset: Floats, n_outputs: int) -> Floats:
    """Mean of y − offset."""
    return np.array([exact_mean(y - offset[0], weight)])


def start_of_quantile(quantile: float) -> Start:
    """Make a function that starts at the weighted lower quantile of y − offset."""

    def start(y: Floats, weight: Floats, offset: Floats, n_outputs: int) -> Floats:
        return np.array([lower_quantile(y - offset[0], weight, quantile)])

    return start


def start_of_poisson(y: Floats, weight: Floats, offset: Floats, n_outputs: int) -> Floats:
    """log(Σ w y / Σ w e^offset)."""
    return np.array([float(log(exact_mean(y, weight))) - _log_mean_exp(offset[0], weight)])


def start_of_gamma(y: Floats, weight: Floats, offset: Floats, n_outputs: int) -> Floats:
    """log of the mean of y e^−offset."""
    return np.array([_log_mean_exp(log(y) - offset[0], weight)])


def start_of_tweedie(power: float) -> Start:
    """Make a function that starts at log(Σ w y e^{(1−q)·offset} / Σ w e^{(2−q)·offset})."""

    def start(y: Floats, weight: Floats, offset: Floats, n_outputs: int) -> Floats:
        above = _log_mean_exp(log(y) + (1 - power) * offset[0], weight)
        return np.array([above - _log_mean_exp((2 - power) * offset[0], weight)])

    return start


def start_of_logistic(y: Floats, weight: Floats, offset: Floats, n_outputs: int) -> Floats:
    """Raw value whose mean probability is the share of the second class."""
    share = exact_mean(y, weight)
    guess = float(np.clip(log(share) - log1p(-share), -_LARGEST, _LARGEST))
    if not offset.any() or abs(guess) == _LARGEST:
        return np.array([guess])
    # bisection, because the mean probability increases with b
    low, high = guess - offset.max() - 1.0, guess - offset.min() + 1.0
    for _ in range(100):
        middle = (low + high) / 2
        if exact_mean(expit(middle + offset[0]), weight) < share:
            low = middle
        else:
            high = middle
    return np.array([(low + high) / 2])


def start_of_softmax(y: Floats, weight: Floats, offset: Floats, n_outputs: int) -> Floats:
    """Centred logarithms of the class shares; the offset is not used."""
    shares = np.array([exact_mean(y == k, weight) for k in range(n_outputs)])
    logs = log(np.maximum(shares, exp(-_LARGEST)))
    return np.asarray(logs - exact_mean(logs))


def lower_quantile(values: Floats, weight: Floats, quantile: float) -> float:
    """Smallest value whose cumulative weight is at least this share of the total."""
    order = np.argsort(values, kind="stable")
    # weights in whole units, so that sums do not depend on the order of equal values
    below = np.cumsum(fixed_numbers(weight)[0][order]) if len(weight) else np.arange(1, len(values) + 1)
    # the product may be rounded up or down
    place = int(np.searchsorted(below, quantile * below[-1] * (1 - 1e-15)))
    return float(values[order[min(place, len(values) - 1)]])


def _log_mean_exp(values: Floats, weight: Floats) -> float:
    """log of the mean of e^values, without overflow."""
    largest = float((values[weight > 0] if len(weight) else values).max())
    # rows without weight may have larger values; they are not counted
    return largest + float(log(exact_mean(exp(np.minimum(values - largest, 0.0)), weight)))
