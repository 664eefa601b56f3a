"""Purify: what is left of a table of several features beyond functions of fewer features."""

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood._powers import power_of, times_power

_TOLERANCE = 1e-14
_MAX_STEPS = 3_000
_FAINT = 1e-4  # weight given to a cell without weight, in units of the smallest positive weight


def purify(value: NDArray[np.float64], weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Residual of a table after functions of all its features but one, by weighted least squares.

    Cells without weight decide only what the other cells leave open. NaN stays NaN.
    """
    known = ~np.isnan(value)
    power = power_of(value)
    filled = times_power(np.ascontiguousarray(np.where(known, value, 0.0)), -power)
    weight = np.ascontiguousarray(np.where(known, weight, 0.0))
    weight = times_power(weight, -power_of(weight))
    residual = _native.purify(filled, weight) if value.ndim == 2 else _purify_many(filled, weight)
    return times_power(np.where(known, residual, np.nan), power)


def purify_outputs(value: NDArray[np.float64], weight: NDArray[np.float64], n_outputs: int) -> NDArray[np.float64]:
    """Purify the table of each output; several outputs are the last axis."""
    if n_outputs == 1:
        return purify(value, weight)
    return np.stack([purify(value[..., o], weight[..., o]) for o in range(n_outputs)], axis=-1)


def _purify_many(value: NDArray[np.float64], weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Three features and more: conjugate gradients on the normal equations.

    Cells without weight get a faint weight; the limit of ever fainter weights is extrapolated from three of them.
    """
    if not weight.any():
        weight = np.ones_like(weight)
    scale = float(np.sqrt(np.sum(weight * value**2)))
    # The residual does not depend on which functions of fewer features are subtracted first. Subtracting plain means
    # leaves only rounding errors of a table without interaction.
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
    """Subtract functions of all features but one from `value`; preconditioned by the weight of each margin."""
    axes = range(value.ndim)
    mass = [weight.sum(axis=d, keepdims=True) for d in axes]
    residual, direction, before = value.copy(), np.zeros_like(value), 1.0
    for step in range(_MAX_STEPS):
        margins = [(weight * residual).sum(axis=d, keepdims=True) for d in axes]
        scaled = [margin / total for margin, total in zip(margins, mass, strict=True)]
        size = float(sum(np.sum(a * b) for a, b in zip(margins, scaled, strict=True)))
        if np.sqrt(size) <= _TOLERANCE * scale:
            break
        # restarting now and then removes the rounding errors that directions accumulate
        turn = 0.0 if step % 200 == 0 else size / before
        direction = sum(scaled, turn * direction)
        before = size
        residual -= size / float(np.sum(weight * direction**2)) * direction
    return residual
