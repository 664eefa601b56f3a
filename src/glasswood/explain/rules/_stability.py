"""Stability: the expected share of rules that two runs with this number of trees have in common."""

import math

import numpy as np
from numpy.typing import NDArray

_N_CUTS = 50  # number of cuts over which the expectation is averaged


def expected_stability(count: NDArray[np.integer], n_trees: int, p0: float = 0.0) -> float:
    """Expected share of common paths of two forests on the same rows, averaged over cuts (1 if there is no choice).

    A path is selected with the probability φ that its frequency among `n_trees` new trees is above p0; two selections
    then share Σφ² / Σφ of their paths (Bénard et al., EJS 2021, section 4.2: 1 − ε). φ is the normal approximation of
    the binomial. The cuts are the midpoints between the 50 largest distinct frequencies above `p0`; paths below p0 are
    never selected.
    """
    values, number = np.unique(np.asarray(count), return_counts=True)
    if len(values) < 2:
        return 1.0
    frequency = values / n_trees
    top = frequency[::-1][: _N_CUTS + 1]
    cuts = (top[:-1] + top[1:]) / 2
    cuts = cuts[cuts > p0] if (cuts > p0).any() else np.array([p0])
    sd = np.sqrt(frequency * (1 - frequency) / n_trees)
    with np.errstate(divide="ignore"):
        away = (frequency - cuts[:, None]) / sd
    chance = _normal_cdf(away)
    selected = np.sum(chance * number, axis=1)
    shared = np.divide(
        np.sum(chance * chance * number, axis=1), selected, out=np.ones_like(selected), where=selected > 0
    )
    return float(np.mean(shared))


def _normal_cdf(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.array([0.5 * math.erfc(-v / math.sqrt(2)) for v in x.ravel().tolist()]).reshape(x.shape)
