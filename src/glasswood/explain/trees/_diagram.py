"""tree_diagram: a tree → TreeDiagram, with the node values of the model or with the rows of a table."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import (
    Ensemble,
    category_label,
    holds_shares,
    node_depths,
    number_label,
    predicted_class,
    shares_of,
    short_number,
    shown_number,
)
from glasswood.errors import UnsupportedModelError
from glasswood.explain.trees._node_rows import NodeRows, levels_left
from glasswood.results import TreeDiagram
from glasswood.tables import FrameKind


def tree_diagram(ensemble: Ensemble, *, classes: Sequence[str] | None = None) -> TreeDiagram:
    """Show a single tree with the weights and values of its nodes.

    Parameters
    ----------
    ensemble : Ensemble
        A model of one tree.
    classes : sequence of str, optional
        Names of the classes, for a classification tree.

    Examples
    --------
    >>> import glasswood as gw
    >>> from glasswood.explain.trees import tree_diagram
    >>> tree = gw.TreeRegressor(max_depth=1).fit([[0.0], [1.0], [2.0]], [1.0, 1.0, 4.0])
    >>> tree_diagram(tree.ensemble_).label
    ('x0 <= 1.5', 'Leaf', 'Leaf')
    """
    require_one_tree(ensemble)
    value = ensemble.value + ensemble.baseline
    counts = None
    if holds_shares(ensemble):
        classes = tuple(classes) if classes is not None else _class_names(ensemble)
        counts = shares_of(value, len(classes)) * ensemble.weight[:, None]
    return make_diagram(ensemble, ensemble.weight, value, counts, classes if counts is not None else None, None)


def make_diagram(
    ensemble: Ensemble,
    weight: NDArray[np.float64],
    value: NDArray[np.float64],
    counts: NDArray[np.float64] | None,
    classes: Sequence[str] | None,
    seen: NodeRows | None,
    kind: FrameKind | None = None,
    thresholds: Sequence[str] | None = None,
) -> TreeDiagram:
    """Assemble a diagram; `value` is the prediction in each node, (n_nodes, width).

    `thresholds` has a text for the threshold of every node; by default a short number between the rows beside it.
    """
    if counts is None or classes is None:
        predicted = tuple(f"{mean:.6g}" for mean in value[:, 0])
    else:
        predicted = tuple(classes[k] for k in predicted_class(value, len(classes)))
    return TreeDiagram(
        label=tuple(_label(ensemble, node, seen, thresholds) for node in range(ensemble.n_nodes)),
        left=ensemble.left,
        right=ensemble.right,
        depth=node_depths(ensemble),
        weight=weight,
        value=np.full(len(weight), np.nan) if counts is not None else value[:, 0],
        counts=counts,
        classes=None if classes is None else tuple(classes),
        predicted=predicted,
        kind=kind,
    )


def require_one_tree(ensemble: Ensemble) -> None:
    """Raise unless the model is a single tree."""
    if ensemble.n_trees != 1:
        raise UnsupportedModelError(f"a single tree is needed, the model has {ensemble.n_trees}")


def _class_names(ensemble: Ensemble) -> tuple[str, ...]:
    names = ensemble.outputs
    return (f"not {names[0]}", names[0]) if len(names) == 1 else names


def _label(ensemble: Ensemble, node: int, seen: NodeRows | None, thresholds: Sequence[str] | None) -> str:
    feature = int(ensemble.feature[node])
    if feature < 0:
        return "Leaf"
    name, missing_left = ensemble.feature_names[feature], bool(ensemble.missing_left[node])
    if ensemble.category_set[node] >= 0:
        labels = ensemble.features.categories[feature] or ()
        # without rows it is not known whether a value was missing here
        with_missing = missing_left and seen is not None and bool(seen.missing[node])
        return category_label(name, [labels[code] for code in levels_left(ensemble, node)], missing_left=with_missing)
    threshold = float(ensemble.threshold[node])
    if seen is None:
        return number_label(name, shown_number(float(ensemble.stated_threshold[node])), missing_left=False)
    if thresholds is None:
        text = short_number(float(seen.low[node]), float(seen.high[node]), threshold)
    else:
        text = thresholds[node]
    return number_label(name, text, missing_left=missing_left and bool(seen.missing[node]))
