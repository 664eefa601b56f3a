"""Plain numbers: the caller's own values, for asking a library without our reading of them in between."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import FeatureSchema, column_order
from glasswood.tables import CategoryColumn, Table, read_table


def plain_numbers(X: Table, features: FeatureSchema) -> NDArray[Any] | None:
    """Give the columns in the model's order as they came, or None where one is not of numbers.

    A category feature given as numbers reaches the library untouched, so that parity compares with what the library
    makes of them and not with what we do.
    """
    table = read_table(X)
    columns: list[NDArray[Any]] = []
    for j in column_order(table, features):
        column = table.column(j)
        if isinstance(column, CategoryColumn):
            return None
        columns.append(column)
    return np.column_stack(columns) if columns else np.empty((table.n_rows, 0))
