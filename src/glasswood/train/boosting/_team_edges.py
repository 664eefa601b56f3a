"""Team edges: the edges of numbers whose values are spread over the members of a team.

Every member finds the edges of some of the features, from the values of all members.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.ensemble import AlignedRows
from glasswood.team import Exchange, gather, gather_arrays

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
    parts = [b"".join(rows.column(f)[sample].tobytes() for f in own.tolist()) for own in dealt]
    n_sample = np.concatenate(gather_arrays(team, np.array([len(sample)]))).tolist()
    columns: list[list[NDArray[Any]]] = [[] for _ in dealt[team.rank]]
    for part, n in zip(team.swap(parts), n_sample, strict=True):
        at = 0
        for place, f in enumerate(dealt[team.rank].tolist()):
            dtype = rows.column(f).dtype
            columns[place].append(np.frombuffer(part, dtype=dtype, count=n, offset=at))
            at += n * dtype.itemsize
    weights = np.concatenate(gather_arrays(team, weight))
    start, edges = np.zeros(1, dtype=np.int64), np.empty(0)
    if columns:
        data = [np.concatenate(values) for values in columns]
        every = np.arange(sum(n_sample), dtype=np.uint32)
        start, edges = _native.bin_edges(data, np.zeros(len(data), dtype=bool), every, weights, max_bins, n_threads)
    counts = np.zeros(len(is_category), dtype=np.int64)
    counts[numbers] = np.concatenate(gather_arrays(team, np.diff(start)))
    found = [np.frombuffer(part) for part in gather(team, edges.tobytes())]
    return np.concatenate([[0], np.cumsum(counts)]), np.concatenate(found)
