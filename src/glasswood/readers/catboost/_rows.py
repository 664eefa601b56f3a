"""Rows: a table in the form CatBoost needs, one matrix in the model's column order with categories as text."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import FeatureSchema, align, column_order, distinct_texts
from glasswood.errors import TableError
from glasswood.tables import Table, read_table


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Numbers of every column, and the texts of columns that are categories."""

    numbers: NDArray[np.float64]  # (n_rows, n_columns); 0 for categories and for columns the model does not use
    texts: dict[int, list[str]]  # column → one text per row

    def matrix(self) -> NDArray[Any]:
        """One matrix of float64, or of objects if there is text."""
        if not self.texts:
            return self.numbers
        mixed = self.numbers.astype(object)
        for column, texts in self.texts.items():
            mixed[:, column] = texts
        return mixed


def rows_for(X: Table, features: FeatureSchema, columns: NDArray[np.int64]) -> Rows:
    """Rows of X; `columns` are the columns that CatBoost expects for the features of the schema."""
    table = read_table(X)
    rows = align(table, features)
    order = column_order(table, features)
    numbers = np.zeros((table.n_rows, int(columns.max(initial=-1)) + 1))
    texts = {}
    for k, (source, column) in enumerate(zip(order, columns.tolist(), strict=True)):
        if features.categories[k] is None:
            numbers[:, column] = rows.column(k)
            continue
        distinct, place = distinct_texts(table.category(source))
        if np.any(place < 0):
            raise TableError(
                f"feature {features.names[k]!r} has a missing category in row {int(np.argmax(place < 0))}, which "
                "CatBoost refuses; give missing categories a text of their own, as for training"
            )
        texts[column] = [distinct[p] for p in place.tolist()]
    return Rows(numbers=numbers, texts=texts)
