"""Which defaults should boosting have? Candidates are compared on other rows than those that the result is reported on.

Everybody gets learning rate .05, at most 800 rounds and the same validation rows inside the training part, and keeps
the best round; everything else is each library's own default. Four parts:

- ``choose``: candidates for our defaults, compared with the defaults we started from, on *inner* splits;
- ``large``: the same on more rows of the larger tables, because small tables favour small trees;
- ``report``: our defaults as they are now and those of LightGBM, XGBoost and CatBoost, on *outer* splits;
- ``more``: the same for tables of 100,000 rows and more, where every split has rows of its own, used by no other part.

The parts use different rows of each table with enough of them. The inner splits of boston and titanic lie within
the training rows of their outer splits.

``python benchmarks/study_defaults.py PART [--splits 3] [--candidates NAME ...] [table ...]`` adds what is not yet
known to benchmarks/results/defaults.json and prints a table; ``report`` and ``more`` also write docs/defaults.md.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import time
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import log_loss, mean_poisson_deviance, root_mean_squared_error

import glasswood as gw
from compare_boosting import write_page
from defaults_scores import (
    LARGE,
    MAX_ROUNDS,
    MORE,
    MORE_SPLITS,
    PATIENCE,
    RATE,
    START,
    Known,
    choice_table,
    defaults_page,
    label_of,
    our_defaults,
    rows_before_large,
    rows_before_more,
    rows_of,
    rows_to_read,
)
from real_tables import TARGETS, RealTable, data_folder, has_table, read_real

LEAVES: dict[str, Any] = {"max_depth": None, "max_leaf_nodes": 31}
CANDIDATES: dict[str, dict[str, Any]] = {
    "start": {},
    "leaf of 5 rows": {"min_samples_leaf": 5},
    "leaf of 10 rows": {"min_samples_leaf": 10},
    "leaf of 20 rows": {"min_samples_leaf": 20},
    "31 leaves": LEAVES,
    "31 leaves of 20 rows": {**LEAVES, "min_samples_leaf": 20},
    "depth 4": {"max_depth": 4},
    "depth 5": {"max_depth": 5},
    "depth 8": {"max_depth": 8},
    "l2 0": {"l2": 0.0},
    "l2 3": {"l2": 3.0},
    "l2 10": {"l2": 10.0},
    "colsample .8": {"colsample": 0.8},
    "colsample .5": {"colsample": 0.5},
    "subsample .8": {"subsample": 0.8},
    "subsample .5": {"subsample": 0.5},
    "64 bins": {"max_bins": 64},
    "128 bins": {"max_bins": 128},
    "cred_std": {"gain": "cred_std"},
    "welch": {"gain": "welch"},
    "colsample .8, depth 5": {"colsample": 0.8, "max_depth": 5},
    "colsample .8, leaf of 5 rows": {"colsample": 0.8, "min_samples_leaf": 5},
    "colsample .8, l2 3": {"colsample": 0.8, "l2": 3.0},
    "subsample .8, l2 3": {"subsample": 0.8, "l2": 3.0},
    "colsample .8, subsample .8, l2 3": {"colsample": 0.8, "subsample": 0.8, "l2": 3.0},
    "colsample .8, subsample .8": {"colsample": 0.8, "subsample": 0.8},
    "colsample .8, 31 leaves": {"colsample": 0.8, **LEAVES},
    "symmetric": {"symmetric": True},
    "colsample .8, symmetric": {"colsample": 0.8, "symmetric": True},
    "colsample .8, symmetric, depth 5": {"colsample": 0.8, "symmetric": True, "max_depth": 5},
    "colsample .8, symmetric, depth 7": {"colsample": 0.8, "symmetric": True, "max_depth": 7},
    "colsample .8, symmetric, depth 8": {"colsample": 0.8, "symmetric": True, "max_depth": 8},
    "colsample .8, symmetric, depth 10": {"colsample": 0.8, "symmetric": True, "max_depth": 10},
    "colsample .8, symmetric, l2 3": {"colsample": 0.8, "symmetric": True, "l2": 3.0},
}
Rows = NDArray[np.int64]
Parts = tuple[Rows, Rows, Rows]  # training, validation, test


def cut(rows: Rows, share: float, seed: int) -> tuple[Rows, Rows]:
    """Two parts of rows, the second with this share of them."""
    order = np.random.default_rng(seed).permutation(rows)
    n = round(len(rows) * (1 - share))
    return np.sort(order[:n]), np.sort(order[n:])


def parts_of(table: RealTable, part: str, seed: int) -> Parts:
    """Training, validation and test rows of a split."""
    n, most = len(table.y), rows_before_large(table.name)
    inner = np.arange(rows_of(table.name, "choose")) + rows_of(table.name, "choose")
    apart = n >= most
    if part == "large":
        mine = np.arange(most, n)
    elif part == "more":
        mine = (
            rows_before_more(table.name) + np.arange(rows_of(table.name, "more")) + rows_of(table.name, "more") * seed
        )
    else:
        mine = np.arange(n) if not apart else inner if part == "choose" else np.setdiff1d(np.arange(most), inner)
    train, test = cut(mine, 0.3, seed)
    if part == "choose" and not apart:
        train, test = cut(train, 0.3, 100 + seed)
    train, valid = cut(train, 0.2, 200 + seed)
    return train, valid, test


def shifts(table: RealTable, parts: Parts) -> list[NDArray[np.float64]]:
    """Log of the expected count of each row, by exposure alone."""
    assert table.offset is not None
    train = parts[0]
    start = np.log(table.y[train].sum() / np.exp(table.offset[train]).sum())
    return [table.offset[rows] + start for rows in parts]


def glasswood(table: RealTable, parts: Parts, options: dict[str, Any]) -> Any:
    """glasswood."""
    (X, V, Z), (y, v, _) = ([table.X.iloc[rows] for rows in parts], [table.y[rows] for rows in parts])
    shared: Any = {
        "n_estimators": MAX_ROUNDS, "learning_rate": RATE, "early_stopping": True,
        "n_iter_no_change": PATIENCE, "random_state": 0, "n_jobs": 1, **options,
    }  # fmt: skip
    if table.kind == "class":
        return gw.BoostingClassifier(**shared).fit(X, y, eval_set=[(V, v)]).predict_proba(Z)
    if table.offset is None:
        return gw.BoostingRegressor(**shared).fit(X, y, eval_set=[(V, v)]).predict(Z)
    offset, watched, tested = (table.offset[rows] for rows in parts)
    model = gw.BoostingRegressor("poisson", **shared)
    return model.fit(X, y, offset=offset, eval_set=[(V, v, None, watched)]).predict(Z, offset=tested)


def lightgbm(table: RealTable, parts: Parts) -> Any:
    """LightGBM."""
    import lightgbm as lgb

    (X, V, Z), (y, v, _) = ([table.X.iloc[rows] for rows in parts], [table.y[rows] for rows in parts])
    shared: Any = {
        "n_estimators": MAX_ROUNDS, "learning_rate": RATE, "n_jobs": 1, "verbose": -1,
        "random_state": 0,
    }  # fmt: skip
    watch: Any = {"eval_set": [(V, v)], "callbacks": [lgb.early_stopping(PATIENCE, verbose=False)]}
    if table.kind == "class":
        return lgb.LGBMClassifier(**shared).fit(X, y, **watch).predict_proba(Z)
    if table.offset is None:
        return lgb.LGBMRegressor(**shared).fit(X, y, **watch).predict(Z)
    offset, watched, tested = shifts(table, parts)
    model = lgb.LGBMRegressor(objective="poisson", **shared)
    model.fit(X, y, init_score=offset, eval_init_score=[watched], **watch)
    return np.exp(model.predict(Z, raw_score=True) + tested)


def xgboost(table: RealTable, parts: Parts) -> Any:
    """XGBoost."""
    import xgboost as xgb

    (X, V, Z), (y, v, _) = ([table.X.iloc[rows] for rows in parts], [table.y[rows] for rows in parts])
    shared: Any = {
        "n_estimators": MAX_ROUNDS, "learning_rate": RATE, "n_jobs": 1,
        "enable_categorical": True, "early_stopping_rounds": PATIENCE, "random_state": 0,
    }  # fmt: skip
    watch: Any = {"eval_set": [(V, v)], "verbose": False}
    if table.kind == "class":
        return xgb.XGBClassifier(**shared).fit(X, y, **watch).predict_proba(Z)
    if table.offset is None:
        return xgb.XGBRegressor(**shared).fit(X, y, **watch).predict(Z)
    offset, watched, tested = shifts(table, parts)
    model = xgb.XGBRegressor(objective="count:poisson", base_score=1.0, **shared)
    model.fit(X, y, base_margin=offset, base_margin_eval_set=[watched], **watch)
    return model.predict(Z, base_margin=tested)


def catboost(table: RealTable, parts: Parts) -> Any:
    """CatBoost; its missing levels are a level of their own."""
    from catboost import CatBoostClassifier, CatBoostRegressor, Pool

    shared: Any = {
        "iterations": MAX_ROUNDS, "learning_rate": RATE, "od_type": "Iter",
        "od_wait": PATIENCE, "random_seed": 0, "thread_count": 1, "verbose": False, "allow_writing_files": False,
    }  # fmt: skip
    texts = [name for name in table.X if table.X[name].dtype.name == "category"]
    X = table.X.copy()
    for name in texts:
        X[name] = X[name].astype(object).where(X[name].notna(), "missing")
    pools = [Pool(X.iloc[rows], table.y[rows], cat_features=texts) for rows in parts]
    if table.kind == "class":
        return CatBoostClassifier(**shared).fit(pools[0], eval_set=pools[1]).predict_proba(pools[2])
    if table.offset is None:
        return CatBoostRegressor(**shared).fit(pools[0], eval_set=pools[1]).predict(pools[2])
    for pool, baseline in zip(pools, shifts(table, parts), strict=True):
        pool.set_baseline(baseline)
    model = CatBoostRegressor(loss_function="Poisson", boost_from_average=False, **shared)
    return np.exp(model.fit(pools[0], eval_set=pools[1]).predict(pools[2], prediction_type="RawFormulaVal"))


PEERS: dict[str, Callable[[RealTable, Parts], Any]] = {"LightGBM": lightgbm, "XGBoost": xgboost, "CatBoost": catboost}


def loss_of(table: RealTable, test: Rows, prediction: Any) -> float:
    """Test metric: root mean square error, mean Poisson deviance or log loss."""
    y = table.y[test]
    if table.kind == "class":
        return float(log_loss(y, prediction, labels=np.unique(table.y)))
    if table.kind == "count":
        return float(mean_poisson_deviance(y, prediction))
    return float(root_mean_squared_error(y, prediction))


def fit_missing(
    part: str, fits: dict[str, Callable[[RealTable, Parts], Any]], names: Iterable[str], splits: int, folder: Path
) -> Known:
    """Fit what is not known yet, split by split."""
    known = Known()
    tables: dict[str, RealTable] = {}
    for split in range(splits * max(MORE_SPLITS.values())):
        for name in names:
            if split >= splits * MORE_SPLITS.get(name, 1):
                continue
            missing = [fit for fit in fits if str(split) not in known.get(part, name, fit)]
            if not missing or not has_table(name, folder):
                continue
            if name not in tables:
                tables[name] = read_real(name, folder, rows_to_read(name, part, splits))  # more rows: others after them
            table = tables[name]
            parts = parts_of(table, part, split)
            for fit in missing:
                begin = time.process_time()
                known.add(part, name, fit, split, loss_of(table, parts[2], fits[fit](table, parts)))
                print(part, name, "split", split, f"{fit}: {time.process_time() - begin:.1f} s", flush=True)
    return known


def main() -> None:
    """Run one part."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=("choose", "large", "report", "more"))
    parser.add_argument("tables", nargs="*")
    parser.add_argument("--data", type=Path, default=data_folder(), help="folder of the real tables")
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--candidates", nargs="*", default=list(CANDIDATES), choices=list(CANDIDATES))
    given = parser.parse_intermixed_args()
    warnings.simplefilter("ignore")  # levels that share a bin
    names = given.tables or list({"large": LARGE, "more": MORE}.get(given.part, TARGETS))
    fits: dict[str, Callable[[RealTable, Parts], Any]] = {}
    if given.part in ("choose", "large"):
        for candidate in given.candidates:
            options = {**START, **CANDIDATES[candidate]}
            fits[label_of(options)] = lambda table, parts, options=options: glasswood(table, parts, options)
        known = fit_missing(given.part, fits, names, given.splits, given.data)
        print(*choice_table(known, given.part, names, {one: CANDIDATES[one] for one in given.candidates}), sep="\n")
        return
    for options in (START, our_defaults()):
        fits[label_of(options)] = lambda table, parts, options=options: glasswood(table, parts, options)
    known = fit_missing(given.part, {**PEERS, **fits}, names, given.splits, given.data)
    print(defaults_page(known))
    write_page()


if __name__ == "__main__":
    main()
