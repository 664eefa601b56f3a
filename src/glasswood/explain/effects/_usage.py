"""usage: how many leaves depend on each feature, or on each combination of features."""

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood._checks import whole_number
from glasswood.ensemble import Ensemble
from glasswood.errors import OptionError
from glasswood.explain.effects._cell_grid import make_grid
from glasswood.readers import as_ensemble
from glasswood.results import Usage

_MAX_COMBINATIONS = 50_000_000  # counters, 8 bytes each


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


def count_usage(ensemble: Ensemble, degree: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Combinations of features (n, degree), ascending, and the number of leaves that use each; degree 1 lists all."""
    return ensemble._cached(f"usage of {degree} features", lambda model: _count(model, degree))


def _count(ensemble: Ensemble, degree: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    paths = make_grid(ensemble).paths
    start, feature = paths.sides()
    count = np.bincount(feature, minlength=len(ensemble.features)).astype(np.int64)
    if degree == 1:
        return np.arange(len(count), dtype=np.int32)[:, None], count
    used = np.flatnonzero(count)
    base = max(len(used), 1)
    if base**degree > _MAX_COMBINATIONS:
        raise OptionError(
            f"{base} features used have too many combinations of {degree} to count; ask for a lower degree"
        )
    if degree == 2:
        pairs = used[np.stack(np.triu_indices(len(used), 1), axis=1)].astype(np.int32)
        n_leaves = _native.pair_leaves(paths, pairs)
        return pairs[n_leaves > 0], n_leaves[n_leaves > 0]
    position = np.cumsum(count > 0)[feature] - 1  # a combination is a number in base len(used)
    length, leaves = np.diff(start), np.zeros(base**degree, dtype=np.int64)
    # leaves with paths of the same length form one matrix
    for m in np.unique(length[length >= degree]).tolist():
        first = start[:-1][length == m]
        ordered = np.sort(position[first[:, None] + np.arange(m)], axis=1)
        for columns in combinations(range(m), degree):
            key = np.ravel_multi_index(tuple(ordered[:, c] for c in columns), (base,) * degree)
            leaves += np.bincount(key, minlength=len(leaves))
    keys = np.flatnonzero(leaves)
    tuples = np.stack(np.unravel_index(keys, (base,) * degree), axis=1)
    return used[tuples].astype(np.int32).reshape(-1, degree), leaves[keys]
