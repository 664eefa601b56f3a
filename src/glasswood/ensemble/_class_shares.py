"""Class shares: models whose leaves hold class shares, and the class with the largest share."""

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble._ensemble import Ensemble
from glasswood.ensemble._link import LinkKind

_CRITERIA = ("gini", "entropy", "log_loss")


def holds_shares(ensemble: Ensemble) -> bool:
    """Whether leaves hold class shares: true for trees and forests, false for boosting even if it names a criterion."""
    return ensemble.source.objective in _CRITERIA and ensemble.link.kind is LinkKind.IDENTITY


def shares_of(value: NDArray[np.float64], n_classes: int = 2) -> NDArray[np.float64]:
    """Class shares of each node; one output is the share of the second class."""
    if n_classes == 1:
        return np.ones((len(value), 1))
    return np.hstack([1.0 - value, value]) if value.shape[1] == 1 else value


def predicted_class(value: NDArray[np.float64], n_classes: int = 2) -> NDArray[np.intp]:
    """Class with the largest share in each node; of equal shares, the first."""
    return largest_share(shares_of(value, n_classes))


def largest_share(share: NDArray[np.float64]) -> NDArray[np.intp]:
    """Class with the largest share in each row of (n, n_classes); of shares equal to 12 digits, the first."""
    # rounding in sums over trees may hide a tie; a difference that matters is never that small
    return np.asarray(np.round(share, 12).argmax(axis=1))
