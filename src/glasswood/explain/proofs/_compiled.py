"""Compiled: the pieces of a model for the native searches, and the search for the largest sum."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.ensemble import Ensemble
from glasswood.explain.proofs._pieces import cells_and_pieces
from glasswood.explain.proofs._search import Found, Limits

MOST_LEAVES = 64  # trees are merged into groups of at most so many leaves
Words = NDArray[np.uint64]


def compiled_pieces(ensemble: Ensemble) -> _native.Pieces:
    """The leaves of a model as native pieces; kept with the model."""
    return ensemble._cached("compiled pieces", _compile)


def _compile(ensemble: Ensemble) -> _native.Pieces:
    cells, pieces, _ = cells_and_pieces(ensemble)
    sizes = [len(feature) for feature in cells]
    words = [
        _as_words(np.unpackbits(bits, axis=1, count=size).astype(bool)).ravel()
        for bits, size in zip(pieces.bits, sizes, strict=True)
    ]
    return _native.Pieces(
        np.append(pieces.start, len(pieces)),
        np.array(sizes, dtype=np.int64),
        np.cumsum([0, *(len(uses) for uses in pieces.uses)], dtype=np.int64),
        np.concatenate([np.zeros(0, dtype=np.int32), *pieces.uses]).astype(np.int32),
        np.concatenate([np.zeros(0, dtype=np.uint64), *words]),
    )


def open_words(flags: Sequence[NDArray[np.bool_]]) -> Words:
    """Sets of cells of every feature, as words one after the other."""
    return np.concatenate([np.zeros(0, dtype=np.uint64), *(_as_words(mine[None])[0] for mine in flags)])


def _as_words(flags: NDArray[np.bool_]) -> Words:
    """Rows of flags as rows of words, 64 flags to a word."""
    n_rows, n = flags.shape
    n_words = (n + 63) // 64
    packed = np.zeros((n_rows, 8 * n_words), dtype=np.uint8)
    packed[:, : (n + 7) // 8] = np.packbits(flags, axis=1, bitorder="little")
    words: Words = packed.view("<u8").astype(np.uint64)
    return words


def largest_sum(
    ensemble: Ensemble,
    start: float,
    value: NDArray[np.float64],
    allowed: Sequence[NDArray[np.bool_]],
    limits: Limits,
    *,
    enough: float = np.inf,
) -> Found:
    """Largest value of the sum over trees of what their leaves add, over the points of a domain.

    It is added up in the order of the trees, rounded after every step, as predictions are. The search stops early once
    a value above `enough` is found, or if none can be above it.
    """
    best, point, bound, n_nodes = compiled_pieces(ensemble).largest(
        start, value, open_words(allowed), enough, limits.max_nodes, limits.seconds_left, MOST_LEAVES
    )
    return Found(best, tuple(point.tolist()), bound, n_nodes)
