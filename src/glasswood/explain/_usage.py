"""usage: how many leaves depend on a feature, or on several together."""

import operator
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from glasswood.errors import OptionError
from glasswood.explain._grid import make_grid
from glasswood.readers import as_ensemble
from glasswood.tables import make_frame


def usage(model: Any, degree: int = 1, *, backend: str | None = None) -> Any:
    """Number of leaves whose path uses a feature, or all features of a combination.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `glasswood.read` takes.
    degree : int
        Number of features of a combination.
    backend : str, optional
        ``"pandas"``, ``"polars"`` or ``"pyarrow"``.

    Returns
    -------
    frame
        Columns feature and leaves for degree 1, where unused features count 0; else feature_0, feature_1, … and leaves
        for the combinations that occur. Most used first.

    Examples
    --------
    >>> import glasswood as gw
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor().fit([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]], [1.0, 2.0, 4.0])
    >>> gw.usage(tree, backend="pyarrow").to_pydict()
    {'feature': ['x0', 'x1'], 'leaves': [3, 0]}
    """
    try:
        degree = operator.index(degree)
    except TypeError:
        raise OptionError(f"degree must be an integer, got {degree!r}") from None
    if degree < 1:
        raise OptionError(f"degree must be at least 1, got {degree}")
    ensemble = as_ensemble(model)
    tuples, leaves = count_usage(ensemble, degree)
    order = np.argsort(-leaves, kind="stable")
    names = np.array(ensemble.feature_names, dtype=object)[tuples[order]]
    columns: dict[str, Any] = {"feature" if degree == 1 else f"feature_{d}": names[:, d] for d in range(degree)}
    return make_frame(columns | {"leaves": leaves[order]}, backend)


def count_usage(ensemble: Ensemble, degree: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Combinations of features (n, degree), ascending, and how many leaves use each; degree 1 lists every feature."""
    start, feature = make_grid(ensemble).paths.sides()
    if degree == 1:
        p = len(ensemble.features)
        return np.arange(p, dtype=np.int32)[:, None], np.bincount(feature, minlength=p).astype(np.int64)
    length = np.diff(start)
    found = [np.zeros((0, degree), dtype=np.int32)]
    # leaves with paths of one length are one matrix
    for m in np.unique(length[length >= degree]).tolist():
        first = start[:-1][length == m]
        paths = np.sort(feature[first[:, None] + np.arange(m)], axis=1)
        found += [paths[:, columns] for columns in combinations(range(m), degree)]
    tuples, leaves = np.unique(np.concatenate(found), axis=0, return_counts=True)
    return tuples.astype(np.int32).reshape(-1, degree), leaves.astype(np.int64)
