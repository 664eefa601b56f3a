"""Examples against woodtapper 0.1.0, side by side in one run, and the memory of a large search.

woodtapper pins scikit-learn 1.6.1, so it gets a virtual environment of its own under build/ and runs as a subprocess on
the same data, forest parameters and seed; calls alternate and the best of several counts. Both use one thread. The time
is that of finding the 5 nearest rows of all queries, with the leaves of the training rows known beforehand on both
sides; what it takes to index them is printed too. Run it on a quiet machine:
``python benchmarks/bench_examples.py [speed|memory]``.
"""

import resource
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import glasswood as gw

ROOT = Path(__file__).parent.parent
PEER = ROOT / "build" / "woodtapper"
N_TREES = 100
SPEED_GOAL = 25.0
MEMORY_GOAL = 2.0  # GB


def generate(n: int, n_features: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Rows of a smooth function with an interaction and noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, n_features))
    return X, 2 * X[:, 0] + np.sin(3 * X[:, 1]) + X[:, 2] * X[:, 3] + rng.normal(scale=0.3, size=n)


def peer_python() -> Path:
    """Python of the peer's environment, made on the first run."""
    python = PEER / "bin" / "python"
    if not (PEER / "ready").exists():
        venv.create(PEER, with_pip=True, clear=True)
        # pandas: woodtapper imports it without asking for it
        subprocess.run([python, "-m", "pip", "install", "-q", "woodtapper==0.1.0", "pandas"], check=True)
        (PEER / "ready").touch()
    return python


def speed(folder: Path) -> bool:
    """1,000 queries × 10,000 rows × 100 trees grown to the end."""
    from sklearn.ensemble import RandomForestRegressor

    X, y = generate(10_000, 10, seed=0)
    queries, _ = generate(1_000, 10, seed=1)
    for name, array in (("X", X), ("y", y), ("queries", queries)):
        np.save(folder / f"{name}.npy", array)
    command = [peer_python(), Path(__file__).with_name("woodtapper_examples.py"), folder, str(N_TREES)]
    peer = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert peer.stdin is not None and peer.stdout is not None
    forest = RandomForestRegressor(N_TREES, random_state=0, n_jobs=-1).fit(X, y)
    assert peer.stdout.readline() == "ready\n"
    start = time.perf_counter()
    index = gw.examples(forest, X, y)
    indexing = time.perf_counter() - start
    theirs = ours = float("inf")
    for _ in range(7):
        peer.stdin.write("\n")
        peer.stdin.flush()
        theirs = min(theirs, float(peer.stdout.readline()))
        start = time.perf_counter()
        index.nearest(queries, k=5)
        ours = min(ours, time.perf_counter() - start)
    peer.stdin.close()
    peer.wait()
    apart = np.abs(index.weights(queries[:20]).toarray() - np.load(folder / "weights.npy")).max()
    met = theirs / ours >= SPEED_GOAL
    print(f"1,000 queries × 10,000 rows × {N_TREES} trees, k = 5, 1 thread each; best of 7")
    print(f"  woodtapper 0.1.0  {theirs * 1e3:9.1f} ms")
    print(f"  glasswood         {ours * 1e3:9.1f} ms   (index, once, with parity check: {indexing * 1e3:.0f} ms)")
    print(f"  ratio {theirs / ours:.0f}×, goal {SPEED_GOAL:.0f}×: {'yes' if met else 'NO'}")
    print(f"  largest difference of the weights of 20 queries: {apart:.1e}")
    return bool(met)


def memory(folder: Path) -> bool:
    """100,000 queries × 1,000,000 rows × 100 trees, in a process of its own that only loads, indexes and asks."""
    X, y = generate(100_000, 10, seed=0)
    forest = gw.ForestRegressor(
        N_TREES, splits="quantile", n_quantiles=200, max_features=3, min_samples_leaf=5, random_state=0, n_jobs=-1
    ).fit(X, y)
    forest.ensemble_.save(folder / "forest.gw")
    print(
        f"100,000 queries × 1,000,000 rows × {N_TREES} trees of {forest.ensemble_.n_leaves // N_TREES:,} leaves, k = 5"
    )
    del forest
    return subprocess.run([sys.executable, __file__, "child", folder], check=False).returncode == 0


def child(folder: Path) -> bool:
    """What `memory` measures."""
    ensemble = gw.load(folder / "forest.gw")
    X, y = generate(1_000_000, 10, seed=2)
    queries, _ = generate(100_000, 10, seed=3)
    start = time.perf_counter()
    index = gw.examples(ensemble, X, y, n_jobs=2)
    indexed = time.perf_counter()
    found = index.nearest(queries, k=5)
    asked = time.perf_counter()
    assert found.row.shape == (100_000, 5) and (found.row >= 0).all()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    met = peak <= MEMORY_GOAL
    print(f"  2 threads: index {indexed - start:.1f} s, nearest {asked - indexed:.1f} s")
    print(f"  peak resident memory {peak:.2f} GB, goal {MEMORY_GOAL:.0f} GB: {'yes' if met else 'NO'}")
    return met


def main(arguments: list[str]) -> int:
    """Run both parts, or the one named."""
    if arguments[:1] == ["child"]:
        return 0 if child(Path(arguments[1])) else 1
    parts = [part for part in (speed, memory) if not arguments or part.__name__ in arguments]
    with tempfile.TemporaryDirectory() as folder:
        met = [part(Path(folder)) for part in parts]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
