"""Float keys: float64 as integers in the same order, to find a cut by bisection to the last float."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

LARGEST = float(np.finfo(np.float64).max)
_SIGN = np.iinfo(np.int64).min
_WIDTHS = (0, 3, 8, 24, 46)  # bits: how far around a guess a cut is searched before the whole stretch

# numbers of stretches, and floats in them → whether the result there equals that at the lower end
Asked = Callable[[NDArray[np.intp], NDArray[np.float64]], NDArray[np.bool_]]


def to_keys(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Integers in the order of the floats; neighbours differ by 1, and both zeros are 0."""
    bits = np.ascontiguousarray(values, dtype=np.float64).view(np.int64)
    return np.where(bits < 0, _SIGN - bits, bits)


def from_keys(keys: NDArray[np.int64]) -> NDArray[np.float64]:
    """Inverse of `to_keys`."""
    return np.where(keys < 0, _SIGN - keys, keys).astype(np.int64).view(np.float64)


def last_true(
    asked: Asked, low: NDArray[np.float64], high: NDArray[np.float64], guess: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Largest float of each stretch at which the result is true; it is true at `low` and false at `high`.

    The result may change once in a stretch. A guess only says where to search first; its neighbourhood is tested.
    """
    bottom, top = to_keys(low), to_keys(high)
    near = np.clip(to_keys(np.nan_to_num(guess, posinf=LARGEST, neginf=-LARGEST)), bottom, top)
    left = np.arange(len(low))
    for bits in _WIDTHS:
        # limited to the range of keys, which have 63 bits
        down = np.maximum(near[left], bottom[left] + (1 << bits)) - (1 << bits)
        up = np.minimum(near[left], top[left] - (1 << bits)) + (1 << bits)
        down, up = np.maximum(down, bottom[left]), np.minimum(up, top[left])
        at_down, at_up = asked(left, from_keys(down)), asked(left, from_keys(up))
        bottom[left] = np.where(at_down, down, bottom[left])
        top[left] = np.where(at_up, top[left], up)
        bottom[left] = np.where(at_up, up, bottom[left])
        top[left] = np.where(at_down, top[left], down)
        left = left[at_down == at_up]
        if not len(left):
            break
    return from_keys(_bisect(asked, bottom, top))


def _bisect(asked: Asked, bottom: NDArray[np.int64], top: NDArray[np.int64]) -> NDArray[np.int64]:
    """Narrow the range until the result is true at `bottom` and false at the next float."""
    open_ = np.flatnonzero(top > bottom + 1)
    while len(open_):
        below, above = bottom[open_], top[open_]
        middle = (below >> 1) + (above >> 1) + (below & above & 1)  # the sum may not fit into 64 bits
        true = asked(open_, from_keys(middle))
        bottom[open_] = np.where(true, middle, below)
        top[open_] = np.where(true, above, middle)
        open_ = open_[top[open_] > bottom[open_] + 1]
    return bottom
