"""ask: what XGBoost itself predicts for the rows of a table."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble, align
from glasswood.errors import ParityError
from glasswood.readers._oracle import Oracle, float32_sums
from glasswood.readers._override import library_method
from glasswood.readers._plain import plain_numbers
from glasswood.readers.xgboost._reader import best_rounds, booster_of
from glasswood.tables import FrameKind, Table, frame_kind


def ask(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Predict raw and leaves of the table as it is."""
    _check_categories_in_place(X)
    booster = booster_of(model)
    if booster is model:
        return _oracle(booster, ensemble, _as_given(booster, X), None)
    raw = np.asarray(library_method(model, "predict")(X, output_margin=True), dtype=np.float64)
    try:
        leaves = _leaves(booster, _as_given(booster, X), best_rounds(booster))
    except Exception:  # predict accepts tables that apply refuses: leaves of the values read
        leaves = _leaves(booster, _as_read(booster, X, ensemble), best_rounds(booster))
    raw = raw.reshape(len(raw), ensemble.n_outputs)
    return Oracle(raw=raw, leaves=leaves, unit=float32_sums(ensemble.n_trees))


def ask_as_read(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Predict raw and leaves of the values that glasswood reads."""
    booster = booster_of(model)
    rounds = best_rounds(booster) if booster is not model else None
    return _oracle(booster, ensemble, _as_read(booster, X, ensemble), rounds)


def predicted(model: Any, ensemble: Ensemble, X: Table) -> NDArray[np.float64] | None:
    """Predict on the scale of the target; None for `multi:softmax`, which predicts the class."""
    booster = booster_of(model)
    if booster is model:
        if ensemble.source.objective == "multi:softmax":
            return None
        values = booster.predict(_as_given(booster, X))
    elif hasattr(model, "predict_proba"):
        values = library_method(model, "predict_proba")(X)
        values = values[:, 1:] if ensemble.n_outputs == 1 else values
    else:
        values = library_method(model, "predict")(X)
    return np.asarray(values, dtype=np.float64).reshape(-1, ensemble.n_outputs)


def open_file(content: bytes) -> Any:
    """Load the bytes of a file that was read successfully before."""
    from xgboost import Booster

    booster = Booster()
    booster.load_model(bytearray(content))
    return booster


def ask_opened(opened: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Predict with the model of a file; a file written by an estimator predicts like the estimator."""
    wrote_estimator = opened.attr("scikit_learn") is not None
    return _ask(opened, ensemble, X, best_rounds(opened) if wrote_estimator else None)


def _ask(booster: Any, ensemble: Ensemble, X: Table, rounds: int | None) -> Oracle:
    return _oracle(booster, ensemble, _as_trained(booster, X, ensemble), rounds)


def _check_categories_in_place(X: Table) -> None:
    """Refuse category labels that XGBoost would read from wrong memory.

    XGBoost (observed in 3.2.0) assumes that numeric labels are contiguous and ignores their stride. For a reversed
    view, which ``cat.reorder_categories(labels[::-1])`` creates, it reads memory after the labels, and predictions
    differ from call to call.
    """
    if frame_kind(X) is not FrameKind.PANDAS:
        return
    for name, dtype in X.dtypes.items():
        labels = getattr(getattr(dtype, "categories", None), "values", None)
        if isinstance(labels, np.ndarray) and labels.dtype.kind in "iuf" and not labels.flags.c_contiguous:
            raise ParityError(
                f"XGBoost misreads column {name!r}: its category labels are a view with a stride, and XGBoost reads "
                f"memory that is not theirs; give X[{name!r}].cat.set_categories(list(X[{name!r}].cat.categories))"
            )


def _oracle(booster: Any, ensemble: Ensemble, rows: Any, rounds: int | None) -> Oracle:
    used = (0, rounds or 0)  # (0, 0) means all
    raw = np.asarray(booster.predict(rows, output_margin=True, iteration_range=used), dtype=np.float64)
    return Oracle(
        raw=raw.reshape(rows.num_row(), ensemble.n_outputs),
        leaves=_leaves(booster, rows, rounds),
        unit=float32_sums(ensemble.n_trees),
    )


def _leaves(booster: Any, rows: Any, rounds: int | None) -> NDArray[np.int32]:
    leaves = np.asarray(booster.predict(rows, pred_leaf=True, iteration_range=(0, rounds or 0)))
    return leaves.reshape(rows.num_row(), -1).astype(np.int32)


def _as_given(booster: Any, X: Table) -> Any:
    """The table as it was given, in the matrix that a Booster needs; a table without names is used by position."""
    from xgboost import DMatrix

    if frame_kind(X) is not None:
        return DMatrix(X, enable_categorical=True)
    names, types = booster.feature_names, booster.feature_types
    return DMatrix(X, feature_names=names, feature_types=types, enable_categorical=True)


def _as_trained(booster: Any, X: Table, ensemble: Ensemble) -> Any:
    """The table for XGBoost: a pandas frame with category columns unchanged, otherwise numbers and codes."""
    from xgboost import DMatrix

    if frame_kind(X) is FrameKind.PANDAS and ensemble.features.is_category.any():
        frame = _known_frame(X, ensemble)
        if frame is not None:
            return DMatrix(frame, enable_categorical=True)
    return _as_read(booster, X, ensemble)


def _as_read(booster: Any, X: Table, ensemble: Ensemble) -> Any:
    """Numbers and codes that glasswood reads."""
    from xgboost import DMatrix

    features = ensemble.features
    is_category = features.is_category
    matrix = plain_numbers(X, features)
    if matrix is None:
        rows = align(X, features)
        matrix = np.empty((rows.n_rows, len(features)))
        for j in range(len(features)):
            column = rows.column(j)
            matrix[:, j] = np.where(column < 0, np.nan, column) if is_category[j] else column
    types = ["c" if category else "q" for category in is_category] if is_category.any() else booster.feature_types
    return DMatrix(matrix, feature_names=booster.feature_names, feature_types=types, enable_categorical=True)


def _known_frame(X: Any, ensemble: Ensemble) -> Any:
    """The frame in the model's order if XGBoost accepts it: categories where they are expected, with known labels."""
    features = ensemble.features
    columns = {str(column): column for column in X.columns}
    if not features.named or set(columns) != set(features.names):
        return None
    frame = X[[columns[name] for name in features.names]]
    if [hasattr(dtype, "categories") for dtype in frame.dtypes] != features.is_category.tolist():
        return None
    for dtype, labels, coded in zip(frame.dtypes, features.categories, features.coded, strict=True):
        # XGBoost ≥ 3.1 refuses a frame with unseen labels, but accepts unseen codes
        if labels is not None and not coded and not set(dtype.categories) <= set(labels):
            return None
    return frame
