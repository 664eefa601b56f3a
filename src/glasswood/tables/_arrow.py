"""Values of an Arrow array, as numpy arrays. Uses only methods of the array, so pyarrow is never imported."""

from typing import Any

import numpy as np

from glasswood.tables._columns import CategoryColumn, Floats, microseconds
from glasswood.tables._labels import declared_column, text_column


def floats(array: Any) -> Floats:
    """Numbers and booleans; zero-copy where they are stored as floats without nulls in one chunk."""
    if str(array.type) not in ("float", "double"):
        # safe=False: an integer beyond 2**53 is rounded instead of raising an error
        array = array.cast("float64", safe=False)
    values: Floats = _one_chunk(array).to_numpy(zero_copy_only=False)
    return values


def ticks(array: Any) -> Floats:
    """Dates, times and durations as microseconds."""
    unit = str(getattr(array.type, "unit", "D"))  # a date has no unit and counts days
    counts = array.cast("int32" if array.type.bit_width == 32 else "int64")
    values = microseconds(_one_chunk(counts.fill_null(0)).to_numpy(zero_copy_only=False).astype(np.int64), unit)
    values[np.asarray(_one_chunk(array.is_null()).to_numpy(zero_copy_only=False), dtype=bool)] = np.nan
    return values


def declared(array: Any, where: str) -> CategoryColumn:
    """Dictionary type."""
    codes, labels = _codes_and_labels(array)
    return declared_column(codes, labels, where)


def text(array: Any, where: str) -> CategoryColumn:
    """Text type."""
    codes, labels = _codes_and_labels(array.dictionary_encode())
    return text_column(codes, labels, where)


def _codes_and_labels(array: Any) -> tuple[Any, list[Any]]:
    if hasattr(array, "unify_dictionaries"):
        array = array.unify_dictionaries()
    whole = _one_chunk(array)
    codes = whole.indices.cast("int32").fill_null(-1).to_numpy(zero_copy_only=False)
    return codes, whole.dictionary.to_pylist()


def _one_chunk(array: Any) -> Any:
    if not hasattr(array, "combine_chunks"):
        return array
    return array.chunk(0) if array.num_chunks == 1 else array.combine_chunks()
