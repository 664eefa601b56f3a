"""Columns of a frame by name, as a frame of the same kind."""

from collections.abc import Sequence
from typing import Any

import narwhals as nw


def column_names(frame: Any) -> list[str]:
    """Names of the columns of a frame.

    Examples
    --------
    >>> from glasswood.tables import column_names, make_frame
    >>> column_names(make_frame({"a": [1], "b": [2]}))
    ['a', 'b']
    """
    return list(nw.from_native(frame, eager_only=True).columns)


def pick_columns(frame: Any, names: Sequence[str]) -> Any:
    """Some columns, in the order given.

    Examples
    --------
    >>> from glasswood.tables import column_names, make_frame, pick_columns
    >>> column_names(pick_columns(make_frame({"a": [1], "b": [2]}), ["b"]))
    ['b']
    """
    return nw.from_native(frame, eager_only=True).select(list(names)).to_native()
