"""RowSource: a table from which rows are fetched when they are needed."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import FeatureSchema, model_table
from glasswood.tables import CategoryColumn, Column, Label, Table, pick_rows, read_table


@dataclass(frozen=True, slots=True, eq=False)
class RowSource:
    """The caller's table, not copied, and the positions of the model's features in it."""

    table: Table
    order: tuple[int, ...]  # (n_features,) column of each feature, in the table or in what is computed of it
    features: FeatureSchema | None = None  # set if steps of a pipeline may compute some of them

    def pick(self, rows: NDArray[np.integer]) -> Table:
        """Rows as a table of the caller's kind, with all its columns."""
        return pick_rows(self.table, rows)

    def values(self, rows: NDArray[np.integer]) -> list[list[Label | None]]:
        """Values of the features in each row; None is missing."""
        picked = self.pick(rows)
        table = read_table(picked if self.features is None else model_table(picked, self.features))
        columns = [_plain(table.column(j)) for j in self.order]
        return [[column[i] for column in columns] for i in range(len(rows))]


def _plain(column: Column) -> list[Any]:
    if isinstance(column, CategoryColumn):
        return [None if code < 0 else column.labels[code] for code in column.codes.tolist()]
    return [None if value != value else value for value in column.tolist()]
