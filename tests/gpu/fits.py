"""Fits: small fits that together use everything a device takes, and the hash of a model."""

import dataclasses
import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._elementary import exp
from glasswood.ensemble import AlignedRows, FeatureSchema
from glasswood.tables import SparseMatrix
from glasswood.train.boosting import Boosted, BoostingOptions, BoostingTable, boost

ARRAYS = (
    "tree_start", "tree_output", "feature", "threshold", "left", "right", "missing_left", "unseen_left", "value",
    "weight", "gain", "category_set", "set_start", "set_bits", "baseline",
)  # fmt: skip
LEVELS = (None, None, None, None, 7, 40, 254)  # of each feature; None: a number
NAMES = tuple(f"x{k}" for k in range(len(LEVELS)))
MOST = {"max_depth": 3, "n_estimators": 2, "max_bins": 31, "colsample": 1.0, "statistics": "quantised"}


class Smooth:
    """A loss of the user: |y − raw| with a smooth middle."""

    def gradient_hessian(self, y: NDArray[np.float64], raw: NDArray[np.float64]) -> Any:
        size = np.sqrt(1 + (raw - y) * (raw - y))
        return (raw - y) / size, 1 / (size * size * size)

    def loss(self, y: NDArray[np.float64], raw: NDArray[np.float64]) -> Any:
        return np.sqrt(1 + (raw - y) * (raw - y))


# what each fit changes; "weights", "offset", "evaluate", "row_id", "categories", "sparse" and "classes" are
# of the table
FITS: dict[str, dict[str, Any]] = {
    "squared error": {},
    "squared error, 255 bins, deep": {"max_bins": 255, "max_depth": 6},
    "credibility of variances": {"gain": "cred_var"},
    "credibility of deviations, weights": {"gain": "cred_std", "weights": True},
    "welch": {"gain": "welch", "loss": "logistic"},
    "welch with a power": {"gain": "welch", "rho": 0.5},
    "weights, 127 bins": {"weights": True, "max_bins": 127},
    "logistic, 255 bins": {"loss": "logistic", "max_bins": 255},
    "logistic with weights": {"loss": "logistic", "weights": True, "min_weight_leaf": 5.0},
    "poisson with an offset": {"loss": "poisson", "offset": True},
    "gamma": {"loss": "gamma", "learning_rate": 0.5},
    "tweedie": {"loss": "tweedie", "power": 1.3, "weights": True},
    "absolute error": {"loss": "absolute_error", "max_leaf_nodes": 6},
    "quantile with weights": {"loss": "quantile", "quantile": 0.8, "weights": True},
    "three classes": {"loss": "softmax", "classes": 3, "colsample": 0.5},
    "classes with weights and categories": {
        "loss": "softmax", "classes": 4, "weights": True, "categories": True, "max_bins": 255,
    },
    "categories": {"categories": True, "max_depth": 4, "max_bins": 255},
    "categories, logistic": {"categories": True, "loss": "logistic", "gain": "cred_std", "max_bins": 255},
    "drawn rows and features": {"subsample": 0.6, "colsample": 0.5, "weights": True, "row_id": True},
    "monotone": {"monotonic_cst": {"x0": 1, "x1": -1}, "max_depth": 4, "loss": "poisson"},
    "interactions": {"interaction_cst": [["x0", "x1"], ["x1", "x2", "x3"]], "max_depth": 4},
    "few leaves": {"max_leaf_nodes": 5, "max_depth": 5, "evaluate": True},
    "early stopping": {
        "early_stopping": True, "n_iter_no_change": 1, "n_estimators": 6, "learning_rate": 1.0, "evaluate": True,
    },
    "a loss of the user": {"loss": Smooth(), "evaluate": True},
    "one level": {"max_depth": 1, "min_samples_leaf": 40},
    "metrics": {"metrics": ["mae", "rmse"], "evaluate": True, "weights": True},
    "classes, drawn rows, few leaves, an offset": {
        "loss": "softmax", "classes": 3, "subsample": 0.6, "max_leaf_nodes": 5, "offset": True, "row_id": True,
    },
    "quantile of drawn rows": {"loss": "quantile", "quantile": 0.3, "subsample": 0.6},
    "absolute error, monotone": {"loss": "absolute_error", "monotonic_cst": {"x0": 1, "x1": -1}},
    "a loss of the user on drawn rows": {"loss": Smooth(), "subsample": 0.6},
    "categories with constraints": {
        "categories": True, "max_depth": 4, "max_bins": 255, "monotonic_cst": {"x0": 1},
        "interaction_cst": [["x0", "x4"], ["x4", "x5", "x6", "x1"]],
    },
    "categories of drawn rows and features": {
        "categories": True, "max_depth": 4, "max_bins": 255, "subsample": 0.6, "colsample": 0.5,
    },
    "ten levels": {"max_depth": 10},
    "two bins": {"max_bins": 2},
    "classes, early stopping": {
        "loss": "softmax", "classes": 3, "early_stopping": True, "n_iter_no_change": 1, "n_estimators": 6,
        "learning_rate": 1.0, "evaluate": True,
    },
    "sparse rows": {"sparse": True, "evaluate": True},
}  # fmt: skip


def numbers(rng: np.random.Generator, n: int) -> NDArray[np.float64]:
    """Rows with ties, missing values and a constant feature; categories are whole numbers."""
    X = rng.normal(size=(n, len(LEVELS)))
    X[:, 1] = np.round(X[:, 1], 1)
    X[:, 3] = 2.5
    for f, levels in enumerate(LEVELS):
        if levels is not None:
            X[:, f] = np.minimum(rng.geometric(3 / levels, n) - 1, levels - 1)
    X[:, (0, 2, 5)] = np.where(rng.random((n, 3)) < 0.1, np.nan, X[:, (0, 2, 5)])
    return X


def table(name: str, n: int, change: dict[str, Any], seed: int) -> BoostingTable:
    """Rows with the target that the loss takes."""
    rng = np.random.default_rng(seed)
    X, loss, classes = numbers(rng, n), change.get("loss", "squared_error"), change.get("classes", 1)
    score = np.nan_to_num(X[:, 0]) + np.nan_to_num(X[:, 1] * X[:, 2]) + (X[:, 4] % 3) + rng.normal(size=n)
    y = score
    if loss == "logistic":
        y = (score > np.median(score)).astype(np.float64)
    elif loss == "softmax":
        y = np.digitize(score, np.quantile(score, np.arange(1, classes) / classes)).astype(np.float64)
    elif loss in ("poisson", "gamma", "tweedie"):
        y = exp(score / 2) if loss == "gamma" else np.floor(exp(score / 2))
    rows: Any = X
    if change.get("categories"):
        columns = [X[:, f] if k is None else _codes(X[:, f]) for f, k in enumerate(LEVELS)]
        rows = columns
    if change.get("sparse"):
        rows = _sparse(X)
    given: dict[str, Any] = {"name": name, "rows": AlignedRows(n, rows), "y": y}
    if change.get("weights"):
        given["weight"] = rng.integers(0, 4, n) * rng.random(n)
    if change.get("offset"):
        given["offset"] = rng.normal(size=(classes, n)) / 4
    if change.get("row_id"):
        given["row_id"] = rng.permutation(n).astype(np.int64)
    return BoostingTable(**given)


def _sparse(X: NDArray[np.float64]) -> SparseMatrix:
    """The same rows, without what is 0."""
    column, row = np.nonzero(X.T)
    starts = np.searchsorted(column, np.arange(X.shape[1] + 1)).astype(np.int64)
    return SparseMatrix(starts, row.astype(np.int32), X[row, column], len(X))


def _codes(column: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.where(np.isnan(column), -1, column).astype(np.int32)


def schema(change: dict[str, Any]) -> FeatureSchema:
    """Numbers, or numbers and categories."""
    if not change.get("categories"):
        return FeatureSchema.numeric(NAMES)
    labels = tuple(None if k is None else tuple(f"l{i}" for i in range(k)) for k in LEVELS)
    return dataclasses.replace(FeatureSchema.numeric(NAMES), categories=labels)


def fit(what: str, n: int, make_rounds: Callable[..., Any] | None = None, n_threads: int = 1, **more: Any) -> Boosted:
    """Fit, on the CPU or where `make_rounds` says."""
    change = {**MOST, **FITS[what], **more}
    options = {name: change[name] for name in BoostingOptions.__dataclass_fields__ if name in change}
    outputs = tuple(f"y{k}" for k in range(change.get("classes", 1)))
    evaluate = [table("valid", n // 2, change, 1)] if change.get("evaluate") else []
    return boost(
        table("train", n, change, 0), schema(change), BoostingOptions(**options), outputs=outputs, evaluate=evaluate,
        seed=3, make_rounds=make_rounds, n_threads=n_threads,
    )  # fmt: skip


def bits_of(model: Boosted) -> dict[str, str]:
    """A hash of every array of the model and of its history."""
    arrays = {name: getattr(model.ensemble, name) for name in ARRAYS} | {"history": model.history.values}
    return {name: hashlib.sha256(np.ascontiguousarray(a).tobytes()).hexdigest()[:16] for name, a in arrays.items()}


def hash_of(model: Boosted) -> str:
    """One hash of all."""
    return hashlib.sha256(repr(sorted(bits_of(model).items())).encode()).hexdigest()[:16]
