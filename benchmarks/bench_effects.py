"""Effects and interactions against their peers, side by side in one run.

LightGBM models of 31 leaves a tree on 20,000 generated rows. Reading the model is left out on both sides; what
glasswood derives from it (cells, paths) is made afresh in every call. One thread each. The best of several calls
counts. Times are CPU seconds of the process, so that a busy machine disturbs the ratios little; ``--wall`` takes
wall-clock time.

    python benchmarks/bench_effects.py [--wall] [row name ... | memory]
"""

import contextlib
import io
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import glasswood as gw

N_ROWS = 20_000
CLOCK = time.perf_counter if "--wall" in sys.argv else time.process_time
Call = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Row:
    """One piece of work: ours, the peer's, and by what factor we must win or in how many seconds be done."""

    name: str
    ours: Call
    peer: Call | None
    goal: float
    repeats: int = 15  # of ours; the peer runs once where it takes seconds


def best(call: Call, repeats: int) -> float:
    """Least time of several calls."""
    times = []
    for _ in range(repeats):
        start = CLOCK()
        call()
        times.append(CLOCK() - start)
    return min(times)


def data(n_features: int, n_rows: int = N_ROWS) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Rows with main effects and two interactions."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(n_rows, n_features))
    y = np.sin(2 * X[:, 0]) + 0.5 * X[:, 1] ** 2 + 0.8 * X[:, 2] + X[:, 0] * X[:, 2] + X[:, 3] * X[:, 4]
    return X, y + 0.3 * X[:, 5:].sum(axis=1) + 0.1 * rng.normal(size=n_rows)


def train(X: NDArray[np.float64], y: NDArray[np.float64], n_trees: int) -> Any:
    import lightgbm as lgb

    options = {"num_leaves": 31, "learning_rate": 0.1, "verbose": -1, "num_threads": 1, "seed": 0}
    return lgb.train(options, lgb.Dataset(X, y), n_trees)


def afresh(ensemble: gw.Ensemble, call: Call) -> Call:
    """The call on a model from which nothing has been derived yet."""

    def run() -> Any:
        ensemble._native.pop("grid", None)
        return call()

    return run


def arrays(ix: Any) -> list[tuple[NDArray[np.float64], ...]]:
    """What the peer computes, as arrays."""
    return [(table.value, table.weight, table.effect) for table in ix.values()]


def treemind_call(model: Any, degree: int) -> Call:
    from treemind import Explainer

    explainer = Explainer(model)

    def run() -> Any:
        with contextlib.redirect_stderr(io.StringIO()):  # it draws a bar
            return explainer.explain(degree)

    return run


def published_rows() -> list[Row]:
    """Tables without data, 20 features."""
    X, y = data(20)
    many, few = train(X, y, 1000), train(X, y, 300)
    e_many, e_few = gw.read(many), gw.read(few)
    pairs_of_peer = treemind_call(few, 2)

    def pairs(method: str) -> Call:
        return afresh(e_few, lambda: arrays(gw.interactions(e_few, method=method)))

    def effects() -> Any:
        return gw.effects(e_many, method="treemind")

    return [
        Row("treemind 1-D 1000 trees", afresh(e_many, effects), treemind_call(many, 1), 60),
        Row("treemind 190 pairs 300 trees", pairs("treemind"), pairs_of_peer, 500),
        Row("path 190 pairs 300 trees", pairs("path"), pairs_of_peer, 1000),
    ]


def sklearn_call(model: Any, X: NDArray[np.float64]) -> Call:
    """Brute force for one feature at 20 points, as scikit-learn does it."""
    from sklearn.base import BaseEstimator, RegressorMixin
    from sklearn.inspection import partial_dependence

    class Regressor(RegressorMixin, BaseEstimator):
        def __sklearn_is_fitted__(self) -> bool:
            return True

        def fit(self, X: Any, y: Any) -> "Regressor":
            return self

        def predict(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
            return np.asarray(model.predict(rows, num_threads=1))

    return lambda: partial_dependence(Regressor(), X, [0], grid_resolution=20, method="brute", kind="average")


def woodelf_call(model: Any, X: NDArray[np.float64]) -> Call:
    import pandas as pd
    from woodelf.pdp import woodelf_pdp

    frame = pd.DataFrame(X, columns=model.feature_name())
    return lambda: woodelf_pdp(model, frame, full_pdp=True, verbose=False)


def exact_rows() -> list[Row]:
    """Tables over 20,000 rows, 12 features."""
    X, y = data(12)
    model = train(X, y, 300)
    e = gw.read(model)
    weight = np.random.default_rng(0).random(len(X)) + 0.5
    one = afresh(e, lambda: gw.effects(e, X))
    rows = [
        Row("1-D interventional / sklearn (1 feature, 20 points)", one, sklearn_call(model, X), 100),
        Row("66 pairs interventional + H²", afresh(e, lambda: arrays(gw.interactions(e, X))), None, 0.1),
        Row("66 pairs, weighted", afresh(e, lambda: arrays(gw.interactions(e, X, sample_weight=weight))), None, 0.3),
    ]
    try:
        rows.insert(1, Row("1-D interventional / woodelf", one, woodelf_call(model, X), 50))
    except ImportError as error:
        print(f"woodelf cannot be run: {error}")
    ix = gw.interactions(e, X)
    rows.append(Row("purification and ranking of the 66 pairs", lambda: purify(ix), None, np.inf, repeats=2))
    return rows


def purify(ix: Any) -> Any:
    for table in ix.values():
        table._derived.pop("interaction", None)
    return ix.ranking()


def large_rows() -> list[Row]:
    """A million rows on two threads."""
    X, y = data(12, 1_000_000)
    e = gw.read(train(X[:N_ROWS], y[:N_ROWS], 300))
    call = afresh(e, lambda: arrays(gw.interactions(e, X, n_jobs=2)))
    return [Row("66 pairs + H², 1M rows, 2 threads (wall)", call, None, 2.0, repeats=2)]


def wide_data() -> NDArray[np.float64]:
    return np.random.default_rng(3).normal(size=(N_ROWS, 100))


def measure_memory() -> None:
    """Four pairs of a model with 1,000 trees, 100 features and about 500 thresholds each: time and memory.

    The model is explained in a process of its own, whose largest size counts.
    """
    import subprocess
    import tempfile
    from pathlib import Path

    import lightgbm as lgb

    X = wide_data()
    y = X[:, 0] * X[:, 1] + np.sin(X).sum(axis=1) + np.random.default_rng(4).normal(size=N_ROWS)
    options = {"num_leaves": 127, "max_bin": 600, "min_data_in_leaf": 3, "verbose": -1, "num_threads": 1, "seed": 0}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "wide.txt"
        lgb.train(options, lgb.Dataset(X[:6000], y[:6000]), 1000).save_model(path)
        command = [sys.executable, __file__, "--explain-wide", str(path)]
        print(subprocess.run(command, check=True, capture_output=True, text=True).stdout, end="", flush=True)


def explain_wide(path: str) -> None:
    """What the process of `measure_memory` does."""
    import resource

    from glasswood.explain._grid import make_grid

    def size() -> float:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3

    e, X = gw.read(path), wide_data()
    n_cells = make_grid(e).size.mean()
    before, start = size(), CLOCK()
    arrays(gw.interactions(e, X, pairs=[(0, 1), (2, 3), (4, 5), (98, 99)]))
    what = f"4 pairs + H², 1,000 trees, 100 features of {n_cells:.0f} cells"
    print(f"{what:52} {CLOCK() - start:9.4f} s, peak {size():,.0f} MB, {size() - before:,.0f} MB more than before")


def main(wanted: list[str]) -> None:
    """Run the rows whose names contain one of the wanted words, or all."""
    print(f"{'work':52} {'ours s':>9} {'peer s':>9} {'ratio':>8} {'goal':>8}")
    peers: dict[Call, float] = {}
    for make in (published_rows, exact_rows, large_rows):
        for row in make():
            if wanted and not any(word in row.name for word in wanted):
                continue
            if row.peer is not None and row.peer not in peers:
                first = best(row.peer, 1)
                peers[row.peer] = first if first > 2 else min(first, best(row.peer, 4))
            global CLOCK
            before, CLOCK = CLOCK, time.perf_counter if "(wall)" in row.name else CLOCK
            ours = best(row.ours, row.repeats)
            CLOCK = before
            report(row, ours, peers.get(row.peer) if row.peer else None)
    if not wanted or "memory" in wanted:
        measure_memory()


def report(row: Row, ours: float, peer: float | None) -> None:
    if peer is None:
        met = "met" if ours <= row.goal else "MISSED"
        goal = "" if np.isinf(row.goal) else f"< {row.goal:g} s {met}"
        print(f"{row.name:52} {ours:9.4f} {'':9} {'':8} {goal}", flush=True)
    else:
        ratio = peer / ours
        met = "met" if ratio >= row.goal else "MISSED"
        print(f"{row.name:52} {ours:9.4f} {peer:9.3f} {ratio:7.0f}x >= {row.goal:g}x {met}", flush=True)


if __name__ == "__main__" and "--explain-wide" in sys.argv:
    explain_wide(sys.argv[-1])
elif __name__ == "__main__":
    main([word for word in sys.argv[1:] if not word.startswith("--")])
