"""usage: how many leaves depend on each feature, or on each combination of features."""

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import whole_number
from glasswood.ensemble import Ensemble
from glasswood.errors import OptionError
from glasswood.explain.effects._cell_grid import make_grid
from glasswood.readers import as_ensemble
from glasswood.results import Usage


def usage(model: Any, degree: int = 1) -> Usage:
    """Number of leaves whose path uses a feature, or all features of a combination.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `glasswood.read` takes.
    degree : int
        Number of features of a combination.

    Returns
    -------
    Usage
        For degree 1 every feature, unused ones with 0; otherwise the combinations that occur. Most used first.

    Examples
    --------
    >>> import glasswood as gw
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor().fit([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]], [1.0, 2.0, 4.0])
    >>> gw.usage(tree).to_frame("pyarrow").to_pydict()
    {'feature': ['x0', 'x1'], 'leaves': [3, 0]}
    """
    degree = whole_number("degree", degree, 1)
    ensemble = as_ensemble(model)
    tuples, leaves = count_usage(ensemble, degree)
    order = np.argsort(-leaves, kind="stable")
    names = ensemble.feature_names
    features = tuple(tuple(names[f] for f in row) for row in tuples[order].tolist())
    return Usage(features=features, leaves=leaves[order], degree=degree)


_MAX_COMBINATIONS = 50_000_000  # counters, 8 bytes each


def count_usage(ensemble: Ensemble, degree: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Combinations of features (n, degree), ascending, and the number of leaves that use each; degree 1 lists all."""
    start, feature = make_grid(ensemble).paths.sides()
    if degree == 1:
        p = len(ensemble.features)
        return np.arange(p, dtype=np.int32)[:, None], np.bincount(feature, minlength=p).astype(np.int64)
    used, position = np.unique(feature, return_inverse=True)  # a combination is a number in base len(used)
    length, base = np.diff(start), max(len(used), 1)
    if base**degree > _MAX_COMBINATIONS:
        raise OptionError(
            f"{base} features used have too many combinations of {degree} to count; ask for a lower degree"
        )
    leaves = np.zeros(base**degree, dtype=np.int64)
    # leaves with paths of the same length form one matrix
    for m in np.unique(length[length >= degree]).tolist():
        first = start[:-1][length == m]
        paths = np.sort(position[first[:, None] + np.arange(m)], axis=1)
        for columns in combinations(range(m), degree):
            key = np.ravel_multi_index(tuple(paths[:, c] for c in columns), (base,) * degree)
            leaves += np.bincount(key, minlength=len(leaves))
    keys = np.flatnonzero(leaves)
    tuples = np.stack(np.unravel_index(keys, (base,) * degree), axis=1)
    return used[tuples].astype(np.int32).reshape(-1, degree), leaves[keys]
