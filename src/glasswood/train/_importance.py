"""Importance of features by the gain of their splits."""

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble


def gain_importance(ensemble: Ensemble) -> NDArray[np.float64]:
    """Share of each feature in the gain of a tree's splits, averaged over the trees that split at all.

    Returns
    -------
    ndarray of float64, (n_features,)
        Sums to 1, or is 0 where no tree gains anything.
    """
    n_features = len(ensemble.features)
    inner = ensemble.feature >= 0
    tree = np.repeat(np.arange(ensemble.n_trees), np.diff(ensemble.tree_start))[inner]
    gain = np.where(inner, ensemble.gain, 0.0)
    per_tree = np.add.reduceat(gain, ensemble.tree_start[:-1])[tree]
    share = np.divide(gain[inner], per_tree, out=np.zeros_like(per_tree), where=per_tree > 0)
    summed = np.bincount(ensemble.feature[inner], weights=share, minlength=n_features).astype(np.float64)
    total = float(summed.sum())
    return summed / total if total > 0 else summed
