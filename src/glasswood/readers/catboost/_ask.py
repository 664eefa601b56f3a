"""Ask CatBoost itself: raw and leaves by a fitted model."""

from typing import Any

import numpy as np

from glasswood.readers._oracle import Oracle
from glasswood.readers.catboost._rows import Rows


def ask_object(model: Any, rows: Rows) -> Oracle:
    """Raw and leaves by a fitted model."""
    import catboost

    pool = catboost.Pool(rows.matrix(), cat_features=sorted(rows.texts))
    # the base class: a ranker's own predict does not take the argument
    predicted = catboost.CatBoost.predict(model, pool, prediction_type="RawFormulaVal", thread_count=1)
    raw = np.asarray(predicted, dtype=np.float64)
    n = len(raw)
    leaves = model.calc_leaf_indexes(pool, thread_count=1) if model.tree_count_ else np.zeros((n, 0))
    return Oracle(raw=raw.reshape(n, -1), leaves=np.asarray(leaves, dtype=np.int32).reshape(n, -1))
