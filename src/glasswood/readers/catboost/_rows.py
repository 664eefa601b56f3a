"""Rows: a table as CatBoost takes it, one matrix in the column order of the model with categories as text."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import FeatureSchema, align, column_order, distinct_texts
from glasswood.errors import TableError
from glasswood.tables import Table, read_table


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Numbers of every column, and the texts of those that are categories."""

    numbers: NDArray[np.float64]  # (n_rows, n_columns); 0 where the column is a category or unknown to the model
    texts: dict[int, list[str]]  # column → one text per row

    def matrix(self) -> NDArray[Any]:
        """One matrix: float64, or of objects where there is text."""
        if not self.texts:
            return self.numbers
        mixed = self.numbers.astype(object)
        for column, texts in self.texts.items():
            mixed[:, column] = texts
        return mixed


def rows_for(X: Table, features: FeatureSchema, columns: NDArray[np.int64]) -> Rows:
    """Rows of X; `columns` is where CatBoost expects each feature of the schema."""
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
