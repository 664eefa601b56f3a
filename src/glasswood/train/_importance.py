"""Importance of features by the gain of their splits."""

import numpy as np
from numpy.typing import NDArray

from glasswood._powers import power_of, times_power
from glasswood.ensemble import Ensemble


def gain_importance(ensemble: Ensemble) -> NDArray[np.float64]:
    """Share of each feature in the gain of all splits of all trees.

    Returns
    -------
    ndarray of float64, (n_features,)
        Sums to 1; all 0 if no split gains anything.
    """
    inner = ensemble.feature >= 0
    gain = ensemble.gain[inner]
    gain = times_power(gain, -power_of(gain))  # so that sums of very large or small gains stay finite
    summed = np.bincount(ensemble.feature[inner], weights=gain, minlength=len(ensemble.features)).astype(np.float64)
    total = float(summed.sum())
    return summed / total if total > 0 else summed
