"""Effects and interactions against their peers, side by side in one run.

LightGBM models of 31 leaves a tree on 20,000 generated rows. The time to read the model is left out on both sides;
glasswood's cells and paths are computed again in every call. One thread each unless stated. The best of several calls
counts; a peer that takes seconds runs once.

    python benchmarks/bench_effects.py [--quick] [published|exact|large|memory ...]
"""

import contextlib
import io
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import glasswood as gw
from command import ask_child, run_command
from memory import forget_peak, peak
from record import Goal, Record, Report
from timing import Call, alternate, seconds

N_ROWS = 20_000


@dataclass(frozen=True, slots=True)
class Row:
    """One benchmark: glasswood's call, the peer's call, and the goal as a factor or in seconds."""

    name: str
    ours: Call
    goal: float | None
    peer: str | None = None
    theirs: Call | None = None
    repeats: int = 15  # of ours
    threads: int = 1


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
    """The call on a model without cached results."""

    def run() -> Any:
        ensemble._derived.pop("grid", None)
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


PEER = "treemind 0.2.0"


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
        Row(
            "all effects by treemind's formula, 1,000 trees", afresh(e_many, effects), 60, PEER, treemind_call(many, 1)
        ),
        Row("190 pairs by treemind's formula, 300 trees", pairs("treemind"), 500, PEER, pairs_of_peer),
        Row("190 pairs by path, 300 trees", pairs("path"), 1000, PEER, pairs_of_peer),
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
    sklearn = sklearn_call(model, X)
    pairs = afresh(e, lambda: arrays(gw.interactions(e, X)))
    weighted = afresh(e, lambda: arrays(gw.interactions(e, X, sample_weight=weight)))
    rows = [
        Row("12 effects, exact at every threshold", one, 100, "scikit-learn, 1 feature at 20 points", sklearn),
        Row("66 pairs, exact, and H²", pairs, 0.1),
        Row("66 pairs, weighted", weighted, 0.3),
    ]
    try:
        rows.insert(1, Row("12 effects, exact at every threshold", one, 50, "woodelf", woodelf_call(model, X)))
    except ImportError as error:
        print(f"woodelf cannot be run: {error}")
    ix = gw.interactions(e, X)
    rows.append(Row("purification and ranking of the 66 pairs", lambda: purify(ix), None, repeats=2))
    return rows


def purify(ix: Any) -> Any:
    for table in ix.values():
        table._interaction._kept.clear()
    return ix.ranking().to_frame()


def large_rows() -> list[Row]:
    """A million rows on two threads."""
    X, y = data(12, 1_000_000)
    e = gw.read(train(X[:N_ROWS], y[:N_ROWS], 300))
    call = afresh(e, lambda: arrays(gw.interactions(e, X, n_jobs=2)))
    return [Row("66 pairs, exact, and H², 1,000,000 rows", call, 2.0, repeats=2, threads=2)]


def wide_data() -> NDArray[np.float64]:
    return np.random.default_rng(3).normal(size=(N_ROWS, 100))


def memory(report: Report) -> None:
    """Four pairs of a model with 1,000 trees, 100 features and about 500 thresholds each: time and memory.

    The model is explained in a separate process, whose peak memory is measured.
    """
    import lightgbm as lgb

    if report.quick:
        return
    X = wide_data()
    y = X[:, 0] * X[:, 1] + np.sin(X).sum(axis=1) + np.random.default_rng(4).normal(size=N_ROWS)
    options = {"num_leaves": 127, "max_bin": 600, "min_data_in_leaf": 3, "verbose": -1, "num_threads": 2, "seed": 0}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "wide.txt"
        lgb.train(options, lgb.Dataset(X[:6000], y[:6000]), 1000).save_model(path)
        found = ask_child(__file__, str(path))
    work = f"4 pairs, exact, and H², 1,000 trees, 100 features of {found['cells']:.0f} cells"
    report.add(Record(work, found["seconds"]))
    report.add(Record(f"{work}: memory beyond model and table", found["more"], unit="MB"))


def explain_wide(path: str) -> dict[str, float]:
    """The work that `memory` measures."""
    from glasswood.explain.effects._cell_grid import make_grid

    e, X = gw.read(path), wide_data()
    n_cells = float(make_grid(e).size.mean())
    before = forget_peak()
    taken = seconds(lambda: arrays(gw.interactions(e, X, pairs=[(0, 1), (2, 3), (4, 5), (98, 99)])))
    return {"cells": n_cells, "seconds": taken, "more": (peak() - before) / 1e6}


def measure(make: Callable[[], list[Row]]) -> Callable[[Report], None]:
    """Time the rows of a family; a peer that several rows share runs once."""

    def run(report: Report) -> None:
        peers: dict[Call, float] = {}
        for row in make():
            if row.theirs is not None and row.theirs not in peers:
                first = seconds(row.theirs)
                peers[row.theirs] = first if first > 2 else min(first, *alternate([row.theirs], 4))
            (ours,) = alternate([row.ours], min(row.repeats, 5) if report.quick else row.repeats)
            theirs = None if row.theirs is None else peers[row.theirs]
            goal = None if row.goal is None else Goal("factor" if row.theirs else "at most", row.goal)
            report.add(Record(row.name, ours, row.peer, theirs, goal, row.threads))

    return run


if __name__ == "__main__":
    families = {"published": published_rows, "exact": exact_rows, "large": large_rows}
    works = {name: measure(make) for name, make in families.items()} | {"memory": memory}
    run_command("effects", __doc__, works, explain_wide)
