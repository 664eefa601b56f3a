"""FrameKind: the library of the caller's frame; results come back as frames of the same library."""

from enum import StrEnum
from typing import Any

import narwhals as nw


class FrameKind(StrEnum):
    """A library that makes frames."""

    PANDAS = "pandas"
    POLARS = "polars"
    PYARROW = "pyarrow"


# modin and cudf are read like pandas; the results for their users are small, so they come back as pandas frames
_KIND_OF_PACKAGE = {
    "pandas": FrameKind.PANDAS,
    "modin": FrameKind.PANDAS,
    "cudf": FrameKind.PANDAS,
    "polars": FrameKind.POLARS,
    "pyarrow": FrameKind.PYARROW,
}


def frame_kind(X: Any) -> FrameKind | None:
    """Library of a frame or series, or None for numpy and everything else.

    Examples
    --------
    >>> import numpy as np
    >>> from glasswood.tables import frame_kind
    >>> frame_kind(np.zeros((2, 3))) is None
    True
    """
    for base in type(nw.to_native(X, pass_through=True)).__mro__:
        kind = _KIND_OF_PACKAGE.get(base.__module__.partition(".")[0])
        if kind is not None:
            return kind
    return None
