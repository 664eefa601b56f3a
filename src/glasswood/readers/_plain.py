"""Plain numbers: the caller's values without our interpretation, for asking a library."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import FeatureSchema, column_order
from glasswood.tables import CategoryColumn, Table, read_table


def plain_numbers(X: Table, features: FeatureSchema) -> NDArray[Any] | None:
    """Columns in the model's order without conversion; None if one does not hold numbers.

    A category feature given as numbers reaches the library unchanged, so that the comparison shows how the library
    interprets them.
    """
    table = read_table(X)
    columns: list[NDArray[Any]] = []
    for j in column_order(table, features):
        column = table.column(j)
        if isinstance(column, CategoryColumn):
            return None
        columns.append(column)
    return np.column_stack(columns) if columns else np.empty((table.n_rows, 0))
