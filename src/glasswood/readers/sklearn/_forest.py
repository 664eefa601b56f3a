"""Trees and forests: DecisionTree, ExtraTree, RandomForest, ExtraTrees; one target or several."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import IDENTITY, Ensemble, build_ensemble, float32_at_most
from glasswood.errors import UnsupportedModelError
from glasswood.readers._oracle import Oracle
from glasswood.readers._stack import TreeNodes, stack
from glasswood.readers.sklearn._common import (
    answer,
    feature_schema,
    output_names,
    provenance,
    require_fitted,
)
from glasswood.tables import Table


def read_forest(model: Any) -> Ensemble:
    """Read a tree, or a forest as the mean of its trees."""
    is_forest = hasattr(model, "n_estimators")
    require_fitted(model, "estimators_" if is_forest else "tree_")
    members = model.estimators_ if is_forest else [model]
    classes = class_labels(model)
    trees = [tree_nodes(member, share_columns(member, classes), scale=1 / len(members)) for member in members]
    nodes = stack(trees)
    return build_ensemble(
        **nodes,
        baseline=np.zeros(nodes["value"].shape[1]),
        link=IDENTITY,
        features=feature_schema(model),
        outputs=output_names(classes, model.n_outputs_),
        source=provenance(model, str(model.criterion), classes, n_targets=model.n_outputs_),
    )


def ask_forest(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Predict and apply with scikit-learn."""
    classes = class_labels(model)
    if classes is None:
        raw = np.asarray(answer(model, "predict", X), dtype=np.float64)
        raw = raw.reshape(len(raw), -1)
    else:
        shares = answer(model, "predict_proba", X)
        by_target = shares if isinstance(shares, list) else [shares]
        raw = np.hstack([share[:, 1:] if share.shape[1] == 2 else share for share in by_target])
    leaves = np.asarray(answer(model, "apply", X), dtype=np.int32)
    return Oracle(raw=raw, leaves=leaves.reshape(len(leaves), -1))


def class_labels(model: Any) -> Sequence[NDArray[Any]] | None:
    """Labels of each target for a classifier; None for a regressor."""
    if not hasattr(model, "classes_"):
        return None
    return [model.classes_] if model.n_outputs_ == 1 else list(model.classes_)


def share_columns(tree: Any, classes: Sequence[NDArray[Any]] | None) -> NDArray[np.float64]:
    """Values of every node, (n_nodes, width): class shares of a classifier, means of a regressor.

    Two classes give one column, the share of the second; several targets follow each other.
    """
    value = tree.tree_.value  # (n_nodes, n_targets, max n_classes); shares instead of counts since scikit-learn 1.3
    if classes is None:
        return np.asarray(value[:, :, 0])
    parts = [value[:, k, 1:2] if len(labels) == 2 else value[:, k, : len(labels)] for k, labels in enumerate(classes)]
    return np.hstack(parts)


def tree_nodes(tree: Any, value: NDArray[np.float64], *, scale: float) -> TreeNodes:
    """Nodes of one fitted tree, its values scaled."""
    if getattr(tree, "categorical_features", None) is not None:  # introduced after scikit-learn 1.9
        raise UnsupportedModelError(
            f"this {type(tree).__name__} splits categories natively, which glasswood does not read yet; encode them as "
            "numbers before fitting, or use HistGradientBoosting"
        )
    t = tree.tree_
    leaf = t.children_left < 0
    return TreeNodes(
        feature=np.where(leaf, -1, t.feature),
        threshold=np.where(leaf, np.nan, float32_at_most(np.where(leaf, 0.0, t.threshold))),
        stated_threshold=np.where(leaf, np.nan, t.threshold),
        left=t.children_left,
        right=t.children_right,
        missing_left=t.missing_go_to_left.astype(bool) & ~leaf,
        value=value * scale,
        weight=t.weighted_n_node_samples,
        gain=np.where(leaf, np.nan, _impurity_decrease(t, leaf)),
    )


def _impurity_decrease(t: Any, leaf: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Weighted decrease of impurity, which scikit-learn sums in feature_importances_."""
    mass = t.weighted_n_node_samples * t.impurity
    children = np.where(leaf, 0.0, mass[t.children_left] + mass[t.children_right])
    return np.asarray(mass - children)
