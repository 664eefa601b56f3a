"""Float keys: float64 as integers in the same order, to find a cut by bisection to the last float."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

LARGEST = float(np.finfo(np.float64).max)
_SIGN = np.iinfo(np.int64).min
_WIDTHS = (0, 1, 2, 3, 5, 8, 16, 24, 46)  # bits: how far around a guess a cut is searched before the whole stretch
_AT_ONCE = 4_096  # numbers to ask for in one call, where fewer ranges are open
_MAX_BITS = 8  # a range is divided into at most 256 parts

# numbers of stretches, and floats in them → whether the result there equals that at the lower end
Asked = Callable[[NDArray[np.intp], NDArray[np.float64]], NDArray[np.bool_]]


def to_keys(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Integers in the order of the floats; neighbours differ by 1, and both zeros are 0."""
    bits = np.ascontiguousarray(values, dtype=np.float64).view(np.int64)
    return np.where(bits < 0, _SIGN - bits, bits)


def from_keys(keys: NDArray[np.int64]) -> NDArray[np.float64]:
    """Inverse of `to_keys`."""
    return np.where(keys < 0, _SIGN - keys, keys).astype(np.int64, copy=False).view(np.float64)


def last_true(
    asked: Asked, low: NDArray[np.float64], high: NDArray[np.float64], guess: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Largest float of each stretch at which the result is true; it is true at `low` and false at `high`.

    The result may change once in a stretch. A guess only says where to search first; its neighbourhood is tested.
    """
    bottom, top = to_keys(low), to_keys(high)
    near = np.clip(to_keys(np.nan_to_num(guess, posinf=LARGEST, neginf=-LARGEST)), bottom, top)
    left = np.arange(len(low))
    up = asked(left, from_keys(near))  # the cut is at the guess or above it
    bottom, top = np.where(up, near, bottom), np.where(up, top, near)
    done = 0
    while len(left) and done < len(_WIDTHS):
        # ever further away on the side of the cut; keys have 63 bits and a sign, so that no sum overflows
        # a call costs more than a few numbers in it: where few cuts are left, all widths are asked at once
        n_widths = len(_WIDTHS) if done and len(left) * len(_WIDTHS) <= _AT_ONCE else 1
        away = np.left_shift(1, _WIDTHS[done : done + n_widths])
        done += n_widths
        below, above = bottom[left, np.newaxis], top[left, np.newaxis]
        probes = np.clip(near[left, np.newaxis] + np.where(up[:, np.newaxis], away, -away), below, above)
        true = asked(np.repeat(left, probes.shape[1]), from_keys(probes.ravel())).reshape(probes.shape)
        bottom[left] = np.where(true, probes, below).max(axis=1)
        top[left] = np.where(true, above, probes).min(axis=1)
        further = true[:, -1] == up
        left, up = left[further], up[further]
    return from_keys(_bisect(asked, bottom, top))


def _bisect(asked: Asked, bottom: NDArray[np.int64], top: NDArray[np.int64]) -> NDArray[np.int64]:
    """Narrow the ranges until the result is true at `bottom` and false at the next float.

    A call costs more than a few numbers in it, so few ranges are divided into many parts at once.
    """
    open_ = np.flatnonzero(top > bottom + 1)
    while len(open_):
        bits = int(np.clip(np.log2(_AT_ONCE / len(open_)), 1, _MAX_BITS))
        below, above = bottom[open_], top[open_]
        # the width may need all 64 bits, which the difference has as an unsigned number
        step = np.maximum((above - below).view(np.uint64) >> np.uint64(bits), np.uint64(1)).view(np.int64)
        probes = below[:, np.newaxis] + step[:, np.newaxis] * np.arange(1, 1 << bits)
        # a narrow range has fewer floats than probes; beyond it they repeat the last one
        count = np.minimum((above - below - 1).view(np.uint64), np.uint64((1 << bits) - 1)).view(np.int64)
        probes = np.take_along_axis(probes, np.minimum(np.arange(probes.shape[1]), count[:, np.newaxis] - 1), axis=1)
        true = asked(np.repeat(open_, probes.shape[1]), from_keys(probes.ravel())).reshape(probes.shape)
        n_true = np.logical_and.accumulate(true, axis=1).sum(axis=1)
        ends = np.column_stack([below, probes, above])
        every = np.arange(len(open_))
        bottom[open_] = ends[every, n_true]
        top[open_] = np.where(n_true == probes.shape[1], above, ends[every, n_true + 1])
        open_ = open_[top[open_] > bottom[open_] + 1]
    return bottom
