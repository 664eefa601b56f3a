"""TrainingTable: the rows a model is trained on, and the schema of their features."""

from dataclasses import dataclass

import numpy as np

from glasswood.ensemble import AlignedRows, FeatureSchema
from glasswood.errors import TableError
from glasswood.tables import CategoryColumn, Columns

_MAX_ROWS = 2**32 - 1
_MAX_LEVELS = 65_536  # per category, because every split on it stores a bit per level


@dataclass(frozen=True, slots=True, eq=False)
class TrainingTable:
    """A table and the features of a model that is fitted to it."""

    features: FeatureSchema
    rows: AlignedRows


def check_n_rows(n_rows: int) -> None:
    """Raise `TableError` if there are more rows than the kernels can number with 32 bits."""
    if n_rows > _MAX_ROWS:
        raise TableError(f"the table has {n_rows:,} rows; training takes up to {_MAX_ROWS:,}: train on a sample")


def check_levels(features: FeatureSchema) -> None:
    """Raise `TableError` if a category has more levels than a tree can split."""
    for name, labels in zip(features.names, features.categories, strict=True):
        if labels is not None and len(labels) > _MAX_LEVELS:
            raise TableError(
                f"feature {name!r} has {len(labels):,} levels, more than the {_MAX_LEVELS:,} a tree splits "
                "natively; drop it if it is an identifier, else group or encode its levels"
            )


def training_table(table: Columns) -> TrainingTable:
    """Use every column as a feature: text and category columns as categories, the others as numbers."""
    names = FeatureSchema.positions(table.n_columns) if table.names is None else table.names
    if table.matrix is not None:
        features = FeatureSchema.numeric(names, named=table.names is not None)
        return TrainingTable(features=features, rows=AlignedRows(table.n_rows, table.matrix))
    if table.sparse is not None:
        features = FeatureSchema.numeric(names, named=False)
        return TrainingTable(features=features, rows=AlignedRows(table.n_rows, table.sparse))
    columns = table.columns
    n = len(columns)
    features = FeatureSchema(
        names=tuple(names),
        named=table.names is not None,
        categories=tuple(c.labels if isinstance(c, CategoryColumn) else None for c in columns),
        coded=np.zeros(n, dtype=bool),
        missing_routed=np.ones(n, dtype=bool),
        zero_is_missing=np.zeros(n, dtype=bool),
    )
    check_levels(features)
    data = [c.codes if isinstance(c, CategoryColumn) else c for c in columns]
    return TrainingTable(features=features, rows=AlignedRows(table.n_rows, data))
