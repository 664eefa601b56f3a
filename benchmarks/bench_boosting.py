"""Boosting against LightGBM, XGBoost, CatBoost and HistGradientBoosting, side by side in one run.

The same table, bins, split levels, trees, rows and columns for all; preparing (binning), fitting and predicting apart;
calls alternate and the best of several counts; peak memory in a process of its own. Run it on a quiet machine:

    python benchmarks/bench_boosting.py [--threads 2] [--repeats 3] [--cpu] [--memory] [work ...]

``--cpu`` compares processor seconds instead of wall seconds: on a busy machine and with ``--threads 1`` less wrong.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.float32]
Target = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Work:
    """What every library is asked to do, and how much of the fastest peer's prep + fit we may take."""

    rows: int
    columns: int
    levels: int
    bins: int
    trees: int
    share: float  # of rows and columns drawn
    signal: bool
    goal: float
    leaves: int | None = None  # best leaf first
    gain: str = "newton"


WORKS = {
    "100k": Work(100_000, 100, 5, 64, 200, 0.5, False, 0.7),
    "1M": Work(1_000_000, 100, 6, 255, 20, 1.0, True, 0.6),
    "100k-deep": Work(100_000, 100, 10, 64, 50, 0.5, False, 1.0),
    "1M-deep": Work(1_000_000, 100, 11, 255, 5, 1.0, True, 1.0),
    "1M-leaves": Work(1_000_000, 100, 30, 255, 10, 1.0, True, 1.0, leaves=255),
    "tiny": Work(20_000, 20, 5, 64, 20, 1.0, True, 1.0),
}
GAINS = ("cred_std", "welch")  # against our own newton: at most 1.1

Steps = tuple[Callable[[], Any], Callable[[Any], Any], Callable[[Any], Any]]  # prepare, fit, predict


def data(work: Work) -> tuple[Table, Target]:
    """Uniform features; a target of noise, or of four features and noise."""
    rng = np.random.default_rng(0)
    X = rng.random((work.rows, work.columns), dtype=np.float32)
    y = rng.random(work.rows)
    if work.signal:
        y = np.sin(6 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.5 * X[:, 3] ** 2 + rng.normal(0, 0.3, work.rows)
    return X, y


def glasswood(work: Work, X: Table, y: Target, threads: int) -> Steps:
    from glasswood.ensemble import AlignedRows, FeatureSchema
    from glasswood.train import BoostingOptions, BoostingTable, boost
    from glasswood.train._binning import make_binning

    features = FeatureSchema.numeric(FeatureSchema.positions(work.columns), named=False)
    rows = AlignedRows(work.rows, X)

    def prepare() -> None:
        binning = make_binning(rows, features, np.empty(0), max_bins=work.bins, seed=0, n_threads=threads)
        binning.apply(rows, threads)

    def fit(_: Any) -> Any:  # bins again: the time of prepare is taken off
        options = BoostingOptions(
            gain=work.gain, n_estimators=work.trees, max_depth=work.levels, max_bins=work.bins, subsample=work.share,
            colsample=work.share, learning_rate=0.05, max_leaf_nodes=work.leaves,
        )  # fmt: skip
        return boost(BoostingTable(name="t", rows=rows, y=y), features, options, outputs=("y",), n_threads=threads)

    return prepare, fit, lambda model: model.ensemble.predict_raw(X, n_jobs=threads)


def lightgbm(work: Work, X: Table, y: Target, threads: int) -> Steps:
    import lightgbm as lgb

    options = {
        "objective": "l2", "num_leaves": work.leaves or 2**work.levels, "max_depth": work.levels, "verbose": -1,
        "max_bin": work.bins, "learning_rate": 0.05, "lambda_l2": 1.0, "min_data_in_leaf": 1, "num_threads": threads,
        "min_sum_hessian_in_leaf": 1.0, "bagging_fraction": work.share, "bagging_freq": int(work.share < 1),
        "feature_fraction": work.share, "seed": 0,
    }  # fmt: skip
    return (
        lambda: lgb.Dataset(X, y, params=options, free_raw_data=False).construct(),
        lambda table: lgb.train(options, table, work.trees),
        lambda model: model.predict(X, num_threads=threads),
    )


def xgboost(work: Work, X: Table, y: Target, threads: int) -> Steps:
    import xgboost as xgb

    options = {
        "max_depth": work.levels, "max_bin": work.bins, "eta": 0.05, "lambda": 1.0, "min_child_weight": 1.0,
        "subsample": work.share, "colsample_bytree": work.share, "nthread": threads, "tree_method": "hist", "seed": 0,
    }  # fmt: skip
    if work.leaves is not None:
        options |= {"grow_policy": "lossguide", "max_leaves": work.leaves}
    return (
        lambda: xgb.QuantileDMatrix(X, y, max_bin=work.bins, nthread=threads),
        lambda table: xgb.train(options, table, work.trees),
        lambda model: model.inplace_predict(X),
    )


def catboost(work: Work, X: Table, y: Target, threads: int) -> Steps:
    import catboost as cb

    options = {
        "iterations": work.trees, "depth": min(work.levels, 16), "learning_rate": 0.05, "l2_leaf_reg": 1.0,
        "thread_count": threads, "verbose": False, "allow_writing_files": False, "random_seed": 0,
        "bootstrap_type": "Bernoulli" if work.share < 1 else "No", "rsm": work.share, "boosting_type": "Plain",
        "score_function": "L2",
    }  # fmt: skip
    if work.share < 1:
        options["subsample"] = work.share
    if work.leaves is not None:
        options |= {"grow_policy": "Lossguide", "max_leaves": work.leaves}

    def prepare() -> Any:
        pool = cb.Pool(X, y, thread_count=threads)
        pool.quantize(border_count=work.bins - 1)
        return pool

    return (
        prepare,
        lambda pool: cb.CatBoostRegressor(**options).fit(pool),
        lambda model: model.predict(X, thread_count=threads),
    )


def sklearn(work: Work, X: Table, y: Target, threads: int) -> Steps:
    from sklearn.ensemble import HistGradientBoostingRegressor
    from threadpoolctl import threadpool_limits

    model = HistGradientBoostingRegressor(
        max_iter=work.trees, max_depth=work.levels, max_bins=work.bins, learning_rate=0.05, l2_regularization=1.0,
        max_leaf_nodes=work.leaves, min_samples_leaf=1, early_stopping=False, max_features=work.share,
    )  # fmt: skip

    def fit(_: Any) -> Any:
        with threadpool_limits(threads):
            return model.fit(X, y)

    return lambda: None, fit, lambda fitted: fitted.predict(X)


LIBRARIES = {
    "glasswood": glasswood, "lightgbm": lightgbm, "xgboost": xgboost, "catboost": catboost, "sklearn": sklearn
}  # fmt: skip


def seconds(steps: Steps, clock: Callable[[], float]) -> list[float]:
    """Seconds of each step."""
    times, result = [], None
    for step in steps:
        begun = clock()
        result = step() if not times else step(result)  # type: ignore[call-arg]
        times.append(clock() - begun)
    return times


def peak(work: str, library: str, threads: int) -> float:
    """Peak memory of a process that only does this, in GiB; the table itself is in it."""
    code = (
        f"import sys; sys.path.insert(0, 'benchmarks'); from bench_boosting import *; w = WORKS[{work!r}];"
        f"X, y = data(w); seconds(LIBRARIES[{library!r}](w, X, y, {threads})[:2], time.perf_counter);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20)"
    )
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)


def main() -> None:
    """Run the works asked for and print what they took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("works", nargs="*", default=["100k", "1M"])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--cpu", action="store_true")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--libraries", nargs="*", default=list(LIBRARIES))
    given = parser.parse_args()
    clock = time.process_time if given.cpu else time.perf_counter
    for name in given.works:
        run(name, given, clock)


def run(name: str, given: argparse.Namespace, clock: Callable[[], float]) -> None:
    """One work, all libraries in turn."""
    work = WORKS[name]
    X, y = data(work)
    contenders = {library: LIBRARIES[library](work, X, y, given.threads) for library in given.libraries}
    contenders |= {gain: glasswood(replace(work, gain=gain), X, y, given.threads) for gain in GAINS}
    best: dict[str, NDArray[np.float64]] = {}
    for _ in range(given.repeats):
        for library, steps in contenders.items():
            times = np.array(seconds(steps, clock))
            best[library] = np.minimum(best.get(library, times), times)
    for own in ("glasswood", *GAINS):
        best[own][1] = max(best[own][1] - best[own][0], 0.0)
    kind = "processor" if given.cpu else "wall"
    print(f"{name}: {work.rows:,} × {work.columns}, {given.threads} threads, {kind} seconds, best of {given.repeats}")
    for library, (prepare, fit, predict) in best.items():
        memory = f"  peak {peak(name, library, given.threads):.2f} GiB" if given.memory and library in LIBRARIES else ""
        print(f"  {library:10} prep {prepare:6.2f}  fit {fit:6.2f}  predict {predict:6.2f}{memory}")
    peers = [best[library][:2].sum() for library in given.libraries if library != "glasswood"]
    if peers and "glasswood" in best:
        ratio = best["glasswood"][:2].sum() / min(peers)
        print(f"  prep + fit against the fastest peer: {ratio:.2f} (goal {work.goal})")
    for gain in GAINS:
        print(f"  {gain} against newton, fit: {best[gain][1] / best['glasswood'][1]:.2f} (goal 1.1)")


if __name__ == "__main__":
    main()
