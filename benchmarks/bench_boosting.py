"""Boosting against LightGBM, XGBoost, CatBoost and HistGradientBoosting, side by side in one run.

All libraries get the same table, bins, split levels, trees, rows and columns; preparing (binning), fitting and
predicting are timed separately. Every library runs in a separate process, so that its peak memory can be measured; the
processes alternate and the best of several runs counts. glasswood's gains and both kinds of statistics alternate in
one process. Run it on a quiet machine:

    python benchmarks/bench_boosting.py [--quick] [work ...]

Works: binning, 100k (half of the rows and columns), 100k-all (255 bins, all rows and columns), 1M, 1M-deep (11 levels),
1M-leaves (255 leaves, best first); ``--quick`` runs the first two once.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from command import ask_child, run_command
from memory import forget_peak, peak
from record import Goal, Record, Report
from timing import ENOUGH, alternate

THREADS = 2
Table = NDArray[np.float32]
Target = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Work:
    """What every library has to do, and the goal as a share of the fastest peer's prep + fit."""

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
    statistics: str = "exact"
    cpu_goal: float | None = None  # processor seconds per tree

    @property
    def title(self) -> str:
        """The work in words."""
        shape = f"{self.levels} levels" if self.leaves is None else f"{self.leaves} leaves"
        drawn = "" if self.share == 1 else f", {self.share:.0%} of rows and columns"
        return f"boost {self.rows:,} × {self.columns}, {shape}, {self.bins} bins, {self.trees} trees{drawn}"


WORKS = {
    "100k": Work(100_000, 100, 5, 64, 200, 0.5, False, 0.7),
    "100k-all": Work(100_000, 100, 6, 255, 100, 1.0, True, 0.5),
    "1M": Work(1_000_000, 100, 6, 255, 20, 1.0, True, 0.3, cpu_goal=0.25),
    "1M-deep": Work(1_000_000, 100, 11, 255, 5, 1.0, True, 1.0),
    "1M-leaves": Work(1_000_000, 100, 30, 255, 10, 1.0, True, 1.0, leaves=255),
}
# Variants compared with newton with exact statistics, and the goal as a share of its fit time.
VARIANTS: dict[str, tuple[dict[str, Any], float]] = {
    "cred_std": ({"gain": "cred_std"}, 1.1),
    "welch": ({"gain": "welch"}, 1.1),
    "newton-quantised": ({"statistics": "quantised"}, 1.1),
    "cred_std-quantised": ({"gain": "cred_std", "statistics": "quantised"}, 1.1),
    "welch-quantised": ({"gain": "welch", "statistics": "quantised"}, 1.1),
}
BINNING_GOAL = 0.3  # seconds for 1M × 100 float32 on two threads

Steps = tuple[Callable[[], Any], Callable[[Any], Any], Callable[[Any], Any]]  # prepare, fit, predict


def data(work: Work) -> tuple[Table, Target]:
    """Uniform features; the target is noise, or four features plus noise."""
    rng = np.random.default_rng(0)
    X = rng.random((work.rows, work.columns), dtype=np.float32)
    y = rng.random(work.rows)
    if work.signal:
        y = np.sin(6 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.5 * X[:, 3] ** 2 + rng.normal(0, 0.3, work.rows)
    return X, y


def glasswood(work: Work, X: Table, y: Target, threads: int) -> Steps:
    from glasswood.ensemble import AlignedRows, FeatureSchema
    from glasswood.train.boosting import BoostingOptions, BoostingTable, boost
    from glasswood.train.boosting._binning import make_binning

    features = FeatureSchema.numeric(FeatureSchema.positions(work.columns), named=False)
    rows = AlignedRows(work.rows, X)

    def prepare() -> None:
        binning = make_binning(rows, features, np.empty(0), max_bins=work.bins, seed=0, n_threads=threads)
        binning.apply_both(rows, threads)

    def fit(_: Any) -> Any:  # bins again: the time of prepare is taken off
        options = BoostingOptions(
            gain=work.gain, n_estimators=work.trees, max_depth=work.levels, max_bins=work.bins, subsample=work.share,
            colsample=work.share, learning_rate=0.05, max_leaf_nodes=work.leaves, statistics=work.statistics,
            symmetric=False,
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


def measure(name: str, title: str) -> dict[str, float]:
    """Wall seconds of each step, processor seconds of the fit and peak memory; in a process that does nothing else."""
    work = WORKS[title]
    X, y = data(work)
    table = forget_peak()
    steps, result = LIBRARIES[name](work, X, y, THREADS), None
    wall, cpu = [], []
    for number, step in enumerate(steps):
        begun, used = time.perf_counter(), time.process_time()
        result = step() if number == 0 else step(result)  # type: ignore[call-arg]
        wall.append(time.perf_counter() - begun)
        cpu.append(time.process_time() - used)
        if number == 1:
            most = peak()
    if name == "glasswood":  # its fit bins again
        wall[1], cpu[1] = max(wall[1] - wall[0], 0.0), max(cpu[1] - cpu[0], 0.0)
    return {
        "prep": wall[0], "fit": wall[1], "predict": wall[2], "cpu per tree": cpu[1] / work.trees,
        "memory beyond the table": (most - table) / 2**30,
    }  # fmt: skip


def measure_work(name: str, report: Report) -> None:
    """Measure one work with every library in turn."""
    work = WORKS[name]
    best: dict[str, dict[str, float]] = {}
    for _ in range(1 if report.quick else 2):
        for one in LIBRARIES:
            if one in best and total(best[one]) > ENOUGH:
                continue
            found = ask_child(__file__, one, name)
            best[one] = {key: min(value, best.get(one, found)[key]) for key, value in found.items()}
    for record in (*records(work, best), *variant_records(work, 2 if report.quick else 3)):
        report.add(record)


def records(work: Work, best: dict[str, dict[str, float]]) -> Iterator[Record]:
    """Prep + fit beside every peer, the goal beside the fastest; then processor time, prediction and memory."""
    own, title = best["glasswood"], work.title
    peers = [one for one in LIBRARIES if one != "glasswood"]
    fastest = min(peers, key=lambda one: total(best[one]))
    for peer in peers:
        goal = Goal("share", work.goal) if peer == fastest else None
        note = f"{parts(own)} against {parts(best[peer])}"
        yield Record(f"{title}: prep + fit", total(own), peer, total(best[peer]), goal, THREADS, note=note)
    for key, unit, goal in (
        ("cpu per tree", "CPU-s", None if work.cpu_goal is None else Goal("at most", work.cpu_goal)),
        ("predict", "s", None),
        ("memory beyond the table", "GiB", None),
    ):
        least = min(peers, key=lambda one: best[one][key])
        yield Record(f"{title}: {key}", own[key], least, best[least][key], goal, THREADS, unit)


def variant_records(work: Work, rounds: int) -> Iterator[Record]:
    """Other gains compared with newton, without binning; they alternate in one process, under the same load."""
    X, y = data(work)
    kinds = [work, *(replace(work, **options) for options, _ in VARIANTS.values())]
    steps = [glasswood(kind, X, y, THREADS) for kind in kinds]
    fits: list[Callable[[], Any]] = [lambda fit=fit: fit(None) for _, fit, _ in steps]
    prepare, newton, *others = alternate([steps[0][0], *fits], rounds)
    for (one, (_, share)), other in zip(VARIANTS.items(), others, strict=True):
        title, goal = f"{work.title}: fit, {one}", Goal("share", share)
        yield Record(title, other - prepare, "our newton, exact", newton - prepare, goal, THREADS)


def total(found: dict[str, float]) -> float:
    return found["prep"] + found["fit"]


def parts(found: dict[str, float]) -> str:
    return f"{found['prep']:.2f} + {found['fit']:.2f} s"


def measure_binning(report: Report) -> None:
    """Binning alone, from float32."""
    work = WORKS["1M"]
    X, y = data(work)
    (best,) = alternate([glasswood(work, X, y, THREADS)[0]], 3)
    goal = Goal("at most", BINNING_GOAL)
    report.add(Record(f"bin {work.rows:,} × {work.columns} float32", best, goal=goal, threads=THREADS))


def unless_quick(measure_one: Callable[[Report], None]) -> Callable[[Report], None]:
    """Work that a quick run leaves out."""
    return lambda report: None if report.quick else measure_one(report)


if __name__ == "__main__":
    large = ("100k-all", "1M", "1M-deep", "1M-leaves")
    works = {"binning": measure_binning, "100k": lambda report: measure_work("100k", report)} | {
        name: unless_quick(lambda report, name=name: measure_work(name, report)) for name in large
    }
    run_command("boosting", __doc__, works, measure)
