"""Boosting, prediction and explanation on a GPU against the CPU of the same machine, with equal bits.

Boosting: both use quantised statistics and 6 levels. The GPU grows 200 rounds, the CPU a few with all its threads; the
time per round is that of the rounds after the first. The trees of the few rounds must have the same bits on both. Rows:
10 million through 300 trees, which lie on the device; pairs and attributions of the CPU are measured on a million of
them. Needs an NVIDIA GPU and CuPy:

    python benchmarks/bench_gpu.py [--quick]

``--quick`` leaves out 10 million rows.
"""

import hashlib
import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import glasswood as gw
from command import run_command
from glasswood import gpu
from glasswood.ensemble import AlignedRows, FeatureSchema
from glasswood.gpu import find_edges, start_device_rounds
from glasswood.gpu._device_matrix import DeviceMatrix
from glasswood.train.boosting import Boosted, BoostingOptions, BoostingTable, boost
from glasswood.train.boosting._rounds import start_rounds
from glasswood.train.boosting._tree_source import LocalTrees
from record import Goal, Record, Report

THREADS = os.cpu_count() or 1
N_FEATURES = 100
ROUNDS = 200
ARRAYS = ("feature", "threshold", "left", "right", "missing_left", "value", "weight", "gain")


@dataclass(frozen=True, slots=True)
class Work:
    """A fit, the rounds of the CPU, and the goal in seconds for all rounds on the GPU."""

    rows: int
    options: dict[str, Any]
    cpu_rounds: int
    goal: float | None = None

    @property
    def title(self) -> str:
        """The work in words."""
        given = ", ".join(str(value) for value in self.options.values())
        return f"boost {self.rows:,} × {N_FEATURES}, 6 levels, {given}"


# with the goals of the design for all rounds
WORKS = (
    Work(100_000, {"bins": 255}, 40, 0.1),
    Work(1_000_000, {"bins": 255}, 20, 0.15),
    Work(1_000_000, {"bins": 255, "gain": "cred_std"}, 20),
    Work(1_000_000, {"bins": 255, "loss": "logistic"}, 20),
    Work(10_000_000, {"bins": 64}, 5, 0.5),
    Work(10_000_000, {"bins": 255}, 5, 0.6),
    Work(10_000_000, {"bins": 64, "gain": "cred_std"}, 5, 0.6),
    Work(10_000_000, {"bins": 255, "gain": "cred_std"}, 5, 0.7),
    Work(10_000_000, {"bins": 255, "loss": "logistic"}, 5, 1.0),
)


@lru_cache(maxsize=1)
def table(n: int) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Normal features, of which four matter."""
    X = np.empty((n, N_FEATURES), dtype=np.float32)

    def fill(part: int) -> None:
        first, last = n * part // 16, n * (part + 1) // 16
        X[first:last] = np.random.default_rng(part).standard_normal((last - first, N_FEATURES), dtype=np.float32)

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(fill, range(16)))
    noise = np.random.default_rng(99).normal(size=n)
    return X, (X[:, 0] + X[:, 1] * X[:, 2] + np.abs(X[:, 3])).astype(np.float64) + noise


class Clock:
    """Rounds that note when the second one begins, when compiling and first allocations are over."""

    def __init__(self, rounds: Any) -> None:
        self._rounds, self.begun, self._count = rounds, 0.0, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rounds, name)

    def grow(self, number: int) -> Any:
        """Grow a round; the session has read the loss of the one before, so the device has nothing left to do."""
        self._count += 1
        if self._count == 2:
            self.begun = time.perf_counter()
        return self._rounds.grow(number)


def fit(work: Work, X: Any, y: Any, rounds: int, make_rounds: Any) -> tuple[Boosted, float, float]:
    """The model, seconds of the whole fit, and seconds per round after the first."""
    given = {name: value for name, value in work.options.items() if name != "bins"}
    options = BoostingOptions(
        n_estimators=rounds, max_depth=6, colsample=1.0, statistics="quantised", max_bins=work.options["bins"], **given
    )
    target = (y > 0).astype(np.float64) if given.get("loss") == "logistic" else y
    train = BoostingTable(name="train", rows=AlignedRows(len(y), X), y=target)
    features = FeatureSchema.numeric(FeatureSchema.positions(N_FEATURES))
    clocks: list[Clock] = []

    def watched(plan: Any, done: int) -> Any:
        clocks.append(Clock(make_rounds(plan, done)))
        return clocks[0]

    begun = time.perf_counter()
    model = boost(
        train, features, options, outputs=("y",), make_rounds=watched, find_edges=find_edges, n_threads=THREADS
    )
    ended = time.perf_counter()
    return model, ended - begun, (ended - clocks[0].begun) / (rounds - 1)


def hash_of(model: Boosted) -> str:
    """Hash of the trees and their history."""
    parts = [np.ascontiguousarray(getattr(model.ensemble, name)).tobytes() for name in ARRAYS]
    return hashlib.sha256(b"".join([*parts, model.history.values.tobytes()])).hexdigest()[:16]


def measure(work: Work, report: Report) -> None:
    """Fit on both, compare the trees, and note the times."""
    import cupy

    if report.quick and work.rows > 1_000_000:
        return
    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    X, y = table(work.rows)
    on_cpu, _, cpu_round = fit(work, X, y, work.cpu_rounds, lambda plan, done: start_rounds(plan, LocalTrees))
    on_gpu, _, _ = fit(work, X, y, work.cpu_rounds, start_device_rounds)  # also compiles
    hashes = hash_of(on_cpu), hash_of(on_gpu)
    assert hashes[0] == hashes[1], f"{work.title}: {hashes}"
    _, whole, gpu_round = fit(work, X, y, ROUNDS, start_device_rounds)
    note = f"{name}; trees of {work.cpu_rounds} rounds have the hash {hashes[0]} on both"
    goal = None if work.goal is None else Goal("at most", work.goal / ROUNDS)
    report.add(Record(f"{work.title}, per round", gpu_round, "CPU", cpu_round, goal, THREADS, note=note))
    largest = work.rows == 10_000_000 and work.options == {"bins": 255}
    bound = Goal("at most", 1.0) if largest else None
    title = f"{work.title}, {ROUNDS} rounds"
    report.add(Record(f"{title} from a NumPy array", whole, goal=bound, threads=THREADS, note=name))
    if largest or work.rows == 1_000_000:
        rows = DeviceMatrix(cupy.asarray(X))
        from_device, _, _ = fit(work, rows, y, work.cpu_rounds, start_device_rounds)
        assert hash_of(from_device) == hashes[0], work.title
        _, whole, _ = fit(work, rows, y, ROUNDS, start_device_rounds)
        report.add(Record(f"{title} from a CuPy array", whole, threads=THREADS, note=name))


@lru_cache(maxsize=1)
def rows_and_model(n: int) -> tuple[Any, Any, Any, Any]:
    """Rows on the host and on the device, and 300 trees: of 31 leaves, and of 5 levels with 64 bins."""
    import cupy

    X = np.ascontiguousarray(table(n)[0][:, :30])
    y = X[:, 0] * X[:, 1] + np.abs(X[:, 2]) + X[:, 3:].sum(axis=1) / 9
    part = slice(0, min(n, 1_000_000))
    given = {"n_estimators": 300, "statistics": "quantised", "device": "cuda", "colsample": 1.0}
    leaves = gw.BoostingRegressor(max_leaf_nodes=31, max_depth=10, **given).fit(X[part], y[part])
    levels = gw.BoostingRegressor(max_depth=5, max_bins=64, **given).fit(X[part], y[part])
    return X, cupy.asarray(X), leaves, levels


def seconds(work: Any, repeats: int) -> tuple[Any, float]:
    """Result and median time; work on the device is waited for."""
    import cupy

    times = []
    for _ in range(repeats):
        cupy.cuda.Device().synchronize()
        begun = time.perf_counter()
        found = work()
        cupy.cuda.Device().synchronize()
        times.append(time.perf_counter() - begun)
    return found, sorted(times)[len(times) // 2]


def measure_rows(report: Report) -> None:
    """Prediction and explanations of rows that lie on the device."""
    import cupy

    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    n = 1_000_000 if report.quick else 10_000_000
    X, on_device, leaves, levels = rows_and_model(n)
    few = slice(0, 1_000_000)
    of = f"{n:,} × 30, 300 trees"
    seconds(lambda: gpu.predict_raw(leaves, on_device), 2)  # compiles
    raw, ours = seconds(lambda: gpu.predict_raw(leaves, on_device), 5)
    expected, theirs = seconds(lambda: leaves.ensemble_.predict_raw(X, n_jobs=THREADS), 2)
    assert np.array_equal(raw.get(), expected)
    goal = Goal("at most", 0.02)
    report.add(Record(f"predict {of} of 31 leaves", ours, "CPU", theirs, goal, THREADS, note=f"{name}; equal bits"))
    gpu.effects(levels, on_device[few])
    found, ours = seconds(lambda: gpu.effects(levels, on_device, n_jobs=THREADS), 3)
    known, theirs = seconds(lambda: gw.effects(levels, X, n_jobs=THREADS), 1)
    for a, b in zip(found.features, known.features, strict=True):
        assert np.array_equal(a.effect, b.effect)
    report.add(Record(f"effects of {of} of 5 levels", ours, "CPU", theirs, None, THREADS, note=f"{name}; equal bits"))
    gpu.interactions(levels, on_device[few], n_jobs=THREADS)
    pairs, ours = seconds(lambda: gpu.interactions(levels, on_device, n_jobs=THREADS), 3)
    known_pairs, theirs = seconds(lambda: gw.interactions(levels, X, n_jobs=THREADS), 1)
    for a, b in zip(pairs.tables, known_pairs.tables, strict=True):
        assert np.array_equal(a.value, b.value) and np.array_equal(a.h2, b.h2)
    report.add(Record(f"435 pairs of {of} of 5 levels", ours, "CPU", theirs, None, THREADS, note=f"{name}; equal bits"))
    gpu.attributions(levels, on_device[few], n_jobs=THREADS)
    values, ours = seconds(lambda: gpu.attributions(levels, on_device, n_jobs=THREADS).values, 3)
    attributed, theirs = seconds(lambda: gw.attributions(levels, X, n_jobs=THREADS), 1)
    assert np.array_equal(values.get(), attributed.values)
    note = f"{name}; equal bits"
    report.add(Record(f"attributions of {of} of 5 levels", ours, "CPU", theirs, None, THREADS, note=note))


if __name__ == "__main__":
    run_command("gpu", __doc__, {work.title: partial(measure, work) for work in WORKS} | {"rows": measure_rows})
