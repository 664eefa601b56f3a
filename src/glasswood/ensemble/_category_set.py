"""Category sets: the codes of a category that belong to a set, packed into bits."""

import numpy as np
from numpy.typing import NDArray


def pack_set(members: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Words of a set from a flag per code; of many sets, if there are more dimensions before that of codes.

    Examples
    --------
    >>> import numpy as np
    >>> from glasswood.ensemble import pack_set, unpack_set
    >>> pack_set(np.array([True, False, True]))
    array([5], dtype=uint64)
    """
    *sets, n_codes = members.shape
    flags = np.zeros((*sets, -(-n_codes // 64) * 64), dtype=bool)
    flags[..., :n_codes] = members
    # little-endian words on every machine: bit c of the set is code c
    return np.packbits(flags, axis=-1, bitorder="little").view("<u8").astype(np.uint64)


def unpack_set(words: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Flag per code, 64 for each word; `np.flatnonzero` gives the codes. Of many sets, as `pack_set`."""
    return np.unpackbits(words.astype("<u8").view(np.uint8), axis=-1, bitorder="little").view(bool)
