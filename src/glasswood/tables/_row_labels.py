"""row_labels: what a table calls its rows."""

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
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        return None
    index = nw.maybe_get_index(frame)
    if index is None or np.array_equal(np.asarray(index), np.arange(len(index))):
        return None
    return list(index)
