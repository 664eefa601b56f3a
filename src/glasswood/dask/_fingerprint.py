"""Fingerprint: a number that tells the values of a collection, however it is cut into partitions.

A checkpoint keeps it, so that the rounds of a fit are not continued on other rows. Every row has a hash of 64 bits;
row i counts B**i times, so that two rows that change places are noticed, and a partition need not know where it begins.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.dask._collections import need_dask

_BASE = 0x9E3779B97F4A7C15
_MODULUS = 2**64
_MISSING = np.uint64(0xD1B54A32D192ED03)


def fingerprint_of(*parts: Any, ordered: bool) -> int:
    """Fingerprint of one partition of collections with the same rows; `ordered`: the order of rows counts."""
    hashes = np.zeros(len(parts[0]), dtype=np.uint64)
    for part in parts:
        for column in _columns(part):
            hashes = _mixed(hashes * np.uint64(_BASE) + _hashes(column))
    if ordered:
        hashes = hashes * np.multiply.accumulate(np.full(len(hashes), _BASE, dtype=np.uint64))
    return int(np.add.reduce(hashes))


def joined_fingerprint(fingerprints: Sequence[int], n_rows: Sequence[int], *, ordered: bool) -> str:
    """Fingerprint of a whole collection, from those of its partitions and their numbers of rows."""
    total = before = 0
    for own, n in zip(fingerprints, n_rows, strict=True):
        total += own * (pow(_BASE, before, _MODULUS) if ordered else 1)
        before += n
    return f"{total % _MODULUS:016x}"


def _columns(part: Any) -> list[Any]:
    if isinstance(part, np.ndarray):
        return list(part.T) if part.ndim == 2 else [part]
    return [part.iloc[:, j] for j in range(part.shape[1])] if part.ndim == 2 else [part]


def _hashes(column: Any) -> NDArray[np.uint64]:
    """A number for each value: equal values have equal ones, whatever the dtype of their partition is."""
    pandas = need_dask("pandas")
    if getattr(column.dtype, "kind", "O") in "biuf":
        numbers = column if isinstance(column, np.ndarray) else column.to_numpy(dtype=np.float64, na_value=np.nan)
        values = np.asarray(numbers, dtype=np.float64) + 0.0  # one zero
        found = _mixed(np.ascontiguousarray(values).view(np.uint64))
        return np.where(np.isnan(values), _MISSING, found)
    series = pandas.Series(column)
    try:
        words = pandas.util.hash_pandas_object(series, index=False)
    except TypeError:  # values of several kinds, or some that have no hash
        words = pandas.util.hash_pandas_object(series.astype(str), index=False)
    return np.where(series.isna().to_numpy(), _MISSING, words.to_numpy())


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Every bit changes with every bit (the finish of SplitMix64)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))
