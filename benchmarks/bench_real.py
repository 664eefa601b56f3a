"""Boosting on real tables against its peers, side by side in one run.

`fit` of 100 trees at learning rate 0.1, with 31 leaves and with 6 levels, on one and two threads; each library's own
scikit-learn class with its own defaults otherwise, and the frame as it comes. Text columns are categories; where a
library asks for codes or for text instead (CatBoost), they are made before the clock starts. The peer of a line is the
fastest of the four; the times of all follow in brackets. Tables of more than 200,000 rows are cut to as many. Two
threads are then compared with one from the same times.

Other goals of real tables have scripts of their own: prediction of mixed models and of pure forests and five trees of
2,048 leaves `bench_mixed.py`, sparse tables `bench_sparse.py`, a busy machine `bench_threads.py`, made-up tables
`bench_boosting.py` (100k-all, 1M), everybody's defaults `study_defaults.py report`.

    python benchmarks/bench_real.py [--quick] [table ...]
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import glasswood as gw
from command import run_command
from real_tables import TARGETS, RealTable, data_folder, has_table, read_real
from record import Goal, Record, Report
from timing import Call, alternate, seconds

TREES, MAX_ROWS = 100, 200_000
SHAPES = ("31 leaves", "6 levels")
SLOW = 4.0  # a peer that takes so many times as long as the fastest is not asked again
LARGE = 100_000  # rows from which two threads must gain
NEVER_SLOWER, GAIN = 1.02, 1.7
Fit = Callable[[RealTable, str, int], Call]


def glasswood(table: RealTable, shape: str, threads: int) -> Call:
    """glasswood with exact statistics, its default."""
    size = {"max_leaf_nodes": 31, "max_depth": None} if shape == SHAPES[0] else {"max_leaf_nodes": None, "max_depth": 6}
    shared: Any = {"n_estimators": TREES, "learning_rate": 0.1, "random_state": 0, "n_jobs": threads, **size}
    shared["colsample"] = 1.0  # all features for every tree, as the peers do
    shared["symmetric"] = False  # as LightGBM, XGBoost and HistGradientBoosting grow; small tables default to symmetric
    if table.kind == "class":
        return lambda: gw.BoostingClassifier(**shared).fit(table.X, table.y)
    loss = "poisson" if table.kind == "count" else "squared_error"
    return lambda: gw.BoostingRegressor(loss, **shared).fit(table.X, table.y, offset=table.offset)


def lightgbm(table: RealTable, shape: str, threads: int) -> Call:
    """LightGBM."""
    from lightgbm import LGBMClassifier, LGBMRegressor

    size = {"num_leaves": 31} if shape == SHAPES[0] else {"num_leaves": 64, "max_depth": 6}
    shared: Any = {"n_estimators": TREES, "learning_rate": 0.1, "n_jobs": threads, "verbose": -1, **size}
    if table.kind == "class":
        return lambda: LGBMClassifier(**shared).fit(table.X, table.y)
    shared["objective"] = "poisson" if table.kind == "count" else "regression"
    return lambda: LGBMRegressor(**shared).fit(table.X, table.y, init_score=table.offset)


def xgboost(table: RealTable, shape: str, threads: int) -> Call:
    """XGBoost with histograms."""
    from xgboost import XGBClassifier, XGBRegressor

    size: Any = {"max_depth": 6}
    if shape == SHAPES[0]:
        size = {"max_leaves": 31, "max_depth": 0, "grow_policy": "lossguide"}
    shared: Any = {
        "n_estimators": TREES, "learning_rate": 0.1, "tree_method": "hist", "enable_categorical": True,
        "n_jobs": threads, **size,
    }  # fmt: skip
    if table.kind == "class":
        return lambda: XGBClassifier(**shared).fit(table.X, table.y)
    shared["objective"] = "count:poisson" if table.kind == "count" else "reg:squarederror"
    return lambda: XGBRegressor(**shared).fit(table.X, table.y, base_margin=table.offset)


def catboost(table: RealTable, shape: str, threads: int) -> Call:
    """CatBoost; 31 leaves need its growth by leaf, 6 levels are its symmetric trees."""
    from catboost import CatBoostClassifier, CatBoostRegressor, Pool

    X = table.X.copy()
    text = [column for column in X.columns if X[column].dtype == "category"]
    for column in text:
        X[column] = X[column].astype(object).where(X[column].notna(), "missing").astype(str)
    size: Any = {"depth": 6}
    if shape == SHAPES[0]:
        size = {"grow_policy": "Lossguide", "max_leaves": 31, "depth": 16}
    shared: Any = {
        "n_estimators": TREES, "learning_rate": 0.1, "thread_count": threads, "verbose": 0,
        "allow_writing_files": False, **size,
    }  # fmt: skip
    if table.kind == "class":
        return lambda: CatBoostClassifier(**shared).fit(X, table.y, cat_features=text)
    shared["loss_function"] = "Poisson" if table.kind == "count" else "RMSE"
    return lambda: CatBoostRegressor(**shared).fit(Pool(X, table.y, cat_features=text, baseline=table.offset))


def hist_gradient_boosting(table: RealTable, shape: str, threads: int) -> Call:
    """HistGradientBoosting; it has no offset, so counts are fitted as rates with exposures as weights."""
    import numpy as np
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
    from threadpoolctl import threadpool_limits

    size = {"max_leaf_nodes": 31} if shape == SHAPES[0] else {"max_leaf_nodes": None, "max_depth": 6}
    shared: Any = {
        "max_iter": TREES, "learning_rate": 0.1, "early_stopping": False, "categorical_features": "from_dtype", **size,
    }  # fmt: skip
    y, weight = table.y, None
    model: Any = HistGradientBoostingClassifier(**shared)
    if table.kind != "class":
        model = HistGradientBoostingRegressor(loss="poisson" if table.kind == "count" else "squared_error", **shared)
    if table.offset is not None:
        weight = np.exp(table.offset)
        y = table.y / weight

    def fit() -> None:
        with threadpool_limits(threads):
            model.fit(table.X, y, sample_weight=weight)

    return fit


PEERS: dict[str, Fit] = {
    "LightGBM": lightgbm,
    "XGBoost": xgboost,
    "CatBoost": catboost,
    "HistGradientBoosting": hist_gradient_boosting,
}


def tried(name: str, make: Fit, table: RealTable, shape: str, threads: int) -> tuple[Call, float] | None:
    """The peer's call and the time of its first run; None with a message where it cannot take the table."""
    try:
        call = make(table, shape, threads)
        return call, seconds(call)
    except Exception as error:  # a peer may refuse a table in any way
        print(f"{table.name}: {name} cannot be run: {str(error).splitlines()[0]}")
        return None


def compare(report: Report, table: RealTable, shape: str, threads: int, rounds: int) -> float:
    """One line: glasswood against the fastest peer; calls take turns. Returns glasswood's time."""
    ours = glasswood(table, shape, threads)
    ours()
    found = {name: run for name, make in PEERS.items() if (run := tried(name, make, table, shape, threads))}
    best = {name: first for name, (_, first) in found.items()}
    again = [name for name in found if best[name] <= SLOW * min(best.values())]
    times = alternate([ours, *(found[name][0] for name in again)], rounds)
    best.update(zip(again, times[1:], strict=True))
    fastest = min(best, key=best.__getitem__)
    said = ", ".join(f"{name} {best[name]:.3f}" for name in best)
    work = f"{table.name}, {len(table.y):,} × {table.X.shape[1]}, {shape}"
    report.add(Record(work, times[0], fastest, best[fastest], Goal("share", 0.6), threads, note=said))
    return times[0]


def fits(name: str, report: Report) -> None:
    """Every shape and number of threads on one table."""
    if not has_table(name, data_folder()):
        return
    table = read_real(name, data_folder(), MAX_ROWS)
    small = len(table.y) * table.X.shape[1] < 1_000_000
    rounds = (2 if report.quick else 7) if small else (1 if report.quick else 3)
    times = {(threads, shape): compare(report, table, shape, threads, rounds) for threads in (1, 2) for shape in SHAPES}
    goal = Goal("factor", GAIN) if len(table.y) >= LARGE else Goal("share", NEVER_SLOWER)
    for shape in SHAPES:
        work = f"{name}, {len(table.y):,} rows, {shape}: 2 threads against 1"
        report.add(Record(work, times[2, shape], "our one thread", times[1, shape], goal, 2))


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # peers warn of settings that are meant
    run_command("real", __doc__, {name: partial(fits, name) for name in TARGETS})
