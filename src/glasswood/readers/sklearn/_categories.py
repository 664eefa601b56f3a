"""EncodedCategories: what the encoder inside HistGradientBoosting learnt, and a table in a form it accepts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Label
from glasswood.errors import UnsupportedModelError
from glasswood.tables import CategoryColumn, Column, Columns, FrameKind, Table, frame_kind, make_frame, read_table


@dataclass(frozen=True, slots=True)
class EncodedCategories:
    """Labels of the category features by their column; a code is the position of its label."""

    labels: Mapping[int, tuple[Label, ...]]
    null_code: Mapping[int, int]  # column → code of None, if the encoder learnt it like a label
    notes: tuple[str, ...]


def encoded_categories(model: Any, categories: Sequence[NDArray[Any]]) -> EncodedCategories:
    """Separate what the encoder learnt into labels and nulls.

    scikit-learn's encoder treats NaN as missing, but None (which nulls of polars become) as a category, the last one.
    For glasswood both are missing, so missing values go where such a model sends None.
    """
    columns = [] if model.is_categorical_ is None else np.flatnonzero(model.is_categorical_).tolist()
    labels: dict[int, tuple[Label, ...]] = {}
    null_code: dict[int, int] = {}
    for column, learnt in zip(columns, categories, strict=True):
        values = learnt.tolist()
        has_nan = bool(values) and isinstance(values[-1], float) and np.isnan(values[-1])
        values = values[:-1] if has_nan else values
        if values and values[-1] is None:
            if has_nan:
                raise UnsupportedModelError(
                    f"column {column} was fitted with both None and NaN, which scikit-learn keeps apart and glasswood "
                    "does not; replace one by the other and refit"
                )
            null_code[column] = len(values) - 1
            values = values[:-1]
        labels[column] = tuple(value if isinstance(value, str | int | float) else str(value) for value in values)
    notes = tuple(f"missing values of column {column} are None to scikit-learn, not NaN" for column in null_code)
    return EncodedCategories(labels=labels, null_code=null_code, notes=notes)


def table_for_encoder(X: Table | Columns) -> Any:
    """The table itself if scikit-learn accepts its kind, otherwise a frame with the same values.

    pyarrow tables are converted, because scikit-learn 1.9 encodes their nulls as the last known category.
    """
    if isinstance(X, np.ndarray) or frame_kind(X) in (FrameKind.PANDAS, FrameKind.POLARS):
        return X
    table = X if isinstance(X, Columns) else read_table(X)
    columns = [_decoded(table.column(j)) for j in range(table.n_columns)]
    if table.names is not None:
        return make_frame(dict(zip(table.names, columns, strict=True)))
    return np.column_stack([column.astype(object) for column in columns])


def _decoded(column: Column) -> NDArray[Any]:
    """Labels instead of codes."""
    if not isinstance(column, CategoryColumn):
        return column
    if any(isinstance(label, str) for label in column.labels):
        labels = np.array([*column.labels, None], dtype=object)
    else:
        labels = np.array([*column.labels, np.nan], dtype=np.float64)
    return labels[column.codes]
