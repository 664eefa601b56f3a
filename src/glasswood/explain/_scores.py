"""Scores: how close predictions are to a target, or how well they rank classes."""

import numpy as np
from numpy.typing import NDArray

from glasswood._exact import exact_auc, exact_mean


def auc(score: NDArray[np.float64], positive: NDArray[np.bool_], weight: NDArray[np.float64]) -> float:
    """Area under the ROC curve: the probability that a positive row scores above a negative one, ties counted half.

    NaN if one side is empty.
    """
    return exact_auc(np.round(score, 12), positive, weight)


def r2(prediction: NDArray[np.float64], y: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
    """Share of the variance of y that the prediction explains; NaN if y is constant."""
    total = exact_mean((y - exact_mean(y, weight)) ** 2, weight)
    return 1.0 - exact_mean((y - prediction) ** 2, weight) / total if total > 0 else float("nan")


def class_auc(share: NDArray[np.float64], label: NDArray[np.integer], weight: NDArray[np.float64]) -> float:
    """AUC of the share of the second class; with several classes, the mean AUC of each class against the rest."""
    if share.shape[1] == 1:
        return auc(share[:, 0], label == 1, weight)
    return mean_area([auc(share[:, k], label == k, weight) for k in range(share.shape[1])])


def mean_area(areas: list[float]) -> float:
    """Mean of the areas of classes, without those that are not defined."""
    return float(np.nanmean(areas)) if not np.all(np.isnan(areas)) else float("nan")
