"""Baselines: the constant on the link scale that minimises a loss, given the offset; boosting starts there."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from glasswood._elementary import exp, expit, log, log1p
from glasswood._exact import exact_mean, fixed_numbers
from glasswood.team import ALONE, Exchange, group_quantiles, largest, team_mean, whole_weights

Floats = NDArray[np.float64]
# y, weight or empty, offset (n_outputs, n), n_outputs, the members whose rows count too
Start = Callable[[Floats, Floats, Floats, int, Exchange], Floats]

_LARGEST = 30.0  # keeps the baseline finite if a class has no rows; exp(−30) is negligible as a share


def start_of_mean(y: Floats, weight: Floats, offset: Floats, n_outputs: int, team: Exchange = ALONE) -> Floats:
    """Mean of y − offset."""
    return np.array([team_mean(team, y - offset[0], weight)])


def start_of_quantile(quantile: float) -> Start:
    """Make a function that starts at the weighted lower quantile of y − offset."""

    def start(y: Floats, weight: Floats, offset: Floats, n_outputs: int, team: Exchange = ALONE) -> Floats:
        return np.array([lower_quantile(y - offset[0], weight, quantile, team)])

    return start


def start_of_poisson(y: Floats, weight: Floats, offset: Floats, n_outputs: int, team: Exchange = ALONE) -> Floats:
    """log(Σ w y / Σ w e^offset)."""
    return np.array([float(log(team_mean(team, y, weight))) - _log_mean_exp(offset[0], weight, team)])


def start_of_gamma(y: Floats, weight: Floats, offset: Floats, n_outputs: int, team: Exchange = ALONE) -> Floats:
    """log of the mean of y e^−offset."""
    return np.array([_log_mean_exp(log(y) - offset[0], weight, team)])


def start_of_tweedie(power: float) -> Start:
    """Make a function that starts at log(Σ w y e^{(1−q)·offset} / Σ w e^{(2−q)·offset})."""

    def start(y: Floats, weight: Floats, offset: Floats, n_outputs: int, team: Exchange = ALONE) -> Floats:
        above = _log_mean_exp(log(y) + (1 - power) * offset[0], weight, team)
        return np.array([above - _log_mean_exp((2 - power) * offset[0], weight, team)])

    return start


def start_of_logistic(y: Floats, weight: Floats, offset: Floats, n_outputs: int, team: Exchange = ALONE) -> Floats:
    """Raw value whose mean probability is the share of the second class."""
    share = team_mean(team, y, weight)
    guess = float(np.clip(log(share) - log1p(-share), -_LARGEST, _LARGEST))
    highest, lowest = largest(team, [offset.max(initial=-np.inf), (-offset).max(initial=-np.inf)]) * [1.0, -1.0]
    if highest == lowest == 0 or abs(guess) == _LARGEST:
        return np.array([guess])
    # bisection, because the mean probability increases with b
    low, high = guess - highest - 1.0, guess - lowest + 1.0
    for _ in range(100):
        middle = (low + high) / 2
        if team_mean(team, expit(middle + offset[0]), weight) < share:
            low = middle
        else:
            high = middle
    return np.array([(low + high) / 2])


def start_of_softmax(y: Floats, weight: Floats, offset: Floats, n_outputs: int, team: Exchange = ALONE) -> Floats:
    """Centred logarithms of the class shares; the offset is not used."""
    shares = np.array([team_mean(team, y == k, weight) for k in range(n_outputs)])
    logs = log(np.maximum(shares, exp(-_LARGEST)))
    return np.asarray(logs - exact_mean(logs))


def lower_quantile(values: Floats, weight: Floats, quantile: float, team: Exchange = ALONE) -> float:
    """Smallest value whose cumulative weight is at least this share of the total."""
    values = values + 0.0  # of −0 and 0, which are equal, any could come first
    if team.size > 1:
        whole = whole_weights(team, weight, len(values))
        return float(group_quantiles(team, np.zeros(len(values), dtype=np.int64), values, whole, 1, quantile)[0])
    order = np.argsort(values, kind="stable")
    # weights in whole units, so that sums do not depend on the order of equal values
    below = np.cumsum(fixed_numbers(weight)[0][order]) if len(weight) else np.arange(1, len(values) + 1)
    # the product may be rounded up or down
    place = int(np.searchsorted(below, quantile * below[-1] * (1 - 1e-15)))
    return float(values[order[min(place, len(values) - 1)]])


def _log_mean_exp(values: Floats, weight: Floats, team: Exchange) -> float:
    """log of the mean of e^values, without overflow."""
    counted = values[weight > 0] if len(weight) else values
    highest = float(largest(team, [counted.max(initial=-np.inf)])[0])
    # rows without weight may have larger values; they are not counted
    return highest + float(log(team_mean(team, exp(np.minimum(values - highest, 0.0)), weight)))
