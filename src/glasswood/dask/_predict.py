"""predict: the prediction of every row of a collection, as another collection that is computed later."""

from typing import Any

import numpy as np

from glasswood.dask._collections import check_collection, is_array, need_dask
from glasswood.readers import as_ensemble


def predict(model: Any, X: Any) -> Any:
    """Prediction of each row of a Dask collection; lazy.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `glasswood.read` takes.
    X : Dask DataFrame or Array
        The rows.

    Returns
    -------
    Dask Series or Array
        One number per row, with the index of X; a frame or 2-D array for a model of several outputs.
    """
    check_collection(X, "X", "the predict method of glasswood.read(model)")
    ensemble = as_ensemble(model)
    outputs = None if ensemble.n_outputs == 1 else list(ensemble.outputs)
    return map_rows(ensemble.predict, X, np.dtype(np.float64), outputs)


def map_rows(function: Any, X: Any, dtype: Any, columns: list[Any] | None) -> Any:
    """What a function of a table returns for each partition: one value per row, or one for each of the columns."""
    delayed = need_dask("dask").delayed(function, pure=True)  # sent once, not with every partition
    if is_array(X):
        if columns is None:
            return X.map_blocks(_array_part, delayed, dtype=dtype, drop_axis=1, meta=np.empty(0, dtype=dtype))
        chunks = (X.chunks[0], (len(columns),))
        return X.map_blocks(_array_part, delayed, dtype=dtype, chunks=chunks, meta=np.empty((0, 0), dtype=dtype))
    pandas = need_dask("pandas")
    index = X._meta.index
    if columns is None:
        meta = pandas.Series(np.empty(0, dtype=dtype), index=index)
    else:
        meta = pandas.DataFrame({name: np.empty(0, dtype=dtype) for name in columns}, index=index)
    return X.map_partitions(_frame_part, delayed, columns, dtype, meta=meta)


def _array_part(part: Any, function: Any) -> Any:
    return function(part)


def _frame_part(part: Any, function: Any, columns: list[Any] | None, dtype: Any) -> Any:
    pandas = need_dask("pandas")
    shape = (len(part),) if columns is None else (len(part), len(columns))
    values = function(part) if len(part) else np.empty(shape, dtype=dtype)
    if columns is None:
        return pandas.Series(values, index=part.index)
    return pandas.DataFrame(values, index=part.index, columns=columns)
