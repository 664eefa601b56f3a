"""Main terms: what each feature of a pair adds by itself, beside their interaction."""

import numpy as np
from numpy.typing import NDArray


def main_terms(
    effect: NDArray[np.float64], interaction: NDArray[np.float64], weight: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Main terms of a pair: a[i] + b[j] + interaction[i, j] is the effect of every known cell.

    The weighted mean of each term is 0, like that of the effect. The term of a cell that meets only unknown cells is
    NaN.
    """
    rest = effect - interaction
    first, second = (np.full(n, np.nan) for n in rest.shape)
    known = ~np.isnan(rest)
    while np.any(open_rows := np.isnan(first) & known.any(axis=1)):
        # cells linked by known ones share one unknown constant; the first row of each such group gets 0
        first[np.argmax(np.where(open_rows, known.sum(axis=1), -1))] = 0.0
        while _follow(second, first, rest) or _follow(first, second, rest.T):
            pass
    shift = _mean(first, np.where(known, weight, 0.0).sum(axis=1))
    return first - shift, second + shift


def _follow(found: NDArray[np.float64], by: NDArray[np.float64], rest: NDArray[np.float64]) -> bool:
    """Set the terms that follow from those of the other feature; tell whether there were any."""
    wanted = np.flatnonzero(np.isnan(found))
    implied = rest[np.ix_(~np.isnan(by), wanted)] - by[~np.isnan(by), None]
    some = ~np.isnan(implied).all(axis=0)
    found[wanted[some]] = np.nanmean(implied[:, some], axis=0)
    return bool(some.any())


def _mean(value: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
    known = ~np.isnan(value)
    if not known.any():
        return 0.0
    mass = weight[known] if weight[known].sum() > 0 else np.ones(int(known.sum()))
    return float(np.sum(mass * value[known]) / mass.sum())
