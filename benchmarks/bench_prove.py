"""Proofs, exports and scorecards beside the packages that do something alike, in one run.

Models have 20 features: 100 trees of depth 6 and 300 trees of 31 leaves. Veritas searches the same trees for the
largest output and for the nearest row of another class (largest change of a feature); DiCE looks for counterfactuals
without proof. m2cgen and onnxmltools write the same models. Peers whose pins conflict have environments of their own.
Run it on a quiet machine: ``python benchmarks/bench_prove.py [--quick] [row name ...]``.
"""

import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

import glasswood as gw
from command import run_command
from peers import PeerMissingError, PeerProcess, peer_python
from record import Goal, Record, Report
from timing import alternate, seconds

N_TRAIN, N_FEATURES = 10_000, 20
SIZES = {"100 × depth 6": (100, {"max_depth": 6}), "300 × 31 leaves": (300, {"max_leaves": 31, "max_depth": 0})}
Floats = NDArray[np.float64]


def generate(n: int, seed: int) -> tuple[Floats, NDArray[np.int64]]:
    """Rows of float32 values, as doubles, and two classes that depend on four features."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, N_FEATURES)).astype(np.float32).astype(np.float64)
    signal = X[:, 0] + X[:, 1] * X[:, 2] + np.sin(3 * X[:, 3]) + rng.normal(size=n)
    return X, (signal > 0).astype(np.int64)


def train(size: str) -> Any:
    """An XGBoost classifier of a size, which every peer reads."""
    import xgboost as xgb

    n_trees, shape = SIZES[size]
    options = {"tree_method": "hist", "grow_policy": "lossguide", "eta": 0.1, "objective": "binary:logistic"}
    X, y = generate(N_TRAIN, 0)
    return xgb.train({**options, **shape, "seed": 0, "base_score": 0.5}, xgb.DMatrix(X, y), n_trees)


def maximum(report: Report, size: str) -> None:
    """The largest raw anywhere, proved."""
    model = train(size)
    ensemble = gw.read(model)
    ours = seconds(lambda: gw.bounds(ensemble, max_nodes=200_000, time_limit=60.0))
    found = gw.bounds(ensemble, max_nodes=200_000, time_limit=60.0)
    note = "proved" if found.proven else f"not proved: {found.found_high[0]:.4g} to {found.high[0]:.4g}"
    theirs = asked_veritas(model, "maximum", np.zeros((0, N_FEATURES)))
    report.add(_beside(f"least and largest raw, {size}", ours, theirs, note))


def robustness(report: Report, size: str) -> None:
    """The nearest row of another class, by the largest change of a feature: seconds for each row."""
    model = train(size)
    ensemble = gw.read(model)
    rows = generate(10 if report.quick else 100, 1)[0]
    ours = seconds(lambda: gw.robustness(ensemble, rows)) / len(rows)
    theirs = asked_veritas(model, "nearest", rows)
    report.add(_beside(f"nearest row of another class, {size}, one of {len(rows)} rows", ours, theirs))


def counterfactual(report: Report, size: str) -> None:
    """The nearest row of another class by the sum of all changes, proved: median over rows."""
    ensemble = gw.read(train(size))
    X, _ = generate(N_TRAIN, 0)
    rows = generate(10 if report.quick else 100, 1)[0]
    wanted = 1 - (ensemble.predict_raw(rows) > 0).astype(int)
    times, n_proven = [], 0
    for row, target in zip(rows, wanted.tolist(), strict=True):
        begun = time.perf_counter()
        n_proven += gw.counterfactuals(ensemble, row, target, X=X).status == "proven"
        times.append(time.perf_counter() - begun)
    note = f"{n_proven} of {len(rows)} proved"
    theirs = asked_dice(rows)
    name = f"nearest counterfactual, {size}, median of {len(rows)} rows"
    report.add(Record(name, median(times), theirs and "DiCE (no proof)", theirs, None, note=note))


def onnx(report: Report, size: str) -> None:
    """The ONNX file of the same model: its size beside onnxmltools', and our predict beside onnxruntime's on it."""
    from onnxmltools import convert_xgboost
    from onnxmltools.convert.common.data_types import FloatTensorType
    from onnxruntime import InferenceSession, SessionOptions

    model = train(size)
    ensemble = gw.read(model)
    rows = generate(100_000, 2)[0]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.onnx")
        gw.export(ensemble, path)
        content = path.read_bytes()
        theirs = convert_xgboost(model, initial_types=[("X", FloatTensorType([None, N_FEATURES]))])
        name = f"bytes of the ONNX file in double precision, {size}"
        size_of = len(theirs.SerializeToString())
        report.add(Record(name, len(content), "onnxmltools, float32", size_of, Goal("share", 1.0), unit="bytes"))
        options = SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        session = InferenceSession(content, options, providers=["CPUExecutionProvider"])
        calls = (lambda: session.run(["raw"], {"X": rows}), lambda: ensemble.predict_raw(rows))
        peer, ours = alternate(calls, 3 if report.quick else 7)
    name = f"predict 100,000 rows, {size}"
    report.add(Record(name, ours, "onnxruntime on that file", peer, Goal("share", 0.2)))


def code(report: Report, size: str) -> None:
    """Seconds to write C, beside m2cgen, which does not check what it writes."""
    model = train(size)
    ensemble = gw.read(model)
    with tempfile.TemporaryDirectory() as folder:
        ours = seconds(lambda: gw.export(ensemble, Path(folder, "model.c")))
        peer = None
        try:
            python = peer_python("m2cgen", "m2cgen", "xgboost-cpu<3", "scikit-learn<1.7", "numpy<2.3")
            model.save_model(Path(folder, "model.json"))
            with PeerProcess("m2cgen", python, "prove_peers.py", "m2cgen", folder) as process:
                peer = float(process.answer())
        except PeerMissingError as error:
            print(error)
    report.add(Record(f"write C, compiled and checked, {size}", ours, peer and "m2cgen (not checked)", peer))


def sql(report: Report) -> None:
    """A SELECT of 100 trees over 1,000,000 rows in DuckDB."""
    import duckdb
    import pandas as pd

    ensemble = gw.read(train("100 × depth 6"))
    n = 100_000 if report.quick else 1_000_000
    X = generate(n, 3)[0]
    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as database:
        path = Path(folder, "model.sql")
        gw.export(ensemble, path, dialect="duckdb")
        database.execute("SET threads = 1")
        database.register("given", pd.DataFrame(X, columns=ensemble.feature_names))
        database.execute('CREATE TABLE "rows" AS SELECT * FROM given')
        taken = seconds(lambda: database.execute(f"SELECT SUM(raw) FROM ({path.read_text()})").fetchall())
    ours = seconds(lambda: ensemble.predict_raw(X))
    report.add(Record(f"SELECT over {n:,} rows × 100 trees in DuckDB", taken, "our predict", ours))


def scorecard(report: Report, size: str) -> None:
    """A scorecard of 8 bands a feature, and how much of the variance it reproduces."""
    ensemble = gw.read(train(size))
    X, _ = generate(2_000 if report.quick else N_TRAIN, 0)
    card = gw.scorecard(ensemble, X, max_bands=8)
    taken = seconds(lambda: gw.scorecard(ensemble, X, max_bands=8))
    note = f"reproduces {card.fidelity.share[0]:.1%} of the variance; xBooster makes cards of stumps only"
    report.add(Record(f"scorecard, {size}", taken, note=note))


def asked_veritas(model: Any, what: str, rows: Floats) -> float | None:
    """Seconds of Veritas for the maximum, or the median over rows; None if it cannot be installed."""
    try:
        python = peer_python("veritas", "dtai-veritas", "xgboost-cpu<3", "scikit-learn", "numpy")
        with tempfile.TemporaryDirectory() as folder:
            model.save_model(Path(folder, "model.json"))
            np.save(Path(folder, "rows.npy"), rows)
            with PeerProcess("veritas", python, "prove_peers.py", what, folder) as process:
                answer: float = json.loads(process.answer())
                return answer
    except PeerMissingError as error:
        print(error)
        return None


def asked_dice(rows: Floats) -> float | None:
    """Seconds of DiCE's random search on a model of its own, median over rows; None if it cannot be installed."""
    try:
        python = peer_python("dice", "dice-ml", "scikit-learn", "pandas")
        with tempfile.TemporaryDirectory() as folder:
            X, y = generate(N_TRAIN, 0)
            for name, part in (("X", X), ("y", y), ("rows", rows[:10])):
                np.save(Path(folder, f"{name}.npy"), part)
            with PeerProcess("dice", python, "prove_peers.py", "dice", folder) as process:
                answer: float = json.loads(process.answer())
                return answer
    except PeerMissingError as error:
        print(error)
        return None


def _beside(name: str, ours: float, theirs: float | None, note: str = "") -> Record:
    goal = None if theirs is None else Goal("share", 1.0)
    return Record(name, ours, theirs and "Veritas", theirs, goal, note=note)


def works() -> dict[str, Callable[[Report], None]]:
    """All rows by name."""
    found: dict[str, Callable[[Report], None]] = {}
    for work in (maximum, robustness, counterfactual, onnx, code, scorecard):
        for size in SIZES:
            found[f"{work.__name__} {size}"] = lambda report, work=work, size=size: work(report, size)
    return {**found, "sql": sql}


if __name__ == "__main__":
    run_command("prove", __doc__, works())
