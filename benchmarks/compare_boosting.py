"""Accuracy of boosting beside LightGBM, XGBoost and HistGradientBoosting at the same settings.

Test metric over five splits on real tables that come with scikit-learn: mean ± standard deviation over the splits; the
mean paired difference to the best peer with its standard error says whether we are within noise. Run:
``python benchmarks/compare_boosting.py [--jobs 2]``.
"""

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn import datasets
from sklearn.metrics import log_loss, mean_poisson_deviance, root_mean_squared_error
from sklearn.model_selection import train_test_split

import glasswood as gw

TREES, DEPTH, RATE = 150, 4, 0.1


def tables() -> dict[str, tuple[str, Any, Any]]:
    """Kind, rows and target of each table."""
    found = {
        "diabetes": ("number", *datasets.load_diabetes(return_X_y=True)),
        "diabetes counts": ("count", *datasets.load_diabetes(return_X_y=True)),
        "breast cancer": ("class", *datasets.load_breast_cancer(return_X_y=True)),
        "wine": ("class", *datasets.load_wine(return_X_y=True)),
        "digits": ("class", *datasets.load_digits(return_X_y=True)),
        "iris": ("class", *datasets.load_iris(return_X_y=True)),
    }
    X, _ = datasets.load_breast_cancer(return_X_y=True)
    found["tumour area"] = ("number", np.delete(X, [0, 2, 3, 20, 22, 23], axis=1), X[:, 3])
    return found


def models(kind: str, jobs: int) -> dict[str, Any]:
    """The same rounds, depth, rate, ridge and smallest leaf."""
    import lightgbm as lgb
    import xgboost as xgb
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    is_class, is_count = kind == "class", kind == "count"
    shared: Any = {"n_estimators": TREES, "max_depth": DEPTH, "learning_rate": RATE, "n_jobs": jobs}
    light: Any = {"reg_lambda": 1.0, "min_child_samples": 1, "min_child_weight": 1.0, "num_leaves": 2**DEPTH}
    light["verbose"] = -1
    extreme: Any = {"reg_lambda": 1.0, "min_child_weight": 1.0, "max_bin": 255}
    hist: Any = {"max_iter": TREES, "max_depth": DEPTH, "learning_rate": RATE, "l2_regularization": 1.0}
    hist |= {"max_leaf_nodes": None, "min_samples_leaf": 1}
    ours = gw.BoostingClassifier if is_class else gw.BoostingRegressor
    loss: Any = {} if is_class else {"loss": "poisson" if is_count else "squared_error"}
    found = {gain: ours(gain=gain, **loss, **shared) for gain in ("newton", "cred_std", "welch")}
    if is_class:
        found["lightgbm"] = lgb.LGBMClassifier(**shared, **light)
        found["xgboost"] = xgb.XGBClassifier(**shared, **extreme)
        found["sklearn"] = HistGradientBoostingClassifier(**hist, early_stopping=False)
    else:
        found["lightgbm"] = lgb.LGBMRegressor(objective="poisson" if is_count else "l2", **shared, **light)
        found["xgboost"] = xgb.XGBRegressor(
            objective="count:poisson" if is_count else "reg:squarederror", **shared, **extreme
        )
        found["sklearn"] = HistGradientBoostingRegressor(**hist, **loss, early_stopping=False)
    return found


METRICS: dict[str, Callable[[Any, Any, Any], float]] = {
    "number": lambda model, X, y: float(root_mean_squared_error(y, model.predict(X))),
    "count": lambda model, X, y: float(mean_poisson_deviance(y, model.predict(X))),
    "class": lambda model, X, y: float(log_loss(y, model.predict_proba(X))),
}


def main() -> None:
    """Fit everything on five splits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    for name, (kind, X, y) in tables().items():
        scores: dict[str, list[float]] = {}
        for seed in range(5):
            stratify = y if kind == "class" else None
            A, B, a, b = train_test_split(X, y, test_size=0.3, random_state=seed, stratify=stratify)
            for library, model in models(kind, given.jobs).items():
                scores.setdefault(library, []).append(METRICS[kind](model.fit(A, a), B, b))
        print(f"{name} ({kind}):", *(f"{k} {np.mean(v):.4g}±{np.std(v):.2g}" for k, v in scores.items()), sep="  ")
        peer = min(("lightgbm", "xgboost", "sklearn"), key=lambda k: np.mean(scores[k]))
        paired = np.array(scores["newton"]) - np.array(scores[peer])
        print(f"    newton − {peer}: {paired.mean():+.4g} ± {paired.std(ddof=1) / np.sqrt(5):.2g}")


if __name__ == "__main__":
    main()
