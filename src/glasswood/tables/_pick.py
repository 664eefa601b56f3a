"""Columns of a frame by name, as a frame of the same kind."""

from collections.abc import Sequence
from typing import Any

import narwhals as nw
import numpy as np

from glasswood.errors import TableError
from glasswood.tables._open import open_table
from glasswood.tables._scipy import is_scipy_sparse


def column_names(frame: Any) -> list[str]:
    """Names of the columns of a frame.

    Examples
    --------
    >>> from glasswood.tables import column_names, make_frame
    >>> column_names(make_frame({"a": [1], "b": [2]}))
    ['a', 'b']
    """
    return list(_frame(frame).columns)


def pick_columns(frame: Any, names: Sequence[str]) -> Any:
    """Some columns, in the order given.

    Examples
    --------
    >>> from glasswood.tables import column_names, make_frame, pick_columns
    >>> column_names(pick_columns(make_frame({"a": [1], "b": [2]}), ["b"]))
    ['b']
    """
    return nw.from_native(frame, eager_only=True).select(list(names)).to_native()


def place_columns(frame: Any, positions: Sequence[int]) -> Any:
    """Columns by position, in the order given; for columns whose names are not text.

    Examples
    --------
    >>> from glasswood.tables import column_names, make_frame, place_columns
    >>> column_names(place_columns(make_frame({"a": [1], "b": [2]}), [1, 0]))
    ['b', 'a']
    """
    return _frame(frame)[:, list(positions)].to_native()


def _frame(X: Any) -> nw.DataFrame[Any]:
    opened = None if is_scipy_sparse(X) else open_table(X)
    if opened is None or isinstance(opened, np.ndarray):
        raise TableError("an array has no names of columns")
    return opened
