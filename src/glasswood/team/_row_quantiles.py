"""Row quantiles: lower quantiles of groups of rows that are spread over the members.

Floats are ordered like their bits, once those of negative numbers are turned round. The bits of a quantile are found
eleven at a time: the weights of all members are counted by the next bits of the values.
"""

import numpy as np
from numpy.typing import NDArray

from glasswood.team._collective import add_up
from glasswood.team._exchange import Exchange

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Keys = NDArray[np.uint64]

_SIGN = np.uint64(1 << 63)
_STEPS = (11, 11, 11, 11, 10, 10)  # bits, 64 in all
_MAX_GROUPS = 2048  # whose counts, 2048 numbers each, are exchanged at once


def group_quantiles(team: Exchange, group: Ints, values: Floats, whole: Ints, n_groups: int, quantile: float) -> Floats:
    """Smallest value of each group whose cumulative weight is at least this share of the group's weight.

    `whole` are whole weights, as `whole_weights` returns them. A group whose weights are all 0 has its smallest value,
    a group without rows NaN.
    """
    keys = _keys_of(values)
    found = np.empty(n_groups)
    for first in range(0, n_groups, _MAX_GROUPS):
        n = min(_MAX_GROUPS, n_groups - first)
        own = (group >= first) & (group < first + n)
        found[first : first + n] = _quantiles(team, group[own] - first, keys[own], whole[own], n, quantile)
    return found


def _quantiles(team: Exchange, group: Ints, keys: Keys, whole: Ints, n: int, quantile: float) -> Floats:
    n_rows, total = add_up(team, [np.bincount(group, minlength=n), _count(group, whole, n)])
    # where all weights are lost beside those of other groups, the first row is wanted
    whole = np.where(total[group] == 0, 1, whole)
    # the product may be rounded up or down
    wanted = np.where(total == 0, 1.0, quantile * total.astype(np.float64) * (1 - 1e-15))
    prefix, below, shift = np.zeros(n, dtype=np.uint64), np.zeros(n, dtype=np.int64), 64
    for bits in _STEPS:
        shift -= bits
        digit = (keys >> np.uint64(shift)) & np.uint64(2**bits - 1)
        counts = _count((group << bits) + digit.astype(np.int64), whole, n << bits).reshape(n, -1)
        reached = below[:, None] + np.cumsum(add_up(team, counts), axis=1)
        chosen = np.argmax(reached.astype(np.float64) >= wanted[:, None], axis=1)
        below = np.where(chosen > 0, reached[np.arange(n), chosen - 1], below)
        prefix = (prefix << np.uint64(bits)) | chosen.astype(np.uint64)
        alive = digit == chosen.astype(np.uint64)[group]
        group, keys, whole = group[alive], keys[alive], whole[alive]
    return np.where(n_rows > 0, _values_of(prefix), np.nan)


def _count(place: Ints, whole: Ints, n: int) -> Ints:
    """Sum of the whole numbers of each place."""
    sums = np.zeros(n, dtype=np.int64)
    np.add.at(sums, place, whole)
    return sums


def _keys_of(values: Floats) -> Keys:
    bits = (values + 0.0).view(np.uint64)  # −0 and 0 are equal
    return np.where(bits & _SIGN, ~bits, bits | _SIGN)


def _values_of(keys: Keys) -> Floats:
    return np.where(keys & _SIGN, keys ^ _SIGN, ~keys).view(np.float64)
