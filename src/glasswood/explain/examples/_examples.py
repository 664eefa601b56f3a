"""examples: index the training rows by the leaves they reach, to find those most similar to a query."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import check_choice, whole_number
from glasswood._jobs import resolve_n_jobs
from glasswood._powers import power_of, times_power
from glasswood.ensemble import Ensemble, Provenance, align
from glasswood.errors import TableError
from glasswood.explain.examples._index import ExampleIndex
from glasswood.explain.examples._leaf_rows import LeafRows, leaf_rows, number_leaves
from glasswood.readers import as_ensemble, read_draws
from glasswood.tables import Table, check_some_weight, n_rows_of, read_vector, read_weight

Method = Literal["auto", "leaf_weight", "breiman", "inbag", "boosted"]
METHODS = ("auto", "leaf_weight", "breiman", "inbag", "boosted")
_ROUNDING = 1e-13
MAX_ROWS = 2**31 - 1  # scipy's int32 columns, and row numbers of 4 bytes


def examples(
    model: Any,
    X_train: Table,
    y_train: Any = None,
    *,
    method: Method = "auto",
    min_rows_per_leaf: int = 1,
    sample_weight: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> ExampleIndex:
    """Index training rows by the leaves they reach, to find those most similar to a query.

    L_t(x) are the training rows in the leaf that x reaches in tree t. For a query, trees whose leaf is empty are left
    out and the weights of the others are rescaled.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `glasswood.read` takes.
    X_train : table
        Rows to find; for ``method="inbag"`` this must be the table of the fit. It is kept without a copy.
    y_train : array, (n_rows,), optional
        Their targets, which are shown with them.
    method : {"auto", "leaf_weight", "breiman", "inbag", "boosted"}
        ``auto``: `boosted` for boosted models, whose first trees matter most, `leaf_weight` for trees and forests.
        ``leaf_weight``: mean over the trees of 1{i ∈ L_t(x)} / |L_t(x)|; for a forest without bootstrap, Σ w·y is the
        prediction.
        ``breiman``: share of the trees in which both rows reach the same leaf.
        ``inbag``: like `leaf_weight`, but each row counts as often as the tree drew it, so that Σ w·y is the prediction
        of the forest; needs a model that knows its draws.
        ``boosted``: like `leaf_weight`, with each tree weighted by the variance of its value over X_train.
    min_rows_per_leaf : int
        Privacy limit: a leaf with fewer distinct training rows counts as empty, so every shown row shares its leaves
        with at least so many rows.
    sample_weight : array, (n_rows,), optional
        Weights instead of counts of rows; a row of weight 0 is ignored. For `inbag` they multiply the draws: leave them
        out if the model drew its rows by weight (our forests, scikit-learn from 1.9 on).
    n_jobs : int, optional
        Number of threads, also for queries; None is 1, −1 all cores. The result has the same bits for any number.
    progress : bool
        Show a bar on stderr.

    Returns
    -------
    ExampleIndex
        ``nearest(X, k=5)`` returns `Neighbours`, ``weights(X)`` a sparse matrix.

    Raises
    ------
    UnsupportedModelError
        ``method="inbag"`` and the model does not know its draws.

    Examples
    --------
    >>> import glasswood as gw
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RandomForestClassifier(50, random_state=0).fit(X, y)
    >>> index = gw.examples(forest, X, y)
    >>> index.nearest(X[:1], k=3).target.tolist()
    [[0, 0, 0]]
    """
    check_choice("method", method, METHODS)
    min_rows_per_leaf = whole_number("min_rows_per_leaf", min_rows_per_leaf, 1)
    n_threads = resolve_n_jobs(n_jobs)
    n_rows = n_rows_of(X_train)
    if not 0 < n_rows <= MAX_ROWS:
        raise TableError(f"X_train has {n_rows:,} rows; give at least 1 and fewer than 2**31")
    target = None if y_train is None else read_vector(y_train, n_rows, what="y_train")
    weight = read_weight(sample_weight, n_rows)
    if weight is not None:
        check_some_weight(np.count_nonzero(weight))
    # similarities are ratios, so the scale does not matter
    weight = None if weight is None else times_power(weight, -power_of(weight))
    copies = read_draws(model, n_rows) if method == "inbag" else None
    numbered = number_leaves(as_ensemble(model, X_train))
    chosen = choose_method(method, numbered.source)
    leaves = leaf_rows(
        numbered,
        align(X_train, numbered.features),
        weight=weight,
        copies=copies,
        min_rows_per_leaf=min_rows_per_leaf,
        n_threads=n_threads,
        progress=progress,
    )
    unit, tree_weight = weights_of(numbered, leaves, chosen)
    return ExampleIndex(
        numbered=numbered,
        leaves=leaves,
        unit=unit,
        tree_weight=tree_weight,
        row_weight=None if chosen == "breiman" else weight,
        table=X_train,
        target=target,
        n_rows=n_rows,
        method=chosen,
        min_rows_per_leaf=min_rows_per_leaf,
        n_jobs=n_jobs,
    )


def weights_of(numbered: Ensemble, leaves: LeafRows, method: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What an entry of weight 1 adds in each leaf, and the weight of each tree."""
    tree_weight = _tree_variance(numbered, leaves.mass) if method == "boosted" else np.ones(numbered.n_trees)
    return _units(numbered, leaves, tree_weight, shared=method != "breiman"), tree_weight


def choose_method(method: Method, source: Provenance) -> str:
    """The method that ``"auto"`` stands for."""
    if method != "auto":
        return method
    return "boosted" if is_boosted(source) else "leaf_weight"


def is_boosted(source: Provenance) -> bool:
    """Whether the model is a boosted one, judging by its source."""
    if source.library in ("glasswood", "scikit-learn"):
        return "Boost" in source.model
    return not source.model.startswith("XGBRF")


def _units(
    numbered: Ensemble, leaves: LeafRows, tree_weight: NDArray[np.float64], *, shared: bool
) -> NDArray[np.float64]:
    """What an entry of weight 1 adds: the weight of its tree, divided by the mass of the leaf if `shared`."""
    same = tree_weight[0] if len(tree_weight) and (tree_weight == tree_weight[0]).all() else None
    weight = np.full(numbered.n_leaves, same) if same is not None else tree_weight[_tree_of_leaf(numbered)]
    return np.divide(weight, leaves.mass, out=np.zeros_like(weight), where=leaves.kept) if shared else weight


def _tree_variance(numbered: Ensemble, mass: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weighted variance over the training rows of each tree's value, summed over outputs; (n_trees,)."""
    n_trees, tree = numbered.n_trees, _tree_of_leaf(numbered)
    value = numbered.value[numbered.feature < 0]
    value = times_power(value, -power_of(value))  # trees are only compared with each other
    total = np.bincount(tree, weights=mass, minlength=n_trees)
    variance = np.zeros(n_trees)
    for k in range(value.shape[1]):
        mean = np.bincount(tree, weights=mass * value[:, k], minlength=n_trees) / total
        variance += np.bincount(tree, weights=mass * (value[:, k] - mean[tree]) ** 2, minlength=n_trees) / total
    # if all rows get the same value, the variance is 0; rounding of the mean must not make it positive
    largest = np.zeros(n_trees)
    np.maximum.at(largest, tree, np.abs(value).max(axis=1, initial=0.0))
    return np.where(variance <= (_ROUNDING * largest) ** 2, 0.0, variance)


def _tree_of_leaf(numbered: Ensemble) -> NDArray[np.intp]:
    return np.repeat(np.arange(numbered.n_trees), np.diff(numbered.tree_start))[numbered.feature < 0]
