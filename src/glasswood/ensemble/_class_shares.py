"""Shares: models whose leaves hold class shares, and the class that follows from them."""

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble._ensemble import Ensemble
from glasswood.ensemble._link import LinkKind

_CRITERIA = ("gini", "entropy", "log_loss")


def holds_shares(ensemble: Ensemble) -> bool:
    """Whether leaves hold class shares: of a tree or a forest, not of boosting, which may name the same criterion."""
    return ensemble.source.objective in _CRITERIA and ensemble.link.kind is LinkKind.IDENTITY


def shares_of(value: NDArray[np.float64], n_classes: int = 2) -> NDArray[np.float64]:
    """Class shares of each node; two classes have one output, the share of the second, and so has a single one."""
    if n_classes == 1:
        return np.ones((len(value), 1))
    return np.hstack([1.0 - value, value]) if value.shape[1] == 1 else value


def predicted_class(value: NDArray[np.float64], n_classes: int = 2) -> NDArray[np.intp]:
    """Class with the largest share in each node, the first of equal ones."""
    return largest_share(shares_of(value, n_classes))


def largest_share(share: NDArray[np.float64]) -> NDArray[np.intp]:
    """Class with the largest share in each row of (n, n_classes), the first of those equal to 12 digits."""
    # Sums over trees may miss a tie by rounding; a difference that matters is never that small.
    return np.asarray(np.round(share, 12).argmax(axis=1))
