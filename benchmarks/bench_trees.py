"""Growing trees and forests against scikit-learn, side by side in one run.

Exact trees and forests on 100 000 × 30 float32 rows, quantile forests of depth 2 on 10 000 × 20 and 300 000 × 200.
Calls alternate; the best of several counts. Run it on a quiet machine:
``python benchmarks/bench_trees.py [--quick] [family ...]`` (quick: forests of 10 and 3 trees, on both sides).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import glasswood as gw
from command import run_command
from record import Goal, Record, Report
from timing import alternate


@dataclass(frozen=True, slots=True)
class Work:
    """One fit, the peer's and glasswood's; the goal is a ratio if there is a peer, else seconds."""

    name: str
    threads: int
    ours: Callable[[], Any]
    peer: Callable[[], Any] | None
    goal: float
    rounds: int


def table(n_rows: int, n_features: int) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Rows with a few useful features, an interaction and as much noise as signal."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_features)).astype(np.float32)
    signal = X[:, 0] + X[:, 1] * X[:, 2] + np.sin(3 * X[:, 3])
    return X, (signal + rng.normal(size=n_rows)).astype(np.float64)


def exact(depth: int | None, n_trees: int) -> Iterator[Work]:
    """Trees and forests on every threshold."""
    X, y = table(100_000, 30)
    label = (y > 0).astype(int)
    for threads in (1, 2):
        shown = f"depth {depth}"
        own: dict[str, Any] = {"max_depth": depth, "random_state": 0, "n_jobs": threads}
        peer: dict[str, Any] = {"max_depth": depth, "random_state": 0}
        # scikit-learn's single trees use only one thread.
        yield Work(
            f"TreeRegressor {shown}",
            threads,
            lambda own=own: gw.TreeRegressor(**own).fit(X, y),
            lambda peer=peer: DecisionTreeRegressor(**peer).fit(X, y),
            0.7,
            3,
        )
        yield Work(
            f"TreeClassifier {shown}",
            threads,
            lambda own=own: gw.TreeClassifier(**own).fit(X, label),
            lambda peer=peer: DecisionTreeClassifier(**peer).fit(X, label),
            0.7,
            3,
        )
        yield Work(
            f"ForestClassifier {n_trees} {shown}",
            threads,
            lambda own=own: gw.ForestClassifier(n_trees, **own).fit(X, label),
            lambda peer=peer, n=threads: RandomForestClassifier(n_trees, n_jobs=n, **peer).fit(X, label),
            0.7,
            1,
        )
        yield Work(
            f"ForestRegressor {n_trees} {shown}",
            threads,
            lambda own=own: gw.ForestRegressor(n_trees, max_features=1 / 3, **own).fit(X, y),
            lambda peer=peer, n=threads: RandomForestRegressor(n_trees, max_features=1 / 3, n_jobs=n, **peer).fit(X, y),
            0.7,
            1,
        )


def quantile(report: Report) -> Iterator[Work]:
    """Forests for rules: depth 2, ten quantiles, 1000 trees; quick leaves out the large table."""
    small, y = table(10_000, 20)
    label = (y > 0).astype(int)
    own: dict[str, Any] = {"splits": "quantile", "max_depth": 2, "random_state": 0}
    for n_trees, goal in ((1, np.nan), (1000, 0.15)):
        yield Work(
            f"quantile {n_trees} 10k × 20",
            1,
            lambda n=n_trees: gw.ForestClassifier(n, max_features=6, **own).fit(small, label),
            None,
            goal,
            7,
        )
    if report.quick:
        return
    wide, z = table(300_000, 200)
    classes = (z > 0).astype(int)
    for n_trees, goal in ((1, np.nan), (1000, 10.0)):
        yield Work(
            f"quantile {n_trees} 300k × 200",
            2,
            lambda n=n_trees: gw.ForestClassifier(n, max_features=14, n_jobs=2, **own).fit(wide, classes),
            None,
            goal,
            2,
        )


def measure(work: Work, report: Report) -> None:
    """Time one row."""
    calls = (work.ours,) if work.peer is None else (work.ours, work.peer)
    times = alternate(calls, work.rounds)
    peer, theirs = ("scikit-learn", times[1]) if work.peer is not None else (None, None)
    kind: Literal["at most", "share"] = "at most" if work.peer is None else "share"
    goal = None if np.isnan(work.goal) else Goal(kind, work.goal)
    report.add(Record(f"fit {work.name}", times[0], peer, theirs, goal, work.threads))


def all_of(works: Callable[[Report], Iterator[Work]]) -> Callable[[Report], None]:
    """Time every row of a family."""

    def run(report: Report) -> None:
        for work in works(report):
            measure(work, report)

    return run


FAMILIES = {
    "exact, depth 12": all_of(lambda report: exact(12, 10 if report.quick else 100)),
    "exact, any depth": all_of(lambda report: exact(None, 3 if report.quick else 100)),
    "quantile": all_of(quantile),
}

if __name__ == "__main__":
    run_command("trees", __doc__, FAMILIES)
