"""Reading a model against the library's own dump of it: 1,000 trees of 31 leaves, best of several, alternating.

Run with ``python benchmarks/bench_read.py``; one thread each. Goal: less time than the dump.
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import glasswood as gw

N_TREES, N_LEAVES, REPEATS = 1_000, 31, 5
GOAL = 1.0


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


ROWS = (lightgbm_row, xgboost_row)


def alternating(ours: Callable[[], Any], theirs: Callable[[], Any]) -> tuple[float, float]:
    """Best time of each, taken in turns so that a busy moment hits both."""
    best = [np.inf, np.inf]
    for _ in range(REPEATS):
        for k, call in enumerate((ours, theirs)):
            start = time.perf_counter()
            call()
            best[k] = min(best[k], time.perf_counter() - start)
    return best[0], best[1]


def main() -> None:
    print(f"{N_TREES:,} trees x {N_LEAVES} leaves, one thread, best of {REPEATS}, alternating")
    print(f"{'peer':<24}{'gw.read':>12}{'peer':>12}{'ratio':>8}{'goal':>8}")
    for row in ROWS:
        name, ours, theirs = row()
        mine, peer = alternating(ours, theirs)
        print(f"{name:<24}{mine * 1e3:>9.1f} ms{peer * 1e3:>9.1f} ms{mine / peer:>8.2f}{f'< {GOAL:g}':>8}")


if __name__ == "__main__":
    main()
