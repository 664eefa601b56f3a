"""Category sets: the codes of a category that belong to a set, packed into bits."""

import numpy as np
from numpy.typing import NDArray


def pack_set(members: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Words of a set from a flag per code.

    Examples
    --------
    >>> import numpy as np
    >>> from glasswood.ensemble import pack_set, unpack_set
    >>> pack_set(np.array([True, False, True]))
    array([5], dtype=uint64)
    """
    flags = np.zeros(-(-len(members) // 64) * 64, dtype=bool)
    flags[: len(members)] = members
    # little-endian words on every machine: bit c of the set is code c
    return np.packbits(flags, bitorder="little").view("<u8").astype(np.uint64)


def unpack_set(words: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Flag per code, 64 for each word; `np.flatnonzero` gives the codes."""
    return np.unpackbits(words.astype("<u8").view(np.uint8), bitorder="little").astype(bool)
