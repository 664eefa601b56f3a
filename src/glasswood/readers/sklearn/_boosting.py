"""GradientBoosting: regression trees added to a constant."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import IDENTITY, LOGIT, SOFTMAX, Ensemble, Link, LinkKind, build_ensemble
from glasswood.errors import UnsupportedModelError
from glasswood.readers._oracle import Oracle
from glasswood.readers._stack import stack
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

# strategies of DummyClassifier with the same probabilities for every row; "stratified" draws them
_CONSTANT_STRATEGIES = ("prior", "most_frequent", "constant", "uniform")


def read_boosting(model: Any) -> Ensemble:
    """Read the stages that fit kept (with early stopping fewer than n_estimators)."""
    require_fitted(model, "estimators_")
    n_outputs = model.estimators_.shape[1]
    members = model.estimators_.ravel()  # stage by stage; within a stage one tree per output
    trees = [
        tree_nodes(member, np.asarray(member.tree_.value[:, :, 0]), scale=model.learning_rate) for member in members
    ]
    classes = [model.classes_] if hasattr(model, "classes_") else None
    return build_ensemble(
        **stack(trees),
        tree_output=np.tile(np.arange(n_outputs), model.estimators_.shape[0]),
        baseline=_baseline(model),
        link=_link(model, n_outputs),
        features=feature_schema(model),
        outputs=output_names(classes, 1),
        source=provenance(model, str(model.loss), classes),
    )


def ask_boosting(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Predict and apply with scikit-learn."""
    method = "decision_function" if hasattr(model, "classes_") else "predict"
    raw = np.asarray(answer(model, method, X), dtype=np.float64)
    # a matrix, because apply lets the first tree check X, which warns about names that only the whole model has
    leaves = np.asarray(answer(model, "apply", as_matrix(X, ensemble))).astype(np.int32)
    return Oracle(raw=raw.reshape(len(raw), -1), leaves=leaves.reshape(len(leaves), -1))


def _link(model: Any, n_outputs: int) -> Link:
    if not hasattr(model, "classes_"):
        return IDENTITY
    if model.loss == "exponential":
        return Link(LinkKind.LOGIT, scale=2.0)  # the loss is defined on half the log-odds
    return LOGIT if n_outputs == 1 else SOFTMAX


def _baseline(model: Any) -> NDArray[np.float64]:
    """What the init estimator adds to raw; the same for every row."""
    init = model.init_
    constant = (
        (isinstance(init, str) and init == "zero")
        or is_sklearn(init, "DummyRegressor")
        or (is_sklearn(init, "DummyClassifier") and init.strategy in _CONSTANT_STRATEGIES)
    )
    if not constant:
        raise UnsupportedModelError(
            f"this {type(model).__name__} starts from a {type(init).__name__}, whose prediction is not a constant, so "
            "it is not a sum of trees; refit with init=None or init='zero', or on the residuals of that estimator"
        )
    # private, because link and clipping differ between releases and no public attribute has the result
    any_row = np.zeros((1, model.n_features_in_), dtype=np.float32)
    return np.asarray(model._raw_predict_init(any_row)[0], dtype=np.float64)
