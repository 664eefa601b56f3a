"""ask: what LightGBM itself predicts for the rows of a table."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble, Label, align
from glasswood.readers._oracle import Oracle
from glasswood.readers._plain import plain_numbers
from glasswood.readers.lightgbm._reader import booster_of
from glasswood.tables import FrameKind, Table, column_names, dtypes_of, frame_kind, is_scipy_sparse

# types that LightGBM 4.7 takes, as pyarrow and polars write them
_ARROW_NUMBERS = re.compile(r"u?int(8|16|32|64)|float|double|bool|U?Int(8|16|32|64)|Float(32|64)|Boolean")


def ask(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Predict raw and leaves of the table as it is."""
    return _ask(booster_of(model), ensemble, _as_given(model, X))


def ask_as_read(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Predict raw and leaves of the values that glasswood reads."""
    booster = booster_of(model)
    return _ask(booster, ensemble, _as_trained(booster, X, ensemble))


def predicted(model: Any, ensemble: Ensemble, X: Table) -> NDArray[np.float64]:
    """Predict on the scale of the target; predict and predict_proba of an estimator use its booster."""
    values = np.asarray(booster_of(model).predict(_as_given(model, X)), dtype=np.float64)
    return values.reshape(-1, ensemble.n_outputs)


def _ask(booster: Any, ensemble: Ensemble, rows: Any) -> Oracle:
    raw = np.asarray(booster.predict(rows, raw_score=True), dtype=np.float64).reshape(-1, ensemble.n_outputs)
    leaves = np.asarray(booster.predict(rows, pred_leaf=True), dtype=np.int32).reshape(len(raw), -1)
    if _averages(booster):  # for a random forest, LightGBM's raw_score is the sum and its prediction the mean
        raw = raw * (ensemble.n_outputs / max(ensemble.n_trees, 1))
    return Oracle(raw=raw, leaves=leaves)


def open_file(content: bytes) -> Any:
    """Load the bytes of a file that was read successfully before."""
    from lightgbm import Booster

    # without tree_sizes LightGBM finds the trees line by line, as we did, and uses no offset of the file
    lines = re.sub(rb"\ntree_sizes=[^\n]*", b"", content, count=1)
    return Booster(model_str=lines.decode("utf-8"))


def ask_opened(opened: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Predict with the model of a file."""
    return ask_as_read(opened, ensemble, X)


def _averages(booster: Any) -> bool:
    """Whether the booster is a random forest, from the header of its text."""
    header = booster.model_to_string(num_iteration=1).partition("\nTree=")[0]
    return "\naverage_output" in header


def _as_given(model: Any, X: Table) -> Any:
    """The table as it was given; a table that is not a frame is converted as an estimator would do.

    The estimator itself would also warn if the table has no names but the model does.
    """
    _check_arrow(X)
    is_frame = frame_kind(X) is not None and type(X).__name__ != "RecordBatch"
    if is_frame or is_scipy_sparse(X) or booster_of(model) is model:
        return X
    array = np.asarray(X)
    return array.astype(np.float64) if array.dtype.kind == "O" else array


def _check_arrow(X: Table) -> None:
    """Refuse in LightGBM's place columns of an Arrow stream that it does not take: it would also print that."""
    if frame_kind(X) not in (FrameKind.POLARS, FrameKind.PYARROW):
        return
    for name, dtype in zip(column_names(X), dtypes_of(X), strict=True):
        if not _ARROW_NUMBERS.fullmatch(dtype):
            raise TypeError(f"from Arrow, LightGBM takes plain numbers, and column {name!r} has the type {dtype}")


def _as_trained(booster: Any, X: Table, ensemble: Ensemble) -> Any:
    """The table in a form LightGBM accepts: a pandas frame unchanged if LightGBM can read it, otherwise numbers."""
    with_labels = bool(booster.pandas_categorical)
    if frame_kind(X) is FrameKind.PANDAS:
        frame = _reordered(X, ensemble)
        declared = [hasattr(dtype, "categories") for dtype in frame.dtypes]
        plain = all(
            isinstance(dtype, np.dtype) and dtype.kind in "biuf"
            for dtype, is_category in zip(frame.dtypes, declared, strict=True)
            if not is_category
        )
        if plain and declared == [with_labels and bool(k) for k in ensemble.features.is_category]:
            return frame
    numbers = plain_numbers(X, ensemble.features)
    if numbers is not None:
        return numbers
    rows = align(X, ensemble.features)
    matrix = np.empty((rows.n_rows, len(ensemble.features)))
    for j, labels in enumerate(ensemble.features.categories):
        column = rows.column(j)
        matrix[:, j] = column if labels is None else _values(column, labels, with_labels)
    return matrix


def _reordered(frame: Any, ensemble: Ensemble) -> Any:
    if not ensemble.features.named:
        return frame
    position = ensemble.features.find([str(column) for column in frame.columns])
    if len(position) != len(ensemble.features):
        return frame
    return frame.iloc[:, [position[name] for name in ensemble.features.names]]


def _values(codes: NDArray[Any], labels: Sequence[Label], with_labels: bool) -> NDArray[np.float64]:
    """Codes of the Ensemble as LightGBM's category values: positions if it kept labels, otherwise the labels."""
    known: list[Any] = list(range(len(labels))) if with_labels else list(labels)
    unseen = max(known, default=-1) + 1
    table = np.array([*known, unseen, np.nan], dtype=np.float64)  # code −1 selects the last entry
    return np.asarray(table[np.minimum(codes, len(labels))])
