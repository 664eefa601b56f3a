"""tree_profile: impurity, score and regions of a tree at each depth."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._elementary import log2
from glasswood._exact import exact_group_sums, exact_mean, exact_sum
from glasswood._powers import power_of, times_power
from glasswood._progress import Progress
from glasswood.ensemble import align, boxes, holds_shares, predicted_class
from glasswood.errors import UnsupportedModelError
from glasswood.explain._target import as_numbers, check_squares, class_target
from glasswood.explain.trees._diagram import make_diagram, require_one_tree
from glasswood.explain.trees._node_rows import node_rows
from glasswood.readers import as_ensemble
from glasswood.results import DepthBoxes, Frontiers, TreeProfile
from glasswood.tables import Table, frame_kind, read_vector, read_weight


def tree_profile(model: Any, X: Table, y: Any, *, sample_weight: Any = None, progress: bool = False) -> TreeProfile:
    """Cut a tree at every depth: impurity, accuracy and regions of what remains.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `glasswood.read` takes that is a single tree.
    X : table
        Rows to send through the tree.
    y : array, (n_rows,)
        Their targets.
    sample_weight : array, (n_rows,), optional
    progress : bool
        Show a bar on stderr, with a step each time the rows of a node are added up.

    Returns
    -------
    TreeProfile

    Examples
    --------
    >>> import glasswood as gw
    >>> import numpy as np
    >>> X, y = np.column_stack([np.arange(8), np.zeros(8)]), [0, 0, 0, 0, 1, 0, 1, 1]
    >>> profile = gw.tree_profile(gw.TreeClassifier().fit(X, y), X, y)
    >>> profile.impurity
    array([0.46875, 0.1875 , 0.125  , 0.     ])
    >>> profile.tree.label[0], profile.tree.detail(0)
    ('x0 <= 3.5', '5 and 3 rows, predicts 0')
    """
    ensemble = as_ensemble(model, X)
    require_one_tree(ensemble)
    if np.isnan(ensemble.value).any():
        raise UnsupportedModelError("the model carries no node weights, so the mean of a cut subtree is not known")
    table = align(X, ensemble.features)
    weight = read_weight(sample_weight, table.n_rows)
    exponent = 0 if weight is None else power_of(weight)
    weight = np.ones(table.n_rows) if weight is None else times_power(weight, -exponent)
    seen = node_rows(ensemble, table)
    value = ensemble.value + ensemble.baseline
    criterion = ensemble.source.objective
    classes, counts = None, None
    with Progress("nodes", (2 if holds_shares(ensemble) else 3) * ensemble.n_nodes, show=progress) as bar:
        mass = np.array([exact_sum(weight[rows]) for rows in bar.over(seen.rows)])
        if holds_shares(ensemble):
            classes, codes = class_target(ensemble, y, table.n_rows)
            counts = np.array([exact_group_sums(codes[r], weight[r], len(classes)) for r in bar.over(seen.rows)])
            impurity = class_impurity(counts, criterion)
            hit = counts[np.arange(len(counts)), predicted_class(value, len(classes))]
        else:
            numbers = as_numbers(read_vector(y, table.n_rows))
            check_squares(numbers, weight)
            impurity = np.array([_variance(numbers[r], weight[r]) for r in bar.over(seen.rows)])
            both = zip(bar.over(seen.rows), value[:, 0], strict=True)
            hit = np.array([-exact_sum(weight[r] * (numbers[r] - v) ** 2) for r, v in both])
    shown = None if counts is None else times_power(counts, exponent)
    diagram = make_diagram(ensemble, times_power(mass, exponent), value, shown, classes, seen, frame_kind(X))
    frontier = Frontiers(diagram.depth, ensemble.feature < 0)
    return TreeProfile(
        criterion=_criterion_name(criterion) if counts is not None else "squared_error",
        impurity=np.array([np.sum(mass[nodes] * impurity[nodes]) / mass[0] for nodes in frontier]),
        score=_scores(hit, frontier, mass[0], None if counts is not None else mass[0] * impurity[0]),
        score_name="r2" if counts is None else "accuracy",
        frontier=frontier,
        boxes=DepthBoxes(frontier, boxes(ensemble, of_inner=True), ensemble.features),
        node_impurity=impurity,
        tree=diagram,
    )


def _criterion_name(objective: str) -> str:
    return "gini" if objective == "gini" else "entropy"  # scikit-learn's log_loss is entropy


def class_impurity(counts: NDArray[np.float64], criterion: str) -> NDArray[np.float64]:
    """Gini impurity or entropy of each node, from the weight of its classes, (n_nodes, n_classes)."""
    total = counts.sum(axis=1, keepdims=True)
    share = np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)
    if criterion == "gini":
        return np.asarray((share * (1 - share)).sum(axis=1))
    logs = np.where(share > 0, log2(share), 0.0)
    return np.asarray(-(share * logs).sum(axis=1))


def _variance(y: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
    return exact_mean((y - exact_mean(y, weight)) ** 2, weight) if np.any(weight > 0) else 0.0


def _scores(
    hit: NDArray[np.float64], frontier: Sequence[NDArray[np.int32]], total: float, spread: float | None
) -> NDArray[np.float64]:
    """Accuracy of each cut, or R² if `spread` is the total sum of squares."""
    summed = np.array([hit[nodes].sum() for nodes in frontier])
    if spread is None:
        return summed / total
    return 1.0 + summed / spread if spread > 0 else np.where(summed == 0, 1.0, 0.0)
