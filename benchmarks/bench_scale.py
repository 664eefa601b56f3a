"""Boosting on a Dask cluster against `lightgbm.dask` and `xgboost.dask`, and against one process of glasswood.

All run on one cluster on this machine (two processes of one thread), in turns, on the same persisted partitions, with
the same trees. Wall time, processor seconds of all processes (workers, scheduler and client), and the largest memory of
a worker above what it held before. glasswood in one process has two threads. Run it on a quiet machine:

    python benchmarks/bench_scale.py [--quick] [work ...]

Works: 20 (rounds), 100 (rounds); ``--quick`` runs a tenth of the rows once.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import dask.array as da
import distributed
import numpy as np

import glasswood as gw
from command import ask_child, run_command
from glasswood.dask import DaskBoostingRegressor
from memory import forget_peak, peak
from record import Goal, Record, Report

N_WORKERS, N_FEATURES, N_PARTS, DEPTH, BINS = 2, 50, 16, 6, 255
TURNS = {20: 3, 100: 1}
NAMES = ("glasswood", "lightgbm.dask", "xgboost.dask")


@dataclass(frozen=True, slots=True)
class Cost:
    """What one fit cost."""

    wall: float
    cpu: float
    memory: float  # largest of a worker, above what it held before, in MB

    def least(self, other: "Cost") -> "Cost":
        """The smaller figure of each."""
        return Cost(min(self.wall, other.wall), min(self.cpu, other.cpu), min(self.memory, other.memory))


def part(n_rows: int, block_info: Any = None) -> Any:
    """Features and target of one partition, side by side."""
    rng = np.random.default_rng(block_info[None]["chunk-location"][0])
    X = rng.random((n_rows, N_FEATURES))
    y = np.sin(6 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.5 * X[:, 3] ** 2 + rng.normal(0, 0.3, n_rows)
    return np.column_stack([X, y])


def table(n_rows: int) -> tuple[Any, Any]:
    """The collection; its partitions are made on the workers."""
    chunks = ((n_rows // N_PARTS,) * N_PARTS, (N_FEATURES + 1,))
    both = da.map_blocks(part, n_rows // N_PARTS, chunks=chunks, dtype=np.float64, meta=np.empty((0, 0)))
    return both[:, :N_FEATURES], both[:, N_FEATURES]


def options(rounds: int) -> dict[str, Any]:
    """Parameters of glasswood."""
    return {"n_estimators": rounds, "max_depth": DEPTH, "max_bins": BINS, "colsample": 1.0, "random_state": 0}


def fits(rounds: int, X: Any, y: Any, client: Any) -> dict[str, Callable[[], Any]]:
    """A fit of every library."""
    import lightgbm as lgb
    import xgboost.dask as dxgb

    of_lightgbm = {
        "n_estimators": rounds, "max_depth": DEPTH, "num_leaves": 2**DEPTH, "max_bin": BINS, "reg_lambda": 1.0,
        "min_child_samples": 1, "min_child_weight": 1.0, "random_state": 0, "verbose": -1, "tree_learner": "data",
    }  # fmt: skip
    of_xgboost = {"max_depth": DEPTH, "max_bin": BINS, "tree_method": "hist", "nthread": 1, "seed": 0}

    def xgboost() -> Any:
        rows = dxgb.DaskQuantileDMatrix(client, X, y, max_bin=BINS)
        return dxgb.train(client, of_xgboost, rows, num_boost_round=rounds)

    return {
        "glasswood": lambda: DaskBoostingRegressor(**options(rounds)).fit(X, y, client=client),
        "lightgbm.dask": lambda: lgb.DaskLGBMRegressor(client=client, **of_lightgbm).fit(X, y),
        "xgboost.dask": xgboost,
    }


def measure(client: Any, fit: Callable[[], Any]) -> tuple[Cost, Any]:
    """Cost of a fit, and what it returned."""
    held = client.run(forget_peak)
    spent = sum(client.run(time.process_time).values()) + time.process_time()
    begun = time.perf_counter()
    fitted = fit()
    wall = time.perf_counter() - begun
    cpu = sum(client.run(time.process_time).values()) + time.process_time() - spent
    grown = max(most - held[worker] for worker, most in client.run(peak).items())
    return Cost(wall, cpu, grown / 1e6), fitted


def child(n_rows: str, rounds: str) -> dict[str, float]:
    """One process of glasswood, with two threads: wall and processor seconds."""
    X, y = (each.compute(scheduler="synchronous") for each in table(int(n_rows)))
    model = gw.BoostingRegressor(n_jobs=N_WORKERS, **options(int(rounds)))
    begun, spent = time.perf_counter(), time.process_time()
    model.fit(X, y)
    return {
        "wall": time.perf_counter() - begun,
        "cpu": time.process_time() - spent,
        "rmse": float(model.history_.values[-1, 0, 0]),
    }


def scale(rounds: int, report: Report) -> None:
    """One work: all libraries in turns on one cluster."""
    n_rows = 100_000 if report.quick else 1_000_000
    turns = 1 if report.quick else TURNS[rounds]
    costs: dict[str, Cost] = {}
    alone: list[dict[str, float]] = []
    quiet: dict[str, Any] = {"silence_logs": logging.ERROR, "dashboard_address": "127.0.0.1:0"}
    with (
        distributed.LocalCluster(
            n_workers=N_WORKERS, threads_per_worker=1, memory_limit=0, host="127.0.0.1", **quiet
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert len(client.nthreads()) == N_WORKERS
        X, y = client.persist(table(n_rows))
        distributed.wait([X, y])
        client.rebalance()
        calls = fits(rounds, X, y, client)
        for _ in range(turns):
            for name in NAMES:
                cost, fitted = measure(client, calls[name])
                costs[name] = cost.least(costs.get(name, cost))
                if name == "glasswood":
                    loss = float(fitted.history_.values[-1, 0, 0])
            alone.append(ask_child(__file__, str(n_rows), str(rounds)))
    one = {name: min(told[name] for told in alone) for name in ("wall", "cpu")}
    if any(told["rmse"] != loss for told in alone):
        raise AssertionError("the cluster and one process fitted different models")
    work = f"boost {n_rows:,} × {N_FEATURES} on {N_WORKERS} workers, {DEPTH} levels, {rounds} rounds"
    ours, peers = costs["glasswood"], NAMES[1:]
    for what, unit in (("wall", "s"), ("cpu", "s"), ("memory", "MB")):
        best = min(peers, key=lambda name: getattr(costs[name], what))
        for name in peers:
            bound = {"wall": 0.5, "cpu": 0.5}.get(what) if name == best else None
            if what == "memory" and name == "lightgbm.dask":
                bound = 0.5
            goal = None if bound is None else Goal("share", bound)
            theirs = getattr(costs[name], what)
            report.add(Record(f"{work}: {what}", getattr(ours, what), name, theirs, goal, N_WORKERS, unit))
    report.add(Record(f"{work}: wall", ours.wall, "glasswood, one process", one["wall"], Goal("share", 1.3), N_WORKERS))
    report.add(Record(f"{work}: cpu", ours.cpu, "glasswood, one process", one["cpu"], Goal("share", 1.25), N_WORKERS))


if __name__ == "__main__":
    run_command("scale", __doc__, {str(rounds): partial(scale, rounds) for rounds in TURNS}, child)
