"""AttributedRows: the caller's table, from which the values of explained rows are fetched when they are needed."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import FeatureSchema, model_table
from glasswood.plots import DotColumn
from glasswood.results._html import number
from glasswood.tables import (
    CategoryColumn,
    Columns,
    Label,
    Table,
    date_columns,
    date_text,
    index_of,
    pick_rows,
    read_table,
)

_EXACT_INTEGERS = 2.0**53


@dataclass(frozen=True, slots=True, eq=False)
class AttributedRows:
    """The table as it was given, and the column of each attributed feature; a group of features has no column."""

    table: Table
    order: tuple[int | None, ...]  # (n_names,) column of each feature; None for a group
    features: FeatureSchema | None = None  # set if steps of a pipeline may compute some of them

    def pick(self, rows: NDArray[np.integer] | None) -> Table:
        """Rows as a table of the caller's kind, with all its columns; None for all rows."""
        return self.table if rows is None else pick_rows(self.table, rows)

    def values(self, row: int) -> list[Label | None]:
        """Values of the features of one row; None if missing, and for a group."""
        table = self._read(self.pick(np.array([row])))
        return [None if j is None else _value(table, j) for j in self.order]

    def index(self) -> Any:
        """Index of a pandas table; None for other tables, which have no index."""
        return index_of(self.table)

    def columns(self, rows: NDArray[np.integer] | None = None) -> list[DotColumn | None]:
        """Columns of the given rows (all rows if None) as numbers for colouring; None for a group."""
        picked = self.pick(rows)
        table, dates = self._read(picked), self._dates(picked)
        return [None if j is None else _dots(table, j, is_date) for j, is_date in zip(self.order, dates, strict=True)]

    def dates(self, row: int) -> tuple[bool, ...]:
        """Whether the value of each feature of one row is a date."""
        return self._dates(self.pick(np.array([row])))

    def _dates(self, rows: Table | Columns) -> tuple[bool, ...]:
        computed = self.features is not None and self.features.derivation is not None
        if computed or isinstance(rows, Columns):  # columns that are not the caller's; columns without dtypes
            return (False,) * len(self.order)
        are_dates = date_columns(rows)[1]
        return tuple(j is not None and are_dates[j] for j in self.order)

    def _read(self, rows: Table) -> Columns:
        return read_table(rows if self.features is None else model_table(rows, self.features))


def value_text(value: Label | None, is_date: bool = False) -> str:
    """A feature's value as readable text."""
    if value is None:
        return "missing"
    if is_date and isinstance(value, float):
        return date_text(value)
    return number(value) if isinstance(value, float) else str(value)


def exact_text(value: Label | None, is_date: bool = False) -> str:
    """A feature's value with all its digits."""
    if is_date and isinstance(value, float):
        return date_text(value, exact=True)
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT_INTEGERS:
        return f"{value:.0f}"
    return "missing" if value is None else str(value)


def _value(table: Columns, j: int) -> Label | None:
    column = table.column(j)
    if isinstance(column, CategoryColumn):
        code = int(column.codes[0])
        return None if code < 0 else column.labels[code]
    value = float(column[0])
    return None if np.isnan(value) else value


def _dots(table: Columns, j: int, is_date: bool) -> DotColumn:
    column = table.column(j)
    if isinstance(column, CategoryColumn):
        codes = np.where(column.codes < 0, np.nan, column.codes.astype(np.float64))
        return DotColumn(values=codes, labels=tuple(map(str, column.labels)))
    return DotColumn(values=np.asarray(column, dtype=np.float64), labels=None, is_date=is_date)
