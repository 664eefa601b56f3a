"""One and two threads on real tables, on a quiet machine and with a busy process per CPU, compared with LightGBM.

Fits 100 trees, of 31 leaves and of 6 levels, on every table in the folder GLASSWOOD_DATA (at most 200,000 rows of
each). Each library runs in a separate process, in which one and two threads alternate. Quiet: the best fit counts, and
two threads are compared with one. Busy: this benchmark starts one process per CPU that only counts, and ends it
afterwards; the mean of the fits counts. It is compared with one quiet thread and with LightGBM under the same load;
for LightGBM's long fits only a tenth of the trees is timed. The last row is the cost of waking a thread. On a quiet
machine:

    python benchmarks/bench_threads.py [--quick] [table ...]

``--quick``: 20,000 rows, two fits of each.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from command import ask_child, run_command
from real_tables import TARGETS, RealTable, data_folder, has_table, read_real
from record import Goal, Record, Report

THREADS = 2
TREES = 100
MAX_ROWS = 200_000
LARGE = 100_000  # rows from which two threads must gain
NEVER_SLOWER, GAIN, BUSY, BESIDE_PEER = 1.02, 1.7, 2.2, 2.0
SHAPES = {"31 leaves": 31, "6 levels": None}
LONG_ENOUGH = 2.5  # seconds of fits in one process
MAX_FITS = 40  # of each number of threads

LONG = 0.05  # seconds of a quiet fit of the peer from which only a tenth of its trees is timed on a busy machine

Fit = Callable[[], Any]


def glasswood(table: RealTable, leaves: int | None, threads: int, trees: int) -> Fit:
    import glasswood as gw

    # symmetric: LightGBM has no such trees, the default of small tables
    options = {"n_estimators": trees, "n_jobs": threads, "random_state": 0, "colsample": 1.0, "symmetric": False}
    options |= {"max_depth": 6} if leaves is None else {"max_leaf_nodes": leaves, "max_depth": None}
    if table.kind == "class":
        return lambda: gw.BoostingClassifier(**options).fit(table.X, table.y)
    if table.kind == "count":
        return lambda: gw.BoostingRegressor(loss="poisson", **options).fit(table.X, table.y, offset=table.offset)
    return lambda: gw.BoostingRegressor(**options).fit(table.X, table.y)


def lightgbm(table: RealTable, leaves: int | None, threads: int, trees: int) -> Fit:
    import lightgbm as lgb

    options = {"n_estimators": trees, "n_jobs": threads, "random_state": 0, "verbose": -1}
    options |= {"max_depth": 6, "num_leaves": 64} if leaves is None else {"num_leaves": leaves}
    if table.kind == "class":
        return lambda: lgb.LGBMClassifier(**options).fit(table.X, table.y)
    if table.kind == "count":
        model = lgb.LGBMRegressor(objective="poisson", boost_from_average=False, **options)
        return lambda: model.fit(table.X, table.y, init_score=table.offset)
    return lambda: lgb.LGBMRegressor(**options).fit(table.X, table.y)


LIBRARIES = {"glasswood": glasswood, "lightgbm": lightgbm}


def measure(library: str, name: str, shape: str, threads: str, rows: str, trees: str, quick: str) -> dict[str, Any]:
    """Best and mean seconds of a fit for each number of threads, in a process that does nothing else."""
    table = read_real(name, data_folder(), int(rows))
    fits = {number: LIBRARIES[library](table, SHAPES[shape], int(number), int(trees)) for number in threads.split(",")}
    times: dict[str, list[float]] = {number: [] for number in fits}
    LIBRARIES[library](table, SHAPES[shape], 1, 1)()  # loads what is loaded late
    for turn in range(2 if quick == "True" else MAX_FITS):
        if turn > 0 and sum(map(sum, times.values())) > LONG_ENOUGH:
            break
        for number, fit in fits.items():
            begun = time.perf_counter()
            fit()
            times[number].append(time.perf_counter() - begun)
    best = {number: min(found) for number, found in times.items()}
    mean = {number: sum(found) / len(found) for number, found in times.items()}
    return {"best": best, "mean": mean, "rows": len(table.y)}


def measure_waking() -> dict[str, float]:
    """Nanoseconds until a sleeping thread is up, after it was called a hundred times."""
    from glasswood import _native

    for _ in range(100):
        time.sleep(0.002)
        _native.run_thread_benchmark(16, THREADS, 1e9, 2e4)
    return {"nanoseconds": _native.wake_cost()}


@contextmanager
def busy_machine() -> Iterator[None]:
    """A process per CPU that only counts."""
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    counting = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(cpus)]
    try:
        time.sleep(0.5)  # until all of them count
        yield
    finally:
        for process in counting:
            process.kill()
            process.wait()


def records(name: str, shape: str, quick: bool) -> Iterator[Record]:
    """One table and shape: two threads against one, then the same with busy processes."""

    def ask(library: str, threads: str, trees: int = TREES) -> dict[str, Any]:
        rows = "20000" if quick else str(MAX_ROWS)
        return ask_child(__file__, library, name, shape, threads, rows, str(trees), str(quick))

    two = str(THREADS)
    ours, theirs = ask("glasswood", f"1,{two}"), ask("lightgbm", two)
    part = 10 if theirs["best"][two] > LONG else 1
    with busy_machine():
        ours_busy = ask("glasswood", two)["mean"][two]
        theirs_busy = part * ask("lightgbm", two, TREES // part)["mean"][two]
    title = f"{name}, {ours['rows']:,} rows, {shape}"
    alone, shared = ours["best"]["1"], ours["best"][two]
    goal = Goal("factor", GAIN) if ours["rows"] >= LARGE else Goal("share", NEVER_SLOWER)
    yield Record(f"{title}: fit", shared, "our one thread", alone, goal, THREADS)
    yield Record(f"{title}: fit", shared, "lightgbm", theirs["best"][two], None, THREADS)
    busy = f"{title}: fit, busy machine"
    yield Record(busy, ours_busy, "our one thread, quiet", alone, Goal("share", BUSY), THREADS)
    note = "a tenth of LightGBM's trees, times ten" if part > 1 else ""
    yield Record(busy, ours_busy, "lightgbm, busy", theirs_busy, Goal("share", BESIDE_PEER), THREADS, note=note)


def measure_table(name: str, report: Report) -> None:
    """One table, both shapes."""
    if not has_table(name, data_folder()):
        return
    for shape in SHAPES:
        for record in records(name, shape, report.quick):
            report.add(record)


def report_waking(report: Report) -> None:
    """Report the cost of waking a thread."""
    found = ask_child(__file__, "waking")
    report.add(Record("wake a thread", found["nanoseconds"] / 1e9, threads=THREADS))


def child(what: str, *arguments: str) -> dict[str, Any]:
    """The measurement that runs in a separate process."""
    return measure_waking() if what == "waking" else measure(what, *arguments)


if __name__ == "__main__":
    works = {name: lambda report, name=name: measure_table(name, report) for name in TARGETS}
    run_command("threads", __doc__, works | {"waking": report_waking}, child)
