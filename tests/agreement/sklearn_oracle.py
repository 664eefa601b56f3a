"""What scikit-learn predicts through its public methods, and the comparison with what was read."""

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.ensemble import (
    AdaBoostClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
)

import glasswood as gw
from glasswood.ensemble import Ensemble
from tests.agreement.record import record
from tests.agreement.sklearn_tables import target
from tests.agreement.tables import threshold_neighbours

N = 300
STAGES = "raw after every stage"
Fit = Callable[..., Any]

Target = Callable[[pd.DataFrame], NDArray[Any]]
Case = tuple[str, Fit, Target]

# targets


def number(X: pd.DataFrame) -> NDArray[Any]:
    return target(X, 0)


def positive(X: pd.DataFrame) -> NDArray[Any]:
    return np.exp(0.3 * target(X, 0))


def counts(X: pd.DataFrame) -> NDArray[Any]:
    return np.random.default_rng(3).poisson(np.exp(0.2 * target(X, 0)))


def two(X: pd.DataFrame) -> NDArray[Any]:
    y = target(X, 0)
    return np.where(y > np.median(y), "yes", "no")


def three(X: pd.DataFrame) -> NDArray[Any]:
    y = target(X, 0)
    return np.digitize(y, np.quantile(y, [0.4, 0.8])) * 10


def numbers(X: pd.DataFrame) -> NDArray[Any]:
    return np.column_stack([target(X, 0), target(X, 1) ** 2])


def classes(X: pd.DataFrame) -> NDArray[Any]:
    return np.column_stack([np.digitize(target(X, 0), [0, 3]), target(X, 1) > 1])


# what scikit-learn predicts, through its public methods


def their_raw(model: Any, X: Any) -> NDArray[np.float64]:
    if hasattr(model, "decision_function"):
        raw = model.decision_function(X)
        if isinstance(model, AdaBoostClassifier):
            raw = raw / (len(model.classes_) - 1)
    elif hasattr(model, "predict_proba"):
        shares = model.predict_proba(X)
        parts = [
            part[:, 1:] if part.shape[1] == 2 else part for part in (shares if isinstance(shares, list) else [shares])
        ]
        raw = np.hstack(parts)
    else:
        raw = model.predict(X)
        if getattr(model, "loss", None) in ("poisson", "gamma"):
            raw = np.log(raw)
    return np.asarray(raw, dtype=np.float64).reshape(len(X), -1)


def their_leaves(model: Any, X: Any) -> NDArray[Any]:
    if isinstance(model, GradientBoostingClassifier | GradientBoostingRegressor):
        X = np.asarray(X)  # its apply passes a frame to trees that were fitted without names, which then warn
    if hasattr(model, "apply"):
        return np.asarray(model.apply(X)).reshape(len(X), -1)
    columns = getattr(model, "estimators_features_", [slice(None)] * len(model.estimators_))
    matrix = np.asarray(X)
    return np.column_stack([tree.apply(matrix[:, c]) for tree, c in zip(model.estimators_, columns, strict=True)])


# the comparison


def magnitude(ensemble: Ensemble, X: Any) -> NDArray[np.float64]:
    """|baseline| + Σ|value of the leaf|, row by row and output by output; leaves are numbered by their node here."""
    leaves = ensemble.tree_start[:-1] + ensemble.apply(X)
    total = np.tile(np.abs(ensemble.baseline), (len(X), 1))
    width = ensemble.value.shape[1]
    for tree, first in enumerate(ensemble.tree_output):
        total[:, first : first + width] += np.abs(ensemble.value[leaves[:, tree]])
    return total


def first_trees(ensemble: Ensemble, n: int) -> Ensemble:
    nodes = int(ensemble.tree_start[n])
    per_node = {name: part[:nodes] for name, part in ensemble._arrays().items() if len(part) == ensemble.n_nodes}
    heads = {"tree_start": ensemble.tree_start[: n + 1], "tree_output": ensemble.tree_output[:n]}
    return dataclasses.replace(ensemble, **per_node, **heads)


def neighbours(ensemble: Ensemble, X: Any) -> Any:
    """Rows on thresholds and beside them; X itself if no number is split."""
    rows = threshold_neighbours(ensemble, X)
    return rows if len(rows) else X


def assert_raw(ensemble: Ensemble, X: Any, theirs: NDArray[np.float64]) -> None:
    ours = ensemble.predict_raw(X).reshape(len(X), -1)
    assert ours.shape == theirs.shape
    assert np.all(np.abs(ours - theirs) <= 1e-12 * magnitude(ensemble, X))


def assert_agrees(model: Any, X: Any, what: str) -> Ensemble:
    """Read with a check, then compare once more; on X and on rows on thresholds and beside them."""
    ensemble = gw.read(model, X)
    beside = neighbours(ensemble, X)
    # beside an infinite threshold there are numbers beyond float32, which scikit-learn's trees refuse
    beside = beside[~(np.abs(np.asarray(beside)) > np.finfo(np.float32).max).any(axis=1)]
    for rows in (X, beside):
        certificate = gw.read(model, rows).source.parity
        assert not isinstance(certificate, str)
        assert certificate.n_rows == len(rows)
        assert certificate.leaves_equal
        assert np.array_equal(ensemble.apply(rows), their_leaves(model, rows))
        assert_raw(ensemble, rows, their_raw(model, rows))
    record("scikit-learn", type(model).__name__, what)
    return ensemble


def assert_stages_agree(model: Any, X: Any, what: str, *more: Any) -> Ensemble:
    """The same for HistGradientBoosting, which has no leaf numbers: raw after every stage is compared instead."""
    ensemble = gw.read(model, X)
    for rows in (X, neighbours(ensemble, X), *more):
        certificate = gw.read(model, rows).source.parity
        assert not isinstance(certificate, str)
        assert certificate.leaves_equal is None
        per_stage = ensemble.n_outputs
        is_classifier = hasattr(model, "classes_")
        staged = model.staged_decision_function(rows) if is_classifier else model.staged_predict(rows)
        for stage, theirs in enumerate(staged, start=1):
            part = first_trees(ensemble, stage * per_stage)
            if model.loss in ("poisson", "gamma"):  # staged_predict has applied exp already
                assert np.allclose(part.predict(rows), theirs, rtol=1e-12, atol=0)
            else:
                assert_raw(part, rows, theirs.reshape(len(rows), -1))
        assert stage * per_stage == ensemble.n_trees
        ours = ensemble.predict(rows)
        final = model.predict_proba(rows) if is_classifier else model.predict(rows)
        assert np.allclose(ours, final[:, 1] if is_classifier and per_stage == 1 else final, rtol=1e-12, atol=1e-15)
    record("scikit-learn", type(model).__name__, what, STAGES)
    return ensemble


def weights(n: int) -> NDArray[np.float64]:
    return np.random.default_rng(5).integers(0, 4, n) + 0.5
