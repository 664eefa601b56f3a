"""Row draw: draws rows without replacement from the rows of all members."""

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.team._collective import add_up, gather_arrays
from glasswood.team._exchange import Exchange

Numbers = NDArray[np.uint32]

_BUCKET_BITS = 11


def draw_rows(
    team: Exchange, rows: Numbers, number: NDArray[np.int64], n: int, seed: int, stream: int
) -> tuple[Numbers, Numbers]:
    """Draw n of the rows of all members: the own rows that are drawn and those left out, in their order.

    A row's key is that of number[row]. The rows with the n smallest keys are drawn, as `_native.choose_rows` does.
    """
    if team.size == 1:
        return _native.choose_rows(rows, number, n, seed, stream)
    keys = _native.row_keys(rows, number, seed, stream)
    bucket = (keys >> np.uint64(64 - _BUCKET_BITS)).view(np.int64)
    below = np.cumsum(add_up(team, np.bincount(bucket, minlength=2**_BUCKET_BITS)))
    if n >= below[-1]:
        return rows, rows[:0]
    last = int(np.searchsorted(below, n, side="right"))  # the bucket with the first key that is not drawn
    near = np.sort(np.concatenate(gather_arrays(team, keys[bucket == last])))
    drawn = keys < near[n - (below[last - 1] if last else 0)]
    return rows[drawn], rows[~drawn]
