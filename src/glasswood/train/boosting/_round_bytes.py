"""Round bytes: records of rounds as bytes and back, without pickle, for the other members of a team and for files."""

import io
import zipfile
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.errors import ModelFileError
from glasswood.train.boosting._round_log import RoundRecord

# how the numbers of a record are stored
_DTYPES: dict[str, Any] = {
    "tree_start": np.int64,
    "feature": np.int32,
    "bin": np.int32,
    "left_set": np.uint64,
    "wide_node": np.int64,
    "wide_column": np.uint32,
    "wide_start": np.int64,
    "wide_set": np.uint64,
    "left": np.int64,
    "right": np.int64,
    "missing_left": np.uint8,
    "unseen_left": np.uint8,
    "value": np.float64,
    "weight": np.float64,
    "gain": np.float64,
}
_COUNTED = ("tree_start", "feature", "wide_node", "wide_start", "wide_set")
_LIKE = {"tree_start": 0, "wide_node": 2, "wide_column": 2, "wide_start": 3, "wide_set": 4}  # others: as feature


def pack_rounds(rounds: Sequence[RoundRecord]) -> bytes:
    """Records as bytes.

    Examples
    --------
    >>> from glasswood.train.boosting import pack_rounds, unpack_rounds
    >>> unpack_rounds(pack_rounds([]))
    []
    """
    if not rounds:
        return b""
    counts = [[len(record.trees[name]) for name in _COUNTED] for record in rounds]
    packed: dict[str, Any] = {"counts": np.array(counts), "values": np.array([record.values for record in rounds])}
    packed |= {name: np.concatenate([record.trees[name] for record in rounds]) for name in _DTYPES}
    file = io.BytesIO()
    np.savez(file, **packed)
    return file.getvalue()


def unpack_rounds(data: bytes | bytearray | memoryview) -> list[RoundRecord]:
    """Records from bytes; raises `ModelFileError` if they are damaged."""
    if not len(data):
        return []
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            arrays = {name: file[name] for name in ("counts", "values", *_DTYPES)}
        counts, values = arrays.pop("counts"), arrays.pop("values").tolist()
        starts = {name: [0, *accumulate(counts[:, _LIKE.get(name, 1)].tolist())] for name in _DTYPES}
    except (OSError, KeyError, ValueError, IndexError, zipfile.BadZipFile) as error:
        raise ModelFileError(f"records of rounds are damaged: {error}") from None
    if any(len(arrays[name]) != starts[name][-1] for name in _DTYPES) or len(values) != len(counts):
        raise ModelFileError("records of rounds are damaged: some nodes are missing")
    places = {name: list(pairwise(starts[name])) for name in _DTYPES}
    return [
        RoundRecord({name: _own(arrays[name], places[name][k], dtype) for name, dtype in _DTYPES.items()}, values[k])
        for k in range(len(counts))
    ]


def _own(values: NDArray[Any], place: tuple[int, int], dtype: Any) -> NDArray[Any]:
    return np.ascontiguousarray(values[slice(*place)], dtype=dtype)
