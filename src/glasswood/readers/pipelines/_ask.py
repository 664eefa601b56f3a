"""Ask scikit-learn: what the whole pipeline predicts for the caller's own table."""

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from glasswood.readers._oracle import Oracle
from glasswood.readers._override import library_method
from glasswood.readers.pipelines._inner import inner_reader, read_inner
from glasswood.tables import CategoryColumn, Column, Table, column_names, frame_kind, make_frame, read_table

WITH_NAMES = "the table under the names of the training table"
WITHOUT_NAMES = "the table without its names, which the training table did not have"


def ask_pipeline(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Let the steps transform the table and the last step predict; its raw and leaves are compared."""
    rows, asked_with = as_fitted(model, X)
    last = model.steps[-1][1]
    for _, step in model.steps[:-1]:
        if step is not None and not isinstance(step, str):
            rows = step.transform(rows)
    inner = read_inner(last)
    # only XGBoost distinguishes zeros from values that are not stored
    if hasattr(rows, "toarray") and inner.source.library != "XGBoost":
        rows = rows.toarray()
    oracle = inner_reader(last).ask(last, inner, rows)
    return oracle if asked_with is None else dataclasses.replace(oracle, asked_with=asked_with)


def predicted(model: Any, ensemble: Ensemble, X: Table) -> NDArray[np.float64] | None:
    """What the whole model predicts, (n_rows, n_outputs); None if it predicts only classes."""
    rows, _ = as_fitted(model, X)
    if hasattr(model, "predict_proba"):
        answer = library_method(model, "predict_proba")(rows)
        if isinstance(answer, list):  # several targets
            return None
        shares = np.asarray(answer, dtype=np.float64)
        return shares[:, 1:] if ensemble.n_outputs == 1 and shares.shape[1] == 2 else shares
    if hasattr(model, "classes_"):
        return None
    answer = np.asarray(library_method(model, "predict")(rows))
    return answer.astype(np.float64).reshape(len(answer), ensemble.n_outputs) if answer.dtype.kind in "fiu" else None


def as_fitted(model: Any, X: Table) -> tuple[Any, str | None]:
    """The table, with or without names as in training, because scikit-learn warns if they differ."""
    known = getattr(model, "feature_names_in_", None)
    names = list(column_names(X)) if frame_kind(X) is not None else []
    given = bool(names) and all(isinstance(name, str) for name in names)
    if given == (known is not None):
        return X, None
    if known is None:
        return np.asarray(X), WITHOUT_NAMES
    array = np.asarray(X)
    if array.dtype.kind == "U" and not isinstance(X, np.ndarray):
        array = np.array(X, dtype=object)  # numpy would convert numbers beside text to text
    if array.ndim != 2 or array.shape[1] != len(known):
        return X, None  # scikit-learn says what is wrong
    columns = {str(name): array[:, j] for j, name in enumerate(known)}
    return make_frame(columns), WITH_NAMES


def table_as_read(ensemble: Ensemble, X: Table) -> Any:
    """The values that glasswood reads, in a form that scikit-learn accepts."""
    table = read_table(X)
    columns = [_decoded(table.column(j)) for j in range(table.n_columns)]
    if ensemble.features.named:
        names = ensemble.features.names if table.names is None else table.names
        return make_frame(dict(zip(names, columns, strict=True)))
    if all(column.dtype.kind == "f" for column in columns):
        return np.column_stack(columns)
    return np.column_stack([column.astype(object) for column in columns])


def _decoded(column: Column) -> NDArray[Any]:
    """Labels instead of codes."""
    if not isinstance(column, CategoryColumn):
        return column
    text = any(isinstance(label, str) for label in column.labels)
    labels = np.array([*column.labels, None if text else np.nan], dtype=object if text else np.float64)
    return labels[column.codes]
