"""Bagging: the mean of trees, each of which may use only some of the features."""

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import IDENTITY, Ensemble, build_ensemble
from glasswood.errors import UnsupportedModelError
from glasswood.readers._oracle import Oracle
from glasswood.readers._stack import TreeNodes, stack
from glasswood.readers.sklearn._common import (
    answer,
    as_matrix,
    feature_schema,
    is_sklearn,
    output_names,
    provenance,
    require_fitted,
)
from glasswood.readers.sklearn._forest import tree_nodes
from glasswood.tables import Table


def read_bagging(model: Any) -> Ensemble:
    """Read the mean of the bagged trees."""
    require_fitted(model, "estimators_")
    classes = [model.classes_] if hasattr(model, "classes_") else None
    wanted = ("DecisionTree", "ExtraTree")
    kind = "Regressor" if classes is None else "Classifier"
    members = _members(model)
    for member in members:
        if not is_sklearn(member, *(f"{name}{kind}" for name in wanted)):
            raise UnsupportedModelError(
                f"this {type(model).__name__} bags {type(member).__name__}; glasswood reads bags of DecisionTree{kind} "
                f"and ExtraTree{kind}, whose mean is exact; read the members of this one by one from estimators_"
            )
    trees = [_tree(model, member, k) for k, member in enumerate(members)]
    n_targets = 1 if classes else members[0].n_outputs_
    nodes = stack(trees)
    return build_ensemble(
        **nodes,
        baseline=np.zeros(nodes["value"].shape[1]),
        link=IDENTITY,
        features=feature_schema(model),
        outputs=output_names(classes, n_targets),
        source=provenance(model, str(members[0].criterion), classes, n_targets=n_targets),
    )


def ask_bagging(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Predict with the whole model; the leaves come from the trees."""
    if hasattr(model, "classes_"):
        shares = answer(model, "predict_proba", X)
        raw = shares[:, 1:] if shares.shape[1] == 2 else shares
    else:
        raw = answer(model, "predict", X)
    matrix = as_matrix(X, ensemble)
    leaves = [
        tree.apply(matrix[:, features])
        for tree, features in zip(_members(model), model.estimators_features_, strict=True)
    ]
    raw = np.asarray(raw, dtype=np.float64)
    return Oracle(raw=raw.reshape(len(raw), -1), leaves=np.column_stack(leaves).astype(np.int32))


def _members(model: Any) -> list[Any]:
    """The trees; imblearn puts a sampler before each, which only fit uses."""
    return [_behind_samplers(member) for member in model.estimators_]


def _behind_samplers(member: Any) -> Any:
    steps = [step for _, step in getattr(member, "steps", ())]
    samplers = steps[:-1] and all(hasattr(step, "fit_resample") for step in steps[:-1])
    return steps[-1] if samplers else member


def _tree(model: Any, member: Any, k: int) -> TreeNodes:
    """The k-th tree, with features numbered as in the whole model."""
    features = np.asarray(model.estimators_features_[k])
    nodes = tree_nodes(member, _value(model, member), scale=1 / len(model.estimators_))
    return dataclasses.replace(nodes, feature=np.where(nodes.feature < 0, -1, features[nodes.feature]))


def _value(model: Any, member: Any) -> NDArray[np.float64]:
    """Values of the nodes, (n_nodes, width): class shares or means."""
    value = np.asarray(member.tree_.value)
    if not hasattr(model, "classes_"):
        return value[:, :, 0]
    # a tree knows the classes of its sample, as positions among the classes of the whole model
    shares = np.zeros((len(value), len(model.classes_)))
    shares[:, np.asarray(member.classes_, dtype=np.intp)] = value[:, 0, : len(member.classes_)]
    return shares[:, 1:] if len(model.classes_) == 2 else shares
