"""Compare the speed of this checkout with another checkout of glasswood: did a change cost time?

Build the other checkout first (`make build` there). The same fits, effects and predictions run in one process per
checkout; the processes alternate and the best call of each counts. The limit is 1.03. Run it on a quiet machine:

    python benchmarks/before_after.py OTHER_CHECKOUT [word ...]
"""

import inspect
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

MAX_CALLS = 300  # a process
SECONDS = 1.5  # a process, at least five calls
TURNS = 3
BAR = 1.03

Work = Callable[[], Callable[[], Any]]


def table(n_rows: int, n_columns: int) -> tuple[Any, Any]:
    """Rows with main effects and interactions."""
    rng = np.random.default_rng(0)
    X = rng.random((n_rows, n_columns), dtype=np.float32)
    return X, np.sin(6 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.5 * X[:, 3] ** 2 + rng.normal(0, 0.3, n_rows)


def fit(n_rows: int, n_columns: int, threads: int, target: str = "number", **options: Any) -> Work:
    """A fit of generated rows."""

    def make() -> Callable[[], Any]:
        import glasswood as gw

        if options.get("statistics") and "quantised" not in str(inspect.signature(gw.BoostingRegressor)):
            options["statistics"] = "integer"  # their name in 0.1.0
        X, y = table(n_rows, n_columns)
        kind = gw.BoostingClassifier if target == "class" else gw.BoostingRegressor
        y = {"number": y, "class": y > 1, "count": np.floor(np.exp(y))}[target]
        shared = {"n_estimators": 20, "random_state": 0, "n_jobs": threads, "colsample": 1.0, **options}
        if "symmetric" in inspect.signature(kind).parameters:
            shared["symmetric"] = False  # the default for few rows has changed
        return lambda: kind(**shared).fit(X, y)

    return make


def explain(verb: str, method: str) -> Work:
    """Effects or interactions of a LightGBM model, without any cached results."""

    def make() -> Callable[[], Any]:
        import lightgbm as lgb

        import glasswood as gw

        X, y = (np.asarray(part, dtype=float) for part in table(20_000, 10))
        options = {"num_leaves": 31, "verbose": -1, "num_threads": 1, "seed": 0}
        ensemble = gw.read(lgb.train(options, lgb.Dataset(X, y), 100))

        def run() -> Any:
            ensemble._derived.pop("grid", None)
            found = getattr(gw, verb)(ensemble, X, method=method, n_jobs=1)
            return list(found.tables) if verb == "interactions" else list(found.features)

        return run

    return make


def predict(threads: int, leaves: int) -> Work:
    """Predictions of 200 trees."""

    def make() -> Callable[[], Any]:
        import lightgbm as lgb

        import glasswood as gw

        X, y = (np.asarray(part, dtype=float) for part in table(50_000, 20))
        options = {"num_leaves": leaves, "verbose": -1, "num_threads": 1, "seed": 0}
        ensemble = gw.read(lgb.train(options, lgb.Dataset(X, y), 200))
        return lambda: ensemble.predict_raw(X, n_jobs=threads)

    return make


def forest(threads: int, target: str) -> Work:
    """A forest grown to purity."""

    def make() -> Callable[[], Any]:
        import glasswood as gw

        X, y = table(20_000, 10)
        kind = gw.ForestClassifier if target == "class" else gw.ForestRegressor
        y = y if target == "number" else np.digitize(y, [0, 1, 2])
        return lambda: kind(10, random_state=0, n_jobs=threads).fit(X, y)

    return make


WORKS: dict[str, Work] = {
    "fit 100k × 20": fit(100_000, 20, 1),
    "fit 100k × 20, 2 threads": fit(100_000, 20, 2),
    "fit 100k × 20, quantised": fit(100_000, 20, 1, statistics="quantised"),
    "fit 100k × 20, subsample": fit(100_000, 20, 1, subsample=0.5, colsample=0.5),
    "fit 100k × 20, cred_std": fit(100_000, 20, 1, gain="cred_std"),
    "fit 100k × 20, 31 leaves": fit(100_000, 20, 1, max_leaf_nodes=31, max_depth=None),
    "fit 100k × 20, logistic": fit(100_000, 20, 1, "class"),
    "fit 100k × 20, poisson": fit(100_000, 20, 1, "count", loss="poisson"),
    "fit 1k × 20": fit(1_000, 20, 1),
    "effects, observed": explain("effects", "observed"),
    "effects, interventional": explain("effects", "interventional"),
    "effects, path": explain("effects", "path"),
    "interactions, interventional": explain("interactions", "interventional"),
    "predict, 31 leaves": predict(1, 31),
    "predict, 31 leaves, 2 threads": predict(2, 31),
    "predict, 255 leaves": predict(1, 255),
    "forest of numbers": forest(1, "number"),
    "forest of classes": forest(1, "class"),
}


def measure(name: str) -> float:
    """Best seconds of a call, in this process."""
    run = WORKS[name]()
    for _ in range(3):
        run()  # the first calls are slower than all others
    times: list[float] = []
    while len(times) < 5 or (len(times) < MAX_CALLS and sum(times) < SECONDS):
        begun = time.perf_counter()
        run()
        times.append(time.perf_counter() - begun)
    return min(times)


def ask(checkout: Path, name: str) -> float:
    """The same, in a process of that checkout."""
    command = [str(checkout / ".venv/bin/python"), __file__, "--child", name]
    return float(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))


def lines(other: Path, words: list[str]) -> Iterator[str]:
    """A line per work: before, after, ratio."""
    here = Path(__file__).parent.parent
    for name in WORKS:
        if words and not any(word in name for word in words):
            continue
        before, after = [], []
        for _ in range(TURNS):
            before.append(ask(other, name))
            after.append(ask(here, name))
        ratio = min(after) / min(before)
        verdict = "yes" if ratio <= BAR else "NO"
        yield f"{name}: {1e3 * min(before):.1f} ms before, {1e3 * min(after):.1f} ms after, {ratio:.3f} {verdict}"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        print(json.dumps(measure(sys.argv[2])))
    else:
        for line in lines(Path(sys.argv[1]).resolve(), sys.argv[2:]):
            print(line, flush=True)
