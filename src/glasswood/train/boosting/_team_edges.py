"""Team edges: the edges of numbers whose values are spread over the members of a team.

Every member finds the edges of some of the features, from the values of all members.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.ensemble import AlignedRows
from glasswood.team import Exchange, Part, gather_arrays, memory_of

Floats = NDArray[np.float64]


def team_edges(
    team: Exchange,
    rows: AlignedRows,
    is_category: NDArray[np.bool_],
    sample: NDArray[np.uint32],
    weight: Floats,
    max_bins: int,
    n_threads: int,
) -> tuple[NDArray[np.int64], Floats]:
    """Edges as `_native.bin_edges` returns them, from the sample rows of all members."""
    numbers = np.flatnonzero(~is_category)
    dealt = [numbers[len(numbers) * r // team.size : len(numbers) * (r + 1) // team.size] for r in range(team.size)]
    n_sample = np.concatenate(gather_arrays(team, np.array([len(sample)]))).tolist()
    weights = np.concatenate(gather_arrays(team, weight))
    parts = team.swap([_columns_of(rows, own.tolist(), sample) for own in dealt])
    dtypes = [rows.column(f).dtype for f in dealt[team.rank].tolist()]
    counts = np.zeros(len(is_category), dtype=np.int64)
    own_counts, own_edges = _edges_of(parts, dtypes, n_sample, weights, max_bins, n_threads)
    counts[numbers] = np.concatenate(gather_arrays(team, own_counts))
    return np.concatenate([[0], np.cumsum(counts)]), np.concatenate(gather_arrays(team, own_edges))


def _columns_of(rows: AlignedRows, features: list[int], sample: NDArray[np.uint32]) -> memoryview:
    """The sample rows of some neighbouring features, feature after feature."""
    whole = len(sample) == rows.n_rows  # they ascend
    if whole and isinstance(rows.data, np.ndarray) and rows.data.flags.f_contiguous and _are_neighbours(features):
        return memory_of(rows.data[:, features[0] : features[-1] + 1].T)
    columns = [rows.column(f) for f in features]
    found = np.empty(sum(len(sample) * column.itemsize for column in columns), dtype=np.uint8)
    at = 0
    for column in columns:
        n_bytes = len(sample) * column.itemsize
        found[at : at + n_bytes].view(column.dtype)[:] = column[sample]
        at += n_bytes
    return memory_of(found)


def _are_neighbours(features: list[int]) -> bool:
    return len(features) > 0 and features == list(range(features[0], features[-1] + 1))


def _edges_of(
    parts: Sequence[Part],
    dtypes: list[np.dtype[Any]],
    n_sample: list[int],
    weights: Floats,
    max_bins: int,
    n_threads: int,
) -> tuple[NDArray[np.int64], Floats]:
    """How many edges each feature has, and the edges; `parts` are what the members sent.

    Few features at a time are joined: a copy of all would be as large as the parts.
    """
    n, every = sum(n_sample), np.arange(sum(n_sample), dtype=np.uint32)
    at = [0] * len(parts)
    counts, edges = [np.empty(0, dtype=np.int64)], [np.empty(0)]
    space = np.empty((n_threads, n), dtype=np.float64)
    for first in range(0, len(dtypes), n_threads):
        data = []
        for own, dtype in zip(space, dtypes[first : first + n_threads], strict=False):
            column = own.view(dtype)[:n]
            np.concatenate(
                [np.frombuffer(part, dtype, k, offset) for part, k, offset in zip(parts, n_sample, at, strict=True)],
                out=column,
            )
            at = [offset + k * dtype.itemsize for offset, k in zip(at, n_sample, strict=True)]
            data.append(column)
        start, found = _native.bin_edges(data, np.zeros(len(data), dtype=bool), every, weights, max_bins, n_threads)
        counts.append(np.diff(start))
        edges.append(found)
    return np.concatenate(counts), np.concatenate(edges)
