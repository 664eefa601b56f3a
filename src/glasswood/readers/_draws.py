"""Draws: the training rows that each tree of a forest was grown on, if the model knows them."""

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from glasswood.errors import TableError, UnsupportedModelError


def read_draws(model: Any, n_rows: int) -> NDArray[np.unsignedinteger]:
    """How often each tree drew each training row.

    Parameters
    ----------
    model : fitted model
        A scikit-learn forest or bagging model, or a forest of ours: anything with ``estimators_samples_``.
    n_rows : int
        Number of rows of the training table.

    Returns
    -------
    ndarray of the smallest unsigned int that fits, (n_rows, n_trees)

    Raises
    ------
    UnsupportedModelError
        The model does not know its draws.
    TableError
        The model was fitted on another number of rows.

    Examples
    --------
    >>> import glasswood as gw
    >>> from glasswood.readers import read_draws
    >>> forest = gw.ForestRegressor(3, random_state=0).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
    >>> read_draws(forest, 3).sum(axis=0).tolist()
    [3, 3, 3]
    """
    name = "an ensemble or a file" if isinstance(model, Ensemble | str | os.PathLike) else f"a {type(model).__name__}"
    samples = getattr(model, "estimators_samples_", None)
    if samples is None:
        raise UnsupportedModelError(
            f"{name} does not know which rows its trees were grown on; give a fitted forest of glasswood or "
            "scikit-learn, or a Bagging model, or use method='leaf_weight'"
        )
    fitted_on = getattr(model, "_n_samples", n_rows)
    if fitted_on != n_rows or any(len(drawn) and int(np.max(drawn)) >= n_rows for drawn in samples):
        raise TableError(f"X_train has {n_rows} rows, but the model was fitted on others; pass the training table")
    most = max((int(np.bincount(drawn).max(initial=0)) for drawn in samples), default=0)
    draws = np.empty((n_rows, len(samples)), dtype=np.min_scalar_type(most))
    for tree, drawn in enumerate(samples):
        draws[:, tree] = np.bincount(drawn, minlength=n_rows)
    return draws
