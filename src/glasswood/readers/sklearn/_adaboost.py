"""AdaBoostClassifier: every tree votes for one class, with a weight."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import LOGIT, SOFTMAX, Ensemble, build_ensemble
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


def read_adaboost(model: Any) -> Ensemble:
    """Read raw = decision_function; for K > 2 classes divided by K − 1, as predict_proba does before its softmax."""
    require_fitted(model, "estimators_")
    n_classes = len(model.classes_)
    if n_classes < 2:
        raise UnsupportedModelError(f"this {type(model).__name__} knows a single class; fit it on two or more")
    for member in model.estimators_:
        if not is_sklearn(member, "DecisionTreeClassifier", "ExtraTreeClassifier"):
            raise UnsupportedModelError(
                f"this {type(model).__name__} boosts {type(member).__name__}; glasswood reads it where it boosts "
                "DecisionTreeClassifier or ExtraTreeClassifier"
            )
    share = model.estimator_weights_ / model.estimator_weights_.sum()
    soft = getattr(model, "algorithm", "SAMME") == "SAMME.R"  # the default until scikit-learn 1.5, removed in 1.6
    trees = [
        tree_nodes(member, _one_column(_log_odds(member) if soft else _votes(model, member)), scale=weight)
        for member, weight in zip(model.estimators_, share, strict=False)  # fit may stop before n_estimators
    ]
    nodes = stack(trees)
    return build_ensemble(
        **nodes,
        baseline=np.zeros(nodes["value"].shape[1]),
        link=LOGIT if n_classes == 2 else SOFTMAX,
        features=feature_schema(model),
        outputs=output_names([model.classes_], 1),
        source=provenance(model, "SAMME.R" if soft else "SAMME", [model.classes_]),
    )


def ask_adaboost(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Ask decision_function; the leaves come from the trees."""
    n_classes = len(model.classes_)
    raw = np.asarray(answer(model, "decision_function", X), dtype=np.float64)
    matrix = as_matrix(X, ensemble)
    leaves = np.column_stack([tree.apply(matrix) for tree in model.estimators_])
    return Oracle(raw=raw.reshape(len(raw), -1) / max(n_classes - 1, 1), leaves=leaves.astype(np.int32))


def _votes(model: Any, member: Any) -> NDArray[np.float64]:
    """1 for the class a node votes for, −1 / (K − 1) for the others: (n_nodes, n_classes)."""
    n_classes = len(model.classes_)
    winner = member.classes_[np.argmax(member.tree_.value[:, 0, : len(member.classes_)], axis=1)]
    return np.where(winner[:, np.newaxis] == model.classes_, 1.0, -1 / (n_classes - 1)) / (n_classes - 1)


def _log_odds(member: Any) -> NDArray[np.float64]:
    """Zhu et al. 2009, algorithm 4: (K − 1)·(log p − mean log p), here divided by K − 1: (n_nodes, n_classes)."""
    log_share = np.log(np.clip(member.tree_.value[:, 0, :], np.finfo(np.float64).eps, None))
    return np.asarray(log_share - log_share.mean(axis=1, keepdims=True))


def _one_column(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """With two classes one column: the score of the second minus that of the first."""
    return scores[:, 1:] - scores[:, :1] if scores.shape[1] == 2 else scores
