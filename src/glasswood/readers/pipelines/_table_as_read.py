"""A table as read: the values that glasswood reads, in a form that scikit-learn accepts."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.tables import CategoryColumn, Column, Columns, make_frame


def decoded_table(table: Columns, names: Sequence[str] | None) -> Any:
    """A frame under the names of the table, or else these; without names an array."""
    columns = [_decoded(table.column(j)) for j in range(table.n_columns)]
    if names is not None:
        return make_frame(dict(zip(names if table.names is None else table.names, columns, strict=True)))
    if all(column.dtype.kind == "f" for column in columns):
        return np.column_stack(columns)
    return np.column_stack([column.astype(object) for column in columns])


def _decoded(column: Column) -> NDArray[Any]:
    """Labels instead of codes, numbers in float64."""
    if not isinstance(column, CategoryColumn):
        return column.astype(np.float64, copy=False)  # scikit-learn would compute float32 in float32
    text = any(isinstance(label, str) for label in column.labels)
    labels = np.array([*column.labels, None if text else np.nan], dtype=object if text else np.float64)
    return labels[column.codes]
