"""Some rows of many: evenly spaced ones, or ones spread over the range of predictions."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.tables import Table, pick_rows


def spread_rows(raw: NDArray[np.float64], n: int) -> NDArray[np.int64]:
    """Numbers of n rows whose predictions are spread evenly from the lowest to the highest."""
    order = np.argsort(raw.reshape(len(raw), -1)[:, -1], kind="stable")
    places = np.unique(np.round(np.linspace(0, len(order) - 1, min(n, len(order)))).astype(np.int64))
    return np.asarray(order[places], dtype=np.int64)


def thin_rows(n_rows: int, most: int) -> NDArray[np.int64] | None:
    """Numbers of at most so many evenly spaced rows; None for all rows."""
    return None if n_rows <= most else np.linspace(0, n_rows - 1, most).astype(np.int64)


def few_rows(X: Table, rows: NDArray[np.int64] | None) -> Table:
    """Those rows of a table; the table itself if `rows` is None."""
    return X if rows is None else pick_rows(X, rows)


def few_values(values: NDArray[Any] | None, rows: NDArray[np.int64] | None) -> NDArray[Any] | None:
    """The values of those rows; None if there are no values."""
    return values if values is None or rows is None else values[rows]
