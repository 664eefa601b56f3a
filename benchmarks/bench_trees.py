"""Growing trees and forests against scikit-learn, side by side in one run.

Exact trees and forests on 100 000 × 30 float32 rows, quantile forests of depth 2 on 10 000 × 20 and 300 000 × 200.
Calls alternate; the best of several counts. Run it on a quiet machine:
``python benchmarks/bench_trees.py [--trees N] [row ...]`` (`--trees` shortens the exact forests, on both sides).
"""

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import glasswood as gw


@dataclass(frozen=True, slots=True)
class Work:
    """One fit, the peer's and ours; the goal is a ratio where there is a peer, else seconds."""

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


def exact(n_trees: int) -> Iterator[Work]:
    """Trees and forests on every threshold."""
    X, y = table(100_000, 30)
    label = (y > 0).astype(int)
    for depth in (12, None):
        for threads in (1, 2):
            shown = f"depth {depth}"
            own: dict[str, Any] = {"max_depth": depth, "random_state": 0, "n_jobs": threads}
            peer: dict[str, Any] = {"max_depth": depth, "random_state": 0}
            # scikit-learn's single trees know one thread only.
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
                lambda peer=peer, n=threads: RandomForestRegressor(n_trees, max_features=1 / 3, n_jobs=n, **peer).fit(
                    X, y
                ),
                0.7,
                1,
            )


def quantile() -> Iterator[Work]:
    """Forests for rules: depth 2, ten quantiles, 1000 trees."""
    small, y = table(10_000, 20)
    label = (y > 0).astype(int)
    wide, z = table(300_000, 200)
    classes = (z > 0).astype(int)
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
    for n_trees, goal in ((1, np.nan), (1000, 10.0)):
        yield Work(
            f"quantile {n_trees} 300k × 200",
            2,
            lambda n=n_trees: gw.ForestClassifier(n, max_features=14, n_jobs=2, **own).fit(wide, classes),
            None,
            goal,
            2,
        )


def seconds(call: Callable[[], Any]) -> float:
    """Wall-clock time of one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def run(work: Work) -> None:
    """Time one row and print it."""
    ours, theirs = np.inf, np.inf
    for _ in range(work.rounds):
        ours = min(ours, seconds(work.ours))
        if work.peer is not None:
            theirs = min(theirs, seconds(work.peer))
    shown = ours / theirs if work.peer is not None else ours
    unit = "of scikit-learn" if work.peer is not None else "s"
    verdict = "" if np.isnan(work.goal) else f"   goal {work.goal:g}   {'met' if shown <= work.goal else 'MISSED'}"
    both = f"{ours:8.3f} s" + (f"   scikit-learn {theirs:8.3f} s" if work.peer is not None else " " * 24)
    print(
        f"{work.name:32} {work.threads} thread{'s' * (work.threads > 1):1}  {both}   {shown:6.3f} {unit}{verdict}",
        flush=True,
    )


def main() -> None:
    """Run the rows whose names contain one of the given words, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("rows", nargs="*")
    given = parser.parse_args()
    for rows in (exact(given.trees), quantile()):
        for work in rows:
            if not given.rows or any(word in work.name for word in given.rows):
                run(work)


if __name__ == "__main__":
    main()
