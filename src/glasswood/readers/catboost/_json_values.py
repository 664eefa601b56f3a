"""JSON values: checked numbers, indices and texts of a parsed document."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.errors import ModelFileError


def as_numbers(values: Any, dtype: Any) -> NDArray[Any]:
    """Array of JSON numbers; other types raise an error and are never converted."""
    wrong = [value for value in values if type(value) not in (int, float)]
    if wrong:
        raise ModelFileError(f"expected a number, found {str(wrong[0])[:40]!r}")
    array = np.array(values, dtype=np.float64 if np.dtype(dtype).kind == "f" else None)
    if array.size and np.dtype(dtype).kind == "i" and array.dtype.kind != "i":
        raise ModelFileError("expected an index, found a number that is not whole")
    return array.astype(dtype)


def as_float32(numbers: NDArray[np.float64]) -> NDArray[np.float32]:
    """Round to float32."""
    with np.errstate(over="ignore"):  # a border that is too large becomes infinite, as in CatBoost
        return numbers.astype(np.float32)


def as_number(value: Any) -> float:
    """A JSON number."""
    return float(as_numbers([value], np.float64)[0])


def as_index(value: Any) -> int:
    """A whole number of at most 32 bits."""
    if type(value) is not int or abs(value) > 2**32:
        raise ModelFileError(f"expected an index, found {str(value)[:40]!r}")
    return value


def as_text(value: Any) -> str:
    """A JSON text."""
    if not isinstance(value, str):
        raise ModelFileError(f"expected a text, found {str(value)[:40]!r}")
    return value
