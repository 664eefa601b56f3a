"""Starts: the constant on the link scale that minimises a loss, given the offset; boosting begins there."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Start = Callable[[Floats, Floats, Floats, int], Floats]  # y, weight or empty, offset (n_outputs, n), n_outputs

_LARGEST = 30.0  # a share of exp(−30) is nobody's; keeps the start finite when a class has no rows


def start_of_mean(y: Floats, weight: Floats, offset: Floats, n_outputs: int) -> Floats:
    """Mean of y − offset."""
    return np.array([_mean(y - offset[0], weight)])


def start_of_quantile(alpha: float) -> Start:
    """Make the start at the weighted lower quantile of y − offset."""

    def start(y: Floats, weight: Floats, offset: Floats, n_outputs: int) -> Floats:
        return np.array([lower_quantile(y - offset[0], weight, alpha)])

    return start


def start_of_poisson(y: Floats, weight: Floats, offset: Floats, n_outputs: int) -> Floats:
    """log(Σ w y / Σ w e^offset)."""
    return np.array([np.log(_mean(y, weight)) - _log_mean_exp(offset[0], weight)])


def start_of_gamma(y: Floats, weight: Floats, offset: Floats, n_outputs: int) -> Floats:
    """log of the mean of y e^−offset."""
    return np.array([_log_mean_exp(_log(y) - offset[0], weight)])


def start_of_tweedie(power: float) -> Start:
    """Make the start log(Σ w y e^{(1−q)·offset} / Σ w e^{(2−q)·offset})."""

    def start(y: Floats, weight: Floats, offset: Floats, n_outputs: int) -> Floats:
        above = _log_mean_exp(_log(y) + (1 - power) * offset[0], weight)
        return np.array([above - _log_mean_exp((2 - power) * offset[0], weight)])

    return start


def start_of_logistic(y: Floats, weight: Floats, offset: Floats, n_outputs: int) -> Floats:
    """Raw value whose mean probability is the share of the second class."""
    share = _mean(y, weight)
    with np.errstate(divide="ignore"):
        guess = float(np.clip(np.log(share) - np.log1p(-share), -_LARGEST, _LARGEST))
    if not offset.any() or abs(guess) == _LARGEST:
        return np.array([guess])
    # the mean probability rises with b: halve until b is found
    low, high = guess - offset.max() - 1.0, guess - offset.min() + 1.0
    for _ in range(100):
        middle = (low + high) / 2
        # 1/(1 + exp(−x)) = (1 + tanh(x/2))/2, which never overflows
        if _mean(0.5 + 0.5 * np.tanh((middle + offset[0]) / 2), weight) < share:
            low = middle
        else:
            high = middle
    return np.array([(low + high) / 2])


def start_of_softmax(y: Floats, weight: Floats, offset: Floats, n_outputs: int) -> Floats:
    """log of the class shares, centred; an offset is left to the trees."""
    shares = np.array([_mean((y == k).astype(np.float64), weight) for k in range(n_outputs)])
    logs = np.log(np.maximum(shares, np.exp(-_LARGEST)))
    return np.asarray(logs - logs.mean())


def lower_quantile(values: Floats, weight: Floats, alpha: float) -> float:
    """Smallest value whose cumulative weight is at least alpha of the total."""
    order = np.argsort(values, kind="stable")
    below = np.cumsum(weight[order]) if len(weight) else np.arange(1.0, len(values) + 1)
    # the last sum may round either way
    place = int(np.searchsorted(below, alpha * below[-1] * (1 - 1e-15)))
    return float(values[order[min(place, len(values) - 1)]])


def _log(y: Floats) -> Floats:
    with np.errstate(divide="ignore"):  # the log of 0 is −inf, which adds nothing
        return np.asarray(np.log(y))


def _log_mean_exp(values: Floats, weight: Floats) -> float:
    """log of the mean of e^values, without leaving the range of numbers."""
    largest = float((values[weight > 0] if len(weight) else values).max())
    # rows without weight may lie higher; what they give is not counted
    return largest + float(np.log(_mean(np.exp(np.minimum(values - largest, 0.0)), weight)))


def _mean(values: Floats, weight: Floats) -> float:
    return float(np.average(values, weights=weight if len(weight) else None))
