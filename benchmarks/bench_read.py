"""Reading a model against the library's own dump of it, and a pipeline against the model at its end.

1,000 trees of 31 leaves (a forest also with full trees), best of several, alternating; one thread each. Every read
begins from nothing. Goals: less time than the dump; at most 1.5 times as long as the bare model.
Run with ``python benchmarks/bench_read.py [--quick] [library ...]``.
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
Row = Callable[[], tuple[str, Any, Callable[[], Any]]]  # the peer's dump, the model, the call that dumps


def data() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3_000, 10))
    return X, X[:, 0] + np.sin(3 * X[:, 1]) + X[:, 2] * X[:, 3] + rng.normal(size=3_000) * 0.1


def read_anew(model: Any) -> Callable[[], Any]:
    """A call that reads the model as if for the first time."""

    def call() -> Any:
        gw.forget()
        return gw.read(model)

    return call


def lightgbm_row() -> tuple[str, Any, Callable[[], Any]]:
    import lightgbm as lgb

    X, y = data()
    params = {"num_leaves": N_LEAVES, "verbose": -1, "num_threads": 1}
    booster = lgb.train(params, lgb.Dataset(X, y), N_TREES)
    return "LightGBM dump_model()", booster, booster.dump_model


def xgboost_row() -> tuple[str, Any, Callable[[], Any]]:
    import xgboost as xgb

    X, y = data()
    params = {"max_leaves": N_LEAVES, "max_depth": 0, "grow_policy": "lossguide", "nthread": 1}
    booster = xgb.train(params, xgb.DMatrix(X, y), N_TREES)
    return "XGBoost get_dump()", booster, booster.get_dump


def catboost_row(policy: str) -> tuple[str, Any, Callable[[], Any]]:
    from catboost import CatBoostRegressor

    X, y = data()
    options = {"max_leaves": N_LEAVES} if policy == "Lossguide" else {"depth": 5}
    model = CatBoostRegressor(
        iterations=N_TREES, grow_policy=policy, verbose=0, thread_count=1, allow_writing_files=False, **options
    ).fit(X, y)
    path = Path(tempfile.mkdtemp()) / "dump.json"
    return f"CatBoost {policy} json", model, lambda: model.save_model(str(path), format="json")


def combinations_row() -> tuple[str, Any, Callable[[], Any]]:
    """CatBoost's defaults on three categories of 50 levels: most trees split combinations and are divided."""
    import pandas as pd
    from catboost import CatBoostRegressor

    rng = np.random.default_rng(0)
    codes = rng.integers(0, 50, (3_000, 3))
    table = pd.DataFrame({f"c{k}": [f"level {code}" for code in codes[:, k]] for k in range(3)})
    table["x"] = rng.normal(size=len(table))
    own = rng.normal(size=(3, 50))
    y = own[np.arange(3), codes].sum(axis=1) + own[0, codes[:, 0]] * own[1, codes[:, 1]] + table.x
    model = CatBoostRegressor(
        iterations=N_TREES, verbose=0, thread_count=1, allow_writing_files=False, cat_features=["c0", "c1", "c2"]
    ).fit(table, y)
    path = Path(tempfile.mkdtemp()) / "dump.json"
    return "CatBoost json", model, lambda: model.save_model(str(path), format="json")


def perpetual_row() -> tuple[str, Any, Callable[[], Any]]:
    """perpetual sets the number of trees itself; reading starts from its dump, so the goal cannot be met."""
    from perpetual import PerpetualBooster

    X, y = data()
    model = PerpetualBooster(objective="SquaredLoss", budget=1.0, num_threads=1, iteration_limit=200).fit(X, y)
    return f"perpetual json ({model.number_of_trees} trees)", model, model.json_dump


ROWS: dict[str, Row] = {
    "LightGBM": lightgbm_row,
    "XGBoost": xgboost_row,
    "CatBoost, any shape": lambda: catboost_row("Lossguide"),
    "CatBoost, symmetric": lambda: catboost_row("SymmetricTree"),
    "CatBoost, defaults with categories": combinations_row,
    "perpetual": perpetual_row,
}


def measure(library: str, row: Row, report: Report) -> None:
    """Read and dump in turns."""
    dump, model, theirs = row()
    mine, peer = alternate((read_anew(model), theirs), rounds=3 if report.quick else 5)
    work = f"read {N_TREES:,} trees × {N_LEAVES} leaves of {library}"
    report.add(Record(work, mine, dump, peer, Goal("share", 1.0)))


def steps() -> dict[str, Any]:
    """What stands before the model: the columns `x0` to `x9` are numbers, `c0` to `c2` have twelve levels each."""
    from sklearn.compose import make_column_selector, make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import (
        KBinsDiscretizer,
        OneHotEncoder,
        OrdinalEncoder,
        PowerTransformer,
        QuantileTransformer,
        StandardScaler,
        TargetEncoder,
    )

    numbers, levels = make_column_selector("^x"), make_column_selector("^c")
    one_hot, ordinal = OneHotEncoder(handle_unknown="ignore", sparse_output=False), OrdinalEncoder()
    filled = make_pipeline(SimpleImputer(add_indicator=True), StandardScaler())
    of_numbers = {
        "scaler": StandardScaler(),
        "imputer": SimpleImputer(add_indicator=True),
        "quantiles": QuantileTransformer(),
        "powers": PowerTransformer(),
        "bins": KBinsDiscretizer(20, encode="ordinal"),
    }
    return {
        **{name: make_column_transformer((step, numbers)) for name, step in of_numbers.items()},
        "one-hot": make_column_transformer((one_hot, levels), remainder="passthrough"),
        "ordinal": make_column_transformer((ordinal, levels), remainder="passthrough"),
        "target encoding": make_column_transformer((TargetEncoder(), levels), remainder="passthrough"),
        "imputer, scaler, one-hot": make_column_transformer((filled, numbers), (one_hot, levels)),
    }


def models() -> dict[str, Any]:
    """A model per library, each of 1,000 trees."""
    from catboost import CatBoostRegressor
    from lightgbm import LGBMRegressor
    from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor
    from xgboost import XGBRegressor

    forest = {"max_features": 0.3, "random_state": 0, "n_jobs": 1}
    return {
        "LightGBM": LGBMRegressor(n_estimators=N_TREES, num_leaves=N_LEAVES, verbose=-1, n_jobs=1),
        "XGBoost": XGBRegressor(
            n_estimators=N_TREES, max_leaves=N_LEAVES, max_depth=0, grow_policy="lossguide", n_jobs=1
        ),
        "CatBoost": CatBoostRegressor(
            iterations=N_TREES, depth=5, verbose=0, thread_count=1, allow_writing_files=False
        ),
        "HistGradientBoosting": HistGradientBoostingRegressor(
            max_iter=N_TREES, max_leaf_nodes=N_LEAVES, early_stopping=False
        ),
        "a forest": RandomForestRegressor(N_TREES, max_leaf_nodes=N_LEAVES, **forest),
        "a forest of full trees": RandomForestRegressor(N_TREES, max_samples=0.3, **forest),
    }


def measure_pipelines(library: str, report: Report) -> None:
    """Read each pipeline and the model at its end in turns."""
    import pandas as pd
    from sklearn.pipeline import make_pipeline

    X, y = data()
    rng = np.random.default_rng(1)
    table = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    for j in range(3):
        table[f"c{j}"] = rng.choice([f"level {k}" for k in range(12)], len(table))
    y = y + (table.c0 == "level 1") * 2 + (table.c1 == "level 4")
    gaps = table.mask((rng.random(table.shape) < 0.05) & table.columns.str.startswith("x"))
    for name, step in steps().items():
        pipeline = make_pipeline(step, models()[library])
        pipeline.fit(gaps if "imputer" in name else table, y)
        calls = read_anew(pipeline), read_anew(pipeline[-1])
        mine, peer = alternate(calls, rounds=3 if report.quick else 7)
        work = f"read a pipeline of {name} and {library}"
        report.add(Record(work, mine, "the bare model", peer, Goal("share", 1.5)))


if __name__ == "__main__":
    works = {name: lambda report, name=name, row=row: measure(name, row, report) for name, row in ROWS.items()}
    works |= {
        f"pipeline {name}": lambda report, name=name: measure_pipelines(name, report)
        for name in ("LightGBM", "XGBoost", "CatBoost", "HistGradientBoosting", "a forest", "a forest of full trees")
    }
    run_command("read", __doc__, works)
