"""Values for JSON: lists of plain numbers, with None for numbers that are not finite."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike


def to_json(values: ArrayLike) -> Any:
    """Turn an array, or a number, into nested lists of numbers in which NaN and infinities are None."""
    array = np.asarray(values)
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        plain = array.astype(object)
        plain[~np.isfinite(array)] = None
        return plain.tolist()
    return array.tolist()
