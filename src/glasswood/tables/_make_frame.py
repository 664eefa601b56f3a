"""Frames for the user, from the same library as the frame that was given."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from glasswood.errors import MissingDependencyError, TableError
from glasswood.tables._kind import FrameKind


def make_frame(data: Mapping[str, NDArray[Any] | Sequence[Any]], kind: FrameKind | str | None = None) -> Any:
    """Make a frame of named columns.

    Parameters
    ----------
    data : mapping of str to 1-D array or sequence
        The columns. None in a sequence is a missing value; NaN stays NaN.
    kind : FrameKind or str, optional
        ``"pandas"``, ``"polars"`` or ``"pyarrow"``. By default the first of them that is installed.

    Returns
    -------
    pandas.DataFrame, polars.DataFrame or pyarrow.Table

    Raises
    ------
    TableError
        If `kind` is not a frame library or the columns differ in length.
    MissingDependencyError
        If the library is not installed.

    Examples
    --------
    >>> from glasswood.tables import make_frame
    >>> make_frame({"a": [1, 2]}, "pyarrow").column_names
    ['a']
    """
    library = installed_kind(kind)
    lengths = {name: len(values) for name, values in data.items()}
    if len(set(lengths.values())) > 1:
        raise TableError(f"the columns of a frame must have one length, found {lengths}")
    columns = {name: _plain(values) for name, values in data.items()}
    # older versions of narwhals cannot make a frame without columns, so one is added and dropped
    frame = nw.from_dict(columns or {"": []}, backend=library.value)
    return frame.to_native() if columns else frame.drop("").to_native()


def installed_kind(kind: FrameKind | str | None) -> FrameKind:
    """Library of a frame to be made: the one asked for, or the first installed."""
    if kind is None:
        for candidate in FrameKind:
            if find_spec(candidate.value) is not None:
                return candidate
        raise MissingDependencyError(
            "a frame needs pandas, polars or pyarrow, and none is installed: pip install pandas"
        )
    try:
        library = FrameKind(kind)
    except ValueError:
        raise TableError(
            f"{kind!r} is not a kind of frame; choose one of {', '.join(map(repr, map(str, FrameKind)))}"
        ) from None
    if find_spec(library.value) is None:
        raise MissingDependencyError(f"a {library.value} frame needs {library.value}: pip install {library.value}")
    return library


def _plain(values: NDArray[Any] | Sequence[Any]) -> NDArray[Any] | list[Any]:
    """Text and objects as a list, because some libraries do not take them as numpy arrays."""
    if isinstance(values, np.ndarray) and values.dtype.kind not in "OUT":
        return values
    return values.tolist() if isinstance(values, np.ndarray) else list(values)
