"""Reading a model against the library's own dump of it: 1,000 trees of 31 leaves, best of several, alternating.

Run with ``python benchmarks/bench_read.py [--quick] [library ...]``; one thread each. Goal: less time than the dump.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import glasswood as gw
from command import run_command
from record import Goal, Record, Report
from timing import alternate

N_TREES, N_LEAVES = 1_000, 31
Row = Callable[[], tuple[str, Callable[[], Any], Callable[[], Any]]]  # the peer's dump, ours, theirs


def data() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3_000, 10))
    return X, X[:, 0] + np.sin(3 * X[:, 1]) + X[:, 2] * X[:, 3] + rng.normal(size=3_000) * 0.1


def lightgbm_row() -> tuple[str, Callable[[], Any], Callable[[], Any]]:
    import lightgbm as lgb

    X, y = data()
    params = {"num_leaves": N_LEAVES, "verbose": -1, "num_threads": 1}
    booster = lgb.train(params, lgb.Dataset(X, y), N_TREES)
    return "LightGBM dump_model()", lambda: gw.read(booster), booster.dump_model


def xgboost_row() -> tuple[str, Callable[[], Any], Callable[[], Any]]:
    import xgboost as xgb

    X, y = data()
    params = {"max_leaves": N_LEAVES, "max_depth": 0, "grow_policy": "lossguide", "nthread": 1}
    booster = xgb.train(params, xgb.DMatrix(X, y), N_TREES)
    return "XGBoost get_dump()", lambda: gw.read(booster), booster.get_dump


def catboost_row(policy: str) -> tuple[str, Callable[[], Any], Callable[[], Any]]:
    from catboost import CatBoostRegressor

    X, y = data()
    options = {"max_leaves": N_LEAVES} if policy == "Lossguide" else {"depth": 5}
    model = CatBoostRegressor(
        iterations=N_TREES, grow_policy=policy, verbose=0, thread_count=1, allow_writing_files=False, **options
    ).fit(X, y)
    path = Path(tempfile.mkdtemp()) / "dump.json"
    return f"CatBoost {policy} json", lambda: gw.read(model), lambda: model.save_model(str(path), format="json")


def perpetual_row() -> tuple[str, Callable[[], Any], Callable[[], Any]]:
    """perpetual sets the number of trees itself; reading starts from its dump, so the goal cannot be met."""
    from perpetual import PerpetualBooster

    X, y = data()
    model = PerpetualBooster(objective="SquaredLoss", budget=1.0, num_threads=1, iteration_limit=200).fit(X, y)
    return f"perpetual json ({model.number_of_trees} trees)", lambda: gw.read(model), model.json_dump


ROWS: dict[str, Row] = {
    "LightGBM": lightgbm_row,
    "XGBoost": xgboost_row,
    "CatBoost, any shape": lambda: catboost_row("Lossguide"),
    "CatBoost, symmetric": lambda: catboost_row("SymmetricTree"),
    "perpetual": perpetual_row,
}


def measure(library: str, row: Row, report: Report) -> None:
    """Read and dump in turns."""
    dump, ours, theirs = row()
    mine, peer = alternate((ours, theirs), rounds=3 if report.quick else 5)
    work = f"read {N_TREES:,} trees × {N_LEAVES} leaves of {library}"
    report.add(Record(work, mine, dump, peer, Goal("share", 1.0)))


if __name__ == "__main__":
    works = {name: lambda report, name=name, row=row: measure(name, row, report) for name, row in ROWS.items()}
    run_command("read", __doc__, works)
