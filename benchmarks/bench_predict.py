"""Prediction against each library's own, side by side in one run.

Trained on 20 000 generated rows, predicted on 100 000 × 30 float64 and on small batches. Calls alternate; the best of
several counts. Run it on a quiet machine: ``python benchmarks/bench_predict.py [--quick] [row name ...]``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import glasswood as gw
from command import run_command
from record import Goal, Record, Report
from timing import alternate

N_TRAIN, N_ROWS, N_FEATURES = 20_000, 100_000, 30
SMALL = (1, 10, 100, 1000)
Predict = Callable[[NDArray[np.float64], int], Any]  # rows, threads


@dataclass(frozen=True, slots=True)
class Work:
    """One model and the goal on the full table, as a share of its library's time."""

    name: str
    train: Callable[[NDArray[np.float64], NDArray[np.float64]], tuple[Any, Predict]]
    goal: float
    threads: tuple[int, ...]


def forest(X: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[Any, Predict]:
    """100 deep trees, about 2000 leaves each."""
    from sklearn.ensemble import RandomForestRegressor

    model = RandomForestRegressor(100, min_samples_leaf=5, n_jobs=-1, random_state=0).fit(X, y)

    def predict(rows: NDArray[np.float64], threads: int) -> Any:
        model.n_jobs = threads
        return model.predict(rows)

    return model, predict


def lightgbm(leaves: int) -> Callable[[NDArray[np.float64], NDArray[np.float64]], tuple[Any, Predict]]:
    """300 trees."""

    def train(X: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[Any, Predict]:
        import lightgbm as lgb

        options = {"num_leaves": leaves, "learning_rate": 0.05, "verbose": -1, "seed": 0}
        model = lgb.train(options, lgb.Dataset(X, y), 300)
        return model, lambda rows, threads: model.predict(rows, raw_score=True, num_threads=threads)

    return train


def xgboost(X: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[Any, Predict]:
    """300 trees of depth 6."""
    import xgboost as xgb

    model = xgb.train({"max_depth": 6, "eta": 0.05, "seed": 0}, xgb.DMatrix(X, y), 300)

    def predict(rows: NDArray[np.float64], threads: int) -> Any:
        model.set_param({"nthread": threads})
        return model.inplace_predict(rows, predict_type="margin")

    return model, predict


def catboost(X: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[Any, Predict]:
    """300 oblivious trees of depth 6."""
    from catboost import CatBoostRegressor

    model = CatBoostRegressor(iterations=300, depth=6, verbose=0, random_seed=0, allow_writing_files=False)
    model.fit(X, y)
    return model, lambda rows, threads: model.predict(rows, thread_count=threads)


WORKS = (
    Work("scikit-learn forest, 100 deep trees", forest, 0.25, (1, 2)),
    Work("LightGBM 300 × 31 leaves", lightgbm(31), 0.05, (1, 2)),
    Work("XGBoost 300 × depth 6", xgboost, 0.15, (1, 2)),
    Work("CatBoost 300 × depth 6", catboost, 0.5, (1, 2)),
    Work("LightGBM 300 × 255 leaves", lightgbm(255), 0.06, (1, 2)),
)


def generate(n: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Rows of a smooth function with an interaction and a step, noise 0.1."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, N_FEATURES))
    smooth = 2 * X[:, 0] + np.sin(3 * X[:, 1]) + np.abs(X[:, 4]) + 0.15 * X[:, 5:15].sum(axis=1)
    return X, smooth + X[:, 2] * X[:, 3] + (X[:, 20] > 0.3) + rng.normal(scale=0.1, size=n)


def measure(work: Work, report: Report) -> None:
    """The rows of one model."""
    model, theirs = work.train(*generate(N_TRAIN, seed=0))
    ensemble = gw.read(model)
    X, _ = generate(N_ROWS, seed=1)
    ensemble.predict_raw(X)
    sizes = [(N_ROWS, threads, work.goal) for threads in work.threads] + [(n, 1, 1.0) for n in SMALL]
    for n, threads, goal in sizes:
        rows = X[:n].copy()
        calls = (
            lambda rows=rows, threads=threads: theirs(rows, threads),
            lambda rows=rows, threads=threads: ensemble.predict_raw(rows, n_jobs=threads),
        )
        large = n == N_ROWS
        peer, ours = alternate(calls, rounds=(3 if report.quick else 7) if large else 50)
        name = f"predict {n:,} × {N_FEATURES}, {work.name}"
        report.add(Record(name, ours, work.name.split(maxsplit=1)[0], peer, Goal("share", goal), threads))


if __name__ == "__main__":
    run_command("predict", __doc__, {work.name: lambda report, work=work: measure(work, report) for work in WORKS})
