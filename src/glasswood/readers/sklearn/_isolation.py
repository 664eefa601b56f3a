"""Isolation forests: the mean length of a row's way to its leaf, which is a sum over trees; scores follow from it."""

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._elementary import log, log2
from glasswood.ensemble import NO_LINK, Ensemble, build_ensemble
from glasswood.readers._oracle import Oracle
from glasswood.readers._stack import TreeNodes, stack
from glasswood.readers.sklearn._common import answer, as_matrix, feature_schema, provenance, require_fitted
from glasswood.readers.sklearn._forest import tree_nodes
from glasswood.tables import Table

_EULER = 0.5772156649015329  # Euler and Mascheroni's constant, the float64 that numpy has


def read_isolation(model: Any) -> Ensemble:
    """Read an isolation forest; raw is the mean path length, short where a row is easily set apart."""
    require_fitted(model, "estimators_")
    nodes = stack([_tree(model, k) for k in range(len(model.estimators_))])
    note = f"raw is the mean path length; score_samples is −2^(−raw / {_expected(model):.6g})"
    return build_ensemble(
        **nodes,
        baseline=np.zeros(1),
        link=NO_LINK,
        features=feature_schema(model),
        outputs=("path length",),
        source=dataclasses.replace(provenance(model, "path length", None), notes=(note,)),
    )


def ask_isolation(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """The path length behind scikit-learn's score, and the leaves."""
    score = np.asarray(answer(model, "score_samples", X), dtype=np.float64)
    raw = -log2(-score) * _expected(model)
    matrix = as_matrix(X, ensemble)
    leaves = [
        member.apply(matrix[:, features])
        for member, features in zip(model.estimators_, model.estimators_features_, strict=True)
    ]
    return Oracle(raw=raw[:, None], leaves=np.column_stack(leaves).astype(np.int32))


def _expected(model: Any) -> float:
    """Mean path length of as many rows as a tree was grown on."""
    return float(average_length(np.array([model.max_samples_]))[0])


def _tree(model: Any, k: int) -> TreeNodes:
    """The k-th tree on the features of the forest."""
    member, features = model.estimators_[k], np.asarray(model.estimators_features_[k])
    nodes = tree_nodes(member, _lengths(member)[:, None], scale=1 / len(model.estimators_))
    return dataclasses.replace(nodes, feature=np.where(nodes.feature < 0, -1, features[nodes.feature]))


def _lengths(member: Any) -> NDArray[np.float64]:
    """Depth of each node and, for the rows that were not set apart there, what is expected of a tree of them."""
    tree = member.tree_
    depth = np.zeros(tree.node_count)
    level = np.zeros(1, dtype=np.int64)
    while len(level):
        level = level[tree.children_left[level] >= 0]
        below = np.concatenate([tree.children_left[level], tree.children_right[level]])
        depth[below] = np.tile(depth[level] + 1, 2)
        level = below
    return depth + average_length(tree.n_node_samples)


def average_length(n_rows: NDArray[Any]) -> NDArray[np.float64]:
    """Mean path length of an isolation tree of so many rows (Liu, Ting and Zhou 2008, eq. 1).

    Examples
    --------
    >>> import numpy as np
    >>> from glasswood.readers.sklearn._isolation import average_length
    >>> average_length(np.array([1, 2])).tolist()
    [0.0, 1.0]
    """
    n = np.maximum(n_rows.astype(np.float64), 3.0)
    many = 2.0 * (log(n - 1.0) + _EULER) - 2.0 * (n - 1.0) / n
    return np.where(n_rows <= 1, 0.0, np.where(n_rows == 2, 1.0, many))
