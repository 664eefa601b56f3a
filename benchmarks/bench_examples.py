"""Examples against woodtapper 0.1.0, side by side in one run, and the memory of a large search.

woodtapper pins scikit-learn 1.6.1, so it gets a separate virtual environment under build/ and runs as a subprocess on
the same data, forest parameters and seed; calls alternate and the best of several counts. Both use one thread. The
first time is that of finding the 5 nearest rows of all queries; on both sides, the leaves of the training rows are
computed before. The second adds, on our side only, the index of the training rows from a model that has been read. The
time from the fitted model to the index, with the parity check, is recorded too. Run it on a quiet machine: ``python
benchmarks/bench_examples.py [--quick] [speed|memory]``.
"""

import tempfile
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import glasswood as gw
from command import ask_child, run_command
from memory import peak
from peers import PeerMissingError, PeerProcess, woodtapper_python
from record import Goal, Record, Report
from timing import seconds

N_TREES = 100


def generate(n: int, n_features: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Rows of a smooth function with an interaction and noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, n_features))
    return X, 2 * X[:, 0] + np.sin(3 * X[:, 1]) + X[:, 2] * X[:, 3] + rng.normal(scale=0.3, size=n)


def speed(report: Report) -> None:
    """1,000 queries × 10,000 rows × 100 trees grown to purity."""
    from sklearn.ensemble import RandomForestRegressor

    try:
        python = woodtapper_python()
    except PeerMissingError as error:
        print(error)
        return
    X, y = generate(10_000, 10, seed=0)
    queries, _ = generate(1_000, 10, seed=1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for array_name, array in (("X", X), ("y", y), ("queries", queries)):
            np.save(folder / f"{array_name}.npy", array)
        with PeerProcess("woodtapper", python, "woodtapper_examples.py", name, str(N_TREES)) as peer:
            forest = RandomForestRegressor(N_TREES, random_state=0, n_jobs=-1).fit(X, y)
            assert peer.answer() == "ready\n"
            start = time.perf_counter()
            index = gw.examples(forest, X, y)
            indexing = time.perf_counter() - start
            ensemble = gw.read(forest)
            theirs = ours = both = float("inf")
            for _ in range(3 if report.quick else 7):
                theirs = min(theirs, float(peer.ask()))
                ours = min(ours, seconds(lambda: index.nearest(queries, k=5)))
                both = min(both, seconds(lambda: gw.examples(ensemble, X, y).nearest(queries, k=5)))
        apart = np.abs(index.weights(queries[:20]).toarray() - np.load(folder / "weights.npy")).max()
    work = f"5 nearest of 1,000 queries × 10,000 rows × {N_TREES} trees"
    report.add(
        Record(work, ours, "woodtapper 0.1.0", theirs, Goal("factor", 25), note=f"weights differ by {apart:.0e}")
    )
    note = "from a model that is read already"
    report.add(Record(f"index and {work}", both, "woodtapper 0.1.0", theirs, Goal("factor", 25), note=note))
    report.add(Record(f"index of 10,000 rows × {N_TREES} trees, with parity check", indexing))


def memory(report: Report) -> None:
    """100,000 queries × 1,000,000 rows × 100 trees, in a separate process that only loads, indexes and queries."""
    if report.quick:
        return
    X, y = generate(100_000, 10, seed=0)
    forest = gw.ForestRegressor(
        N_TREES, splits="quantile", n_quantiles=200, max_features=3, min_samples_leaf=5, random_state=0, n_jobs=-1
    ).fit(X, y)
    leaves = forest.ensemble_.n_leaves // N_TREES
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "forest.gw"
        forest.ensemble_.save(path)
        del forest
        found = ask_child(__file__, str(path))
    work = f"100,000 queries × 1,000,000 rows × {N_TREES} trees of {leaves:,} leaves"
    report.add(Record(f"{work}: peak memory", found["peak"], unit="GB", goal=Goal("at most", 2.0), threads=2))
    report.add(Record(f"{work}: index", found["index"], threads=2))
    report.add(Record(f"{work}: 5 nearest", found["nearest"], threads=2))


def child(path: str) -> dict[str, float]:
    """What `memory` measures."""
    ensemble = gw.load(path)
    X, y = generate(1_000_000, 10, seed=2)
    queries, _ = generate(100_000, 10, seed=3)
    start = time.perf_counter()
    index = gw.examples(ensemble, X, y, n_jobs=2)
    indexed = time.perf_counter()
    found = index.nearest(queries, k=5)
    asked = time.perf_counter()
    assert found.row.shape == (100_000, 5) and (found.row >= 0).all()
    return {"index": indexed - start, "nearest": asked - indexed, "peak": peak() / 1e9}


if __name__ == "__main__":
    run_command("examples", __doc__, {"speed": speed, "memory": memory}, child)
