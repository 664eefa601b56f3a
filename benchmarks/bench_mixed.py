"""Prediction of mixed and of deep models against each library's own, one thread, side by side in one run.

Mixed: LightGBM, 300 trees of 255 leaves, with categories; real tables first, then a made-up one of 41 columns, 28 of
them categories, with little and with much noise. Deep: forests grown to purity, and five trees of 2,048 leaves. Models
are trained on 20,000 rows, the five trees on 200,000. Run it on a quiet machine: ``python benchmarks/bench_mixed.py
[--quick] [row name ...]``.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from bench_predict import generate
from numpy.typing import NDArray

import glasswood as gw
from command import run_command
from real_tables import data_folder, has_table, read_real
from record import Goal, Record, Report
from timing import alternate

N_TRAIN = 20_000
LEVELS = (3, 5, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100) * 2
N_NUMBERS = 13
Predict = Callable[[], Any]


def compare(report: Report, work: str, model: Any, X: Any, theirs: Predict, peer: str, goal: float) -> None:
    """One line: the library's own prediction and glasswood's, on one thread."""
    ensemble = gw.read(model)
    ensemble.predict_raw(X)
    times = alternate((theirs, lambda: ensemble.predict_raw(X, n_jobs=1)), rounds=1 if report.quick else 2)
    report.add(Record(f"predict {len(X):,} × {X.shape[1]}, {work}", times[1], peer, times[0], Goal("share", goal)))


def lightgbm(report: Report, work: str, X: Any, y: NDArray[Any], rows: Any, objective: str) -> None:
    """300 trees of 255 leaves, with the categories of the frame."""
    import lightgbm as lgb

    options = {"num_leaves": 255, "learning_rate": 0.05, "verbose": -1, "seed": 0, "objective": objective}
    model = lgb.train(options, lgb.Dataset(X, y), 300)
    theirs = partial(model.predict, rows, raw_score=True, num_threads=1)
    compare(report, f"{work}, LightGBM 300 × 255 leaves", model, rows, theirs, "LightGBM", 0.1)


def real(name: str, report: Report) -> None:
    """A real table with categories."""
    if not has_table(name, data_folder()):
        return
    table = read_real(name, data_folder(), 200_000)
    objective = "binary" if table.kind == "class" else "regression"
    lightgbm(report, name, table.X[:N_TRAIN], table.y[:N_TRAIN], table.X, objective)


def made_up(n: int, noise: float, seed: int) -> tuple[Any, NDArray[np.float64]]:
    """13 numbers and 28 categories of 3 to 100 levels; all of them matter."""
    import pandas as pd

    random, fixed = np.random.default_rng(seed), np.random.default_rng(99)
    numbers = random.normal(size=(n, N_NUMBERS))
    y = 2 * numbers[:, 0] + np.sin(3 * numbers[:, 1]) + numbers[:, 2] * numbers[:, 3]
    columns: dict[str, Any] = {f"x{j}": numbers[:, j] for j in range(N_NUMBERS)}
    for j, n_levels in enumerate(LEVELS):
        codes = random.choice(n_levels, size=n, p=fixed.dirichlet(np.full(n_levels, 2.0)))
        y = y + 0.5 * fixed.normal(size=n_levels)[codes]
        columns[f"c{j}"] = pd.Categorical(codes, categories=range(n_levels))
    return pd.DataFrame(columns), y + random.normal(scale=noise, size=n)


def mixed(noise: float, report: Report) -> None:
    """The made-up table."""
    X, y = made_up(N_TRAIN, noise, seed=0)
    rows, _ = made_up(300_000, noise, seed=1)
    lightgbm(report, f"28 of them categories, noise {noise:g}", X, y, rows, "regression")


def pure_forest(report: Report) -> None:
    """100 trees of the made-up numbers of `bench_predict`, grown to purity."""
    from sklearn.ensemble import RandomForestRegressor

    model = RandomForestRegressor(100, n_jobs=-1, random_state=0).fit(*generate(N_TRAIN, seed=0))
    model.n_jobs = 1
    X, _ = generate(100_000, seed=1)
    compare(report, "forest of 100 pure trees", model, X, partial(model.predict, X), "scikit-learn", 0.15)


def pure_covertype(report: Report) -> None:
    """100 trees of a real table of 7 classes, grown to purity."""
    from sklearn.ensemble import RandomForestClassifier

    if not has_table("covertype", data_folder()):
        return
    table = read_real("covertype", data_folder(), 100_000)
    X = table.X.to_numpy()
    model = RandomForestClassifier(100, n_jobs=-1, random_state=0).fit(X[:N_TRAIN], table.y[:N_TRAIN])
    model.n_jobs = 1
    work = "covertype, forest of 100 pure trees"
    compare(report, work, model, X, partial(model.predict_proba, X), "scikit-learn", 0.15)


def five_trees(report: Report) -> None:
    """Five trees of 2,048 leaves, a million rows."""
    import xgboost as xgb

    options = {"max_leaves": 2048, "max_depth": 0, "grow_policy": "lossguide", "eta": 0.3, "seed": 0}
    model = xgb.train(options, xgb.DMatrix(*generate(200_000, seed=0)), 5)
    model.set_param({"nthread": 1})
    X, _ = generate(1_000_000, seed=1)
    theirs = partial(model.inplace_predict, X, predict_type="margin")
    compare(report, "five trees of 2,048 leaves", model, X, theirs, "XGBoost", 1.0)


WORKS: dict[str, Callable[[Report], None]] = {
    "adult": partial(real, "adult"),
    "nycflights13": partial(real, "nycflights13"),
    "covertype": pure_covertype,
    "mixed": partial(mixed, 0.1),
    "noisy": partial(mixed, 8.0),
    "pure forest": pure_forest,
    "five trees": five_trees,
}

if __name__ == "__main__":
    run_command("mixed", __doc__, WORKS)
