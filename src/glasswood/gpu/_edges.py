"""Edges of rows that lie on a device: columns are sorted there, only the values that edges lie between come back."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.gpu._device_matrix import DeviceMatrix
from glasswood.gpu._memory import memory_errors

Floats = NDArray[np.float64]

_WORTH_IT = 20_000  # rows from which on few places of a sorted column are looked at


def find_edges(
    data: Any,
    is_category: NDArray[np.bool_],
    rows: NDArray[np.uint32],
    weight: Floats,
    max_bins: int,
    n_threads: int,
) -> tuple[NDArray[np.int64], Floats]:
    """Find edges as `_native.bin_edges` does, with the same bits; rows on a device stay there."""
    if not isinstance(data, DeviceMatrix):
        return _native.bin_edges(data, is_category, rows, weight, max_bins, n_threads)
    if isinstance(data.array, np.ndarray):
        return edges_of_sample(np, data[rows].array, weight, max_bins, n_threads)
    from glasswood.gpu._cuda_device import import_cupy

    cupy, sample = import_cupy(), data[rows].array
    # a sorted copy, the places of its numbers, and what says which of them are missing
    with memory_errors(cupy, sample.nbytes + 9 * sample.size):
        found = edges_of_sample(cupy, sample, weight, max_bins, n_threads)
    cupy.cuda.get_current_stream().synchronize()  # the sample goes back when nothing works on it
    return found


def edges_of_sample(
    library: Any, sample: Any, weight: Floats, max_bins: int, n_threads: int
) -> tuple[NDArray[np.int64], Floats]:
    """Edges of all columns of an array of `library`, CuPy or NumPy.

    With weights, and where ties ask for it, the values of a column come to the host as a whole.
    """
    n, n_features = sample.shape
    found: list[Floats | None] = [None] * n_features
    if not len(weight) and n >= max(_WORTH_IT, 4 * max_bins):
        by_column = library.sort(sample, axis=0)  # NaN last
        n_values = _to_host(library, (~library.isnan(sample)).sum(axis=0))
        places = np.stack([_places(int(count), max_bins) for count in n_values], axis=1)
        columns = np.arange(n_features)
        if library is not np:
            places, columns = library.asarray(places), library.asarray(columns)
        chosen = _to_host(library, by_column[places, columns[None, :]]).astype(np.float64)
        found = [_select(chosen[:, f], int(n_values[f]), max_bins) for f in range(n_features)]
    slow = [f for f, edges in enumerate(found) if edges is None]
    if slow:
        values = _to_host(library, sample[:, slow] if library is np else sample[:, library.asarray(slow)])
        start, edges = _native.bin_edges(
            np.asfortranarray(values), np.zeros(len(slow), dtype=bool), np.arange(n, dtype=np.uint32), weight,
            max_bins, n_threads,
        )  # fmt: skip
        for k, f in enumerate(slow):
            found[f] = edges[start[k] : start[k + 1]]
    own = [edges for edges in found if edges is not None]
    return np.cumsum([0, *map(len, own)]), np.concatenate([*own, np.empty(0)])


def _places(n: int, max_bins: int) -> NDArray[np.int64]:
    """Places in a sorted column of n values: the first, the two beside every quantile, the last."""
    whole = np.floor(_positions(n, max_bins)).astype(np.int64)
    inside = np.stack([whole, whole + 1], axis=1).ravel()
    places: NDArray[np.int64] = np.clip(np.concatenate([[0], inside, [n - 1]]), 0, max(n - 1, 0))
    return places


def _positions(n: int, max_bins: int) -> Floats:
    return float(n - 1) * np.arange(1, max_bins, dtype=np.float64) / float(max_bins)


def _select(chosen: Floats, n: int, max_bins: int) -> Floats | None:
    """Edges between the chosen values; None where there are few values, or ties ask for all of them."""
    if n < max(_WORTH_IT, 4 * max_bins):
        return None
    chosen = chosen + 0.0  # −0 and 0 are one value
    low, high = chosen[1:-1:2], chosen[2:-1:2]
    position = _positions(n, max_bins)
    with np.errstate(invalid="ignore", over="ignore"):
        edges = np.where(low == high, low, low + (high - low) * (position - np.floor(position)))
    before = np.concatenate([chosen[:1], low[:-1]])
    tied = (low == before) | (low == chosen[-1]) | ((edges == high) & (low != high))
    return None if tied.any() or not np.isfinite(edges).all() else edges


def _to_host(library: Any, array: Any) -> NDArray[Any]:
    return np.asarray(array) if library is np else library.asnumpy(array)
