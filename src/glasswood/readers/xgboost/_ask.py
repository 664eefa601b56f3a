"""ask: what XGBoost itself predicts for the rows of a table."""

from typing import Any

import numpy as np

from glasswood.ensemble import Ensemble, align
from glasswood.readers._oracle import Oracle, float32_sums
from glasswood.readers._plain import plain_numbers
from glasswood.readers.xgboost._reader import best_rounds, booster_of
from glasswood.tables import FrameKind, Table, frame_kind


def ask(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Predict raw and leaves with the library."""
    booster = booster_of(model)
    return _ask(booster, ensemble, X, best_rounds(booster) if booster is not model else None)


def open_file(content: bytes) -> Any:
    """Load the bytes of a file that has been read and found whole."""
    from xgboost import Booster

    booster = Booster()
    booster.load_model(bytearray(content))
    return booster


def ask_opened(opened: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Predict with the model of a file; one an estimator wrote predicts as the estimator does."""
    wrote_estimator = opened.attr("scikit_learn") is not None
    return _ask(opened, ensemble, X, best_rounds(opened) if wrote_estimator else None)


def _ask(booster: Any, ensemble: Ensemble, X: Table, rounds: int | None) -> Oracle:
    rows = _as_trained(booster, X, ensemble)
    used = (0, rounds or 0)  # (0, 0): all
    raw = np.asarray(booster.predict(rows, output_margin=True, iteration_range=used), dtype=np.float64)
    leaves = np.asarray(booster.predict(rows, pred_leaf=True, iteration_range=used))
    n_rows = rows.num_row()
    return Oracle(
        raw=raw.reshape(n_rows, ensemble.n_outputs),
        leaves=leaves.reshape(n_rows, -1).astype(np.int32),
        unit=float32_sums(ensemble.n_trees),
    )


def _as_trained(booster: Any, X: Table, ensemble: Ensemble) -> Any:
    """The table as XGBoost takes it: a pandas frame with category columns as it is, else numbers and codes."""
    from xgboost import DMatrix

    features = ensemble.features
    is_category = features.is_category
    if frame_kind(X) is FrameKind.PANDAS and is_category.any():
        frame = _known_frame(X, ensemble)
        if frame is not None:
            return DMatrix(frame, enable_categorical=True)
    matrix = plain_numbers(X, features)
    if matrix is None:
        rows = align(X, features)
        matrix = np.empty((rows.n_rows, len(rows.data)))
        for j, column in enumerate(rows.data):
            matrix[:, j] = np.where(column < 0, np.nan, column) if is_category[j] else column
    types = ["c" if category else "q" for category in is_category] if is_category.any() else booster.feature_types
    return DMatrix(matrix, feature_names=booster.feature_names, feature_types=types, enable_categorical=True)


def _known_frame(X: Any, ensemble: Ensemble) -> Any:
    """The frame in the model's order if XGBoost can take it: categories where it wants them, with known labels."""
    features = ensemble.features
    columns = {str(column): column for column in X.columns}
    if not features.named or set(columns) != set(features.names):
        return None
    frame = X[[columns[name] for name in features.names]]
    if [hasattr(dtype, "categories") for dtype in frame.dtypes] != features.is_category.tolist():
        return None
    for dtype, labels, coded in zip(frame.dtypes, features.categories, features.coded, strict=True):
        # XGBoost ≥ 3.1 refuses a frame with labels it has not seen, but takes codes it has not seen
        if labels is not None and not coded and not set(dtype.categories) <= set(labels):
            return None
    return frame
