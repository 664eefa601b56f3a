"""Ask CatBoost: raw and leaves from a fitted model."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.readers._oracle import Oracle
from glasswood.readers.catboost._rows import Rows


def ask_object(model: Any, rows: Rows) -> Oracle:
    """Raw and leaves from a fitted model."""
    import catboost

    return ask_given(model, catboost.Pool(rows.matrix(), cat_features=sorted(rows.texts)))


def ask_given(model: Any, X: Any) -> Oracle:
    """Raw and leaves for anything CatBoost accepts."""
    raw = predict_as(model, X, "RawFormulaVal")
    n = len(raw)
    leaves = model.calc_leaf_indexes(X, thread_count=1) if model.tree_count_ else np.zeros((n, 0))
    return Oracle(raw=raw[:, seen_classes(raw)], leaves=np.asarray(leaves, dtype=np.int32).reshape(n, -1))


def predict_as(model: Any, X: Any, prediction_type: str) -> NDArray[np.float64]:
    """CatBoost's prediction of a type, (n_rows, n_outputs)."""
    import catboost

    # of the base class, because a ranker's own predict does not take the argument
    predicted = catboost.CatBoost.predict(model, X, prediction_type=prediction_type, thread_count=1)
    values = np.asarray(predicted, dtype=np.float64)
    return values.reshape(len(values), -1)


def seen_classes(raw: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Outputs that the trees add to; a class without training rows has a raw of −∞ in every row."""
    return np.asarray(~np.isneginf(raw).all(axis=0))
