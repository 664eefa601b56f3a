"""The index of a pandas table: its labels of the rows."""

from typing import Any

import narwhals as nw
import numpy as np

from glasswood.tables._open import Table


def row_labels(X: Table) -> list[Any] | None:
    """Entries of the index of a pandas table; None if there is no index, or if it only counts the rows.

    Examples
    --------
    >>> import pandas as pd
    >>> from glasswood.tables import row_labels
    >>> row_labels(pd.DataFrame({"a": [1, 2]}, index=["x", "y"]))
    ['x', 'y']
    """
    index = index_of(X)
    if index is None or np.array_equal(np.asarray(index), np.arange(len(index))):
        return None
    return list(index)


def index_of(X: Table) -> Any:
    """Index of a pandas table; None for a table without an index.

    Examples
    --------
    >>> import pandas as pd
    >>> from glasswood.tables import index_of
    >>> index_of(pd.DataFrame({"a": [1, 2]}, index=["x", "y"])).tolist()
    ['x', 'y']
    """
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    return nw.maybe_get_index(frame) if isinstance(frame, nw.DataFrame) else None


def with_index(frame: Any, index: Any) -> Any:
    """Give a pandas frame an index, repeated if the frame has more rows; other frames are returned unchanged.

    Examples
    --------
    >>> import pandas as pd
    >>> from glasswood.tables import index_of, with_index
    >>> frame = pd.DataFrame({"a": [1, 2]}, index=["x", "y"])
    >>> with_index(pd.DataFrame({"b": [1, 2, 3, 4]}), index_of(frame)).index.tolist()
    ['x', 'y', 'x', 'y']
    """
    known = nw.from_native(frame, eager_only=True)
    if index is None or nw.maybe_get_index(known) is None:
        return frame
    rows = np.tile(np.arange(len(index)), len(known) // max(1, len(index)))
    return frame.set_axis(index.take(rows), axis=0)
