"""Purified: what a table does beyond functions of fewer features."""

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood._powers import power_of, times_power

_TOLERANCE = 1e-14
_MAX_STEPS = 3_000
_FAINT = 1e-4  # weight of a cell that has none, in units of the smallest weight there is


def purify(value: NDArray[np.float64], weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Residual of a table after functions of all its features but one, by weighted least squares.

    Cells without weight settle what the others leave open. NaN stays NaN.
    """
    known = ~np.isnan(value)
    power = power_of(value)
    filled = times_power(np.ascontiguousarray(np.where(known, value, 0.0)), -power)
    weight = np.ascontiguousarray(np.where(known, weight, 0.0))
    weight = times_power(weight, -power_of(weight))
    residual = _native.purify(filled, weight) if value.ndim == 2 else _purify_many(filled, weight)
    return times_power(np.where(known, residual, np.nan), power)


def decompose(
    effect: NDArray[np.float64], interaction: NDArray[np.float64], weight: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Main terms of a pair: a[i] + b[j] + interaction[i, j] is the effect of every cell that is known.

    The weighted mean of each is 0, as that of the effect. A cell whose every partner is unknown is NaN.
    """
    rest = effect - interaction
    first, second = (np.full(n, np.nan) for n in rest.shape)
    known = ~np.isnan(rest)
    while np.any(open_rows := np.isnan(first) & known.any(axis=1)):
        # cells that are linked by known ones share one constant; the row that begins takes none
        first[np.argmax(np.where(open_rows, known.sum(axis=1), -1))] = 0.0
        while _follow(second, first, rest) or _follow(first, second, rest.T):
            pass
    shift = _mean(first, np.where(known, weight, 0.0).sum(axis=1))
    return first - shift, second + shift


def _follow(found: NDArray[np.float64], by: NDArray[np.float64], rest: NDArray[np.float64]) -> bool:
    """Set the terms that follow from those of the other feature; whether there were any."""
    wanted = np.flatnonzero(np.isnan(found))
    told = rest[np.ix_(~np.isnan(by), wanted)] - by[~np.isnan(by), None]
    some = ~np.isnan(told).all(axis=0)
    found[wanted[some]] = np.nanmean(told[:, some], axis=0)
    return bool(some.any())


def _mean(value: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
    known = ~np.isnan(value)
    if not known.any():
        return 0.0
    mass = weight[known] if weight[known].sum() > 0 else np.ones(int(known.sum()))
    return float(np.sum(mass * value[known]) / mass.sum())


def _purify_many(value: NDArray[np.float64], weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Three features and more: conjugate gradients on the normal equations.

    The limit of faint weights is extrapolated from three of them.
    """
    if not weight.any():
        weight = np.ones_like(weight)
    scale = float(np.sqrt(np.sum(weight * value**2)))
    # Whatever functions of fewer features are taken out first, the residual is the same. Taking out plain means leaves
    # nothing but rounding of a table without interaction.
    residual = value
    for d in range(value.ndim):
        residual = residual - residual.mean(axis=d, keepdims=True)
    if weight.all():
        return _conjugate_gradients(residual, weight, scale)
    faint = _FAINT * weight[weight > 0].min()
    found = []
    for times in (3, 2, 1):
        residual = _conjugate_gradients(residual, np.where(weight > 0, weight, times * faint), scale)
        found.append(residual)
    third, second, first = found
    return 3 * (first - second) + third


def _conjugate_gradients(value: NDArray[np.float64], weight: NDArray[np.float64], scale: float) -> NDArray[np.float64]:
    """Take functions of all features but one out of `value`; preconditioned by the weight of each margin."""
    axes = range(value.ndim)
    mass = [weight.sum(axis=d, keepdims=True) for d in axes]
    residual, direction, before = value.copy(), np.zeros_like(value), 1.0
    for step in range(_MAX_STEPS):
        margins = [(weight * residual).sum(axis=d, keepdims=True) for d in axes]
        scaled = [margin / total for margin, total in zip(margins, mass, strict=True)]
        size = float(sum(np.sum(a * b) for a, b in zip(margins, scaled, strict=True)))
        if np.sqrt(size) <= _TOLERANCE * scale:
            break
        # a fresh start now and then sheds the rounding that directions collect
        turn = 0.0 if step % 200 == 0 else size / before
        direction = sum(scaled, turn * direction)
        before = size
        residual -= size / float(np.sum(weight * direction**2)) * direction
    return residual
