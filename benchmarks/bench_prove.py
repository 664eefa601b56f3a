"""Proofs, exports and scorecards beside the packages that do something alike, in one run.

Models have 20 features: 100 trees of depth 6 and 300 trees of 31 leaves. Veritas searches the same trees for the least
and the largest output, around each of 100 rows and anywhere, and for the nearest row of another class (by the largest
change of a feature); DiCE looks for counterfactuals without proof. m2cgen and onnxmltools write the same models,
optbinning makes a scorecard of the same rows. Peers whose pins conflict get environments of their own (peers.py); a
peer that cannot be installed is named, and its rows have no figure.
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
LIMIT, LIMIT_ANYWHERE = 0.25, 5.0  # seconds after which a search ends, ours as theirs
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


def around(report: Report, size: str, radius: float) -> None:
    """Least and largest raw, proved, if every feature of a row may move by `radius`: median over rows."""
    model = train(size)
    ensemble = gw.read(model)
    rows = generate(10 if report.quick else 100, 1)[0]
    names = ensemble.feature_names
    gw.bounds(ensemble, max_nodes=1)  # what every proof of a model needs is made once, as Veritas makes its trees
    times, n_proven = [], 0
    for row in rows.tolist():
        domain = {name: (value - radius, value + radius) for name, value in zip(names, row, strict=True)}
        begun = time.perf_counter()
        n_proven += gw.bounds(ensemble, domain, time_limit=2 * LIMIT).proven
        times.append(time.perf_counter() - begun)
    theirs = asked("veritas", "around", model, rows=rows, settings=np.array([radius, LIMIT]))
    note = f"proved {n_proven} of {len(rows)}" + (f", Veritas {theirs['proven']:.0f}" if theirs else "")
    note += f"; at most {2 * LIMIT:g} s each"
    name = f"least and largest raw within ±{radius:g} of a row, {size}, median of {len(rows)} rows"
    report.add(_beside(name, median(times), theirs and theirs["seconds"], note))


def anywhere(report: Report, size: str) -> None:
    """The bound of raw over all rows that is proved after some seconds; nobody proves the maximum itself."""
    model = train(size)
    ensemble = gw.read(model)
    gw.bounds(ensemble, max_nodes=1)
    found = gw.bounds(ensemble, max_nodes=10**9, time_limit=2 * LIMIT_ANYWHERE)
    theirs = asked("veritas", "anywhere", model, settings=np.array([LIMIT_ANYWHERE]))
    note = f"a row with {found.found_high[0]:.3f} found" + ("" if found.proven else ", not proved largest")
    if theirs:
        note += f"; Veritas found {'none' if theirs['found'] is None else format(theirs['found'], '.3f')}"
    goal = Goal("share", 1.0) if theirs else None
    name = f"bound of the largest raw anywhere after {LIMIT_ANYWHERE:g} s, {size}"
    bound = theirs and theirs["bound"]
    report.add(Record(name, float(found.high[0]), theirs and "Veritas", bound, goal, unit="", note=note))


def robustness(report: Report, size: str) -> None:
    """The nearest row of another class, by the largest change of a feature: median over rows."""
    model = train(size)
    ensemble = gw.read(model)
    rows = generate(10 if report.quick else 100, 1)[0]
    gw.bounds(ensemble, max_nodes=1)
    times, n_proven = [], 0
    for row in rows:
        begun = time.perf_counter()
        found = gw.robustness(ensemble, row[None], time_limit=4 * LIMIT)
        times.append(time.perf_counter() - begun)
        n_proven += bool(found.epsilon[0] == found.found[0])
    theirs = asked("veritas", "nearest", model, rows=rows, settings=np.array([4 * LIMIT]))
    note = f"proved {n_proven} of {len(rows)}; Veritas halves an interval ten times"
    name = f"nearest row of another class, {size}, median of {len(rows)} rows"
    report.add(_beside(name, median(times), theirs and theirs["seconds"], note))


def counterfactual(report: Report, size: str) -> None:
    """The nearest row of another class by the sum of all changes, proved: median over rows."""
    ensemble = gw.read(train(size))
    X, y = generate(N_TRAIN, 0)
    rows = generate(10 if report.quick else 100, 1)[0]
    wanted = 1 - (ensemble.predict_raw(rows) > 0).astype(int)
    times, n_proven = [], 0
    for row, target in zip(rows, wanted.tolist(), strict=True):
        begun = time.perf_counter()
        n_proven += gw.counterfactuals(ensemble, row, target, X=X, time_limit=2 * LIMIT).status == "proven"
        times.append(time.perf_counter() - begun)
    theirs = asked("dice", "dice", None, X=X, y=y, rows=rows[:10])
    note = f"proved {n_proven} of {len(rows)}, at most {2 * LIMIT:g} s each"
    name = f"nearest counterfactual, {size}, median of {len(rows)} rows"
    report.add(Record(name, median(times), theirs and "DiCE (no proof)", theirs and theirs["seconds"], note=note))


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
    theirs = asked("m2cgen", "m2cgen", model)
    peer = theirs and "m2cgen (not checked)"
    report.add(Record(f"write C, compiled and checked, {size}", ours, peer, theirs and theirs["seconds"]))


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
    """A scorecard of 8 bands a feature: how much of the model it reproduces, and how well it ranks new rows."""
    from sklearn.metrics import roc_auc_score

    ensemble = gw.read(train(size))
    X, y = generate(2_000 if report.quick else N_TRAIN, 0)
    rows, truth = generate(N_TRAIN, 4)
    card = gw.scorecard(ensemble, X, max_bands=8)
    taken = seconds(lambda: gw.scorecard(ensemble, X, max_bands=8))
    area, whole = (roc_auc_score(truth, model.predict(rows)) for model in (card, ensemble))
    note = f"{card.fidelity.share[0]:.1%} of the variance; AUC {area:.3f}, of the model {whole:.3f}"
    theirs = asked("optbinning", "optbinning", None, X=X, y=y, rows=rows, truth=truth)
    if theirs:
        note += f", of optbinning's card {theirs['area']:.3f}"
    report.add(Record(f"scorecard, {size}", taken, theirs and "optbinning", theirs and theirs["seconds"], note=note))


def stumps(report: Report) -> None:
    """A scorecard of 100 stumps, which is the model itself, beside xBooster, which makes cards of stumps only."""
    import xgboost as xgb

    X, y = generate(N_TRAIN, 0)
    options = {"max_depth": 1, "eta": 0.3, "objective": "binary:logistic", "base_score": 0.5, "seed": 0}
    model = xgb.train(options, xgb.DMatrix(X, y), 100)
    ensemble = gw.read(model)
    card = gw.scorecard(ensemble, X)
    taken = seconds(lambda: gw.scorecard(ensemble, X))
    theirs = asked("xbooster", "xbooster", model, X=X, y=y)
    note = f"largest miss {card.fidelity.largest[0]:.1g}"
    report.add(Record("scorecard of 100 stumps", taken, theirs and "xBooster", theirs and theirs["seconds"], note=note))


PEER_REQUIREMENTS = {
    "veritas": ("dtai-veritas", "xgboost-cpu<3", "scikit-learn", "pandas"),
    "m2cgen": ("m2cgen", "xgboost-cpu<3", "scikit-learn<1.7"),
    "dice": ("dice-ml", "scikit-learn", "pandas"),
    "optbinning": ("optbinning",),
    "xbooster": ("xbooster", "xgboost-cpu<3"),  # asks for Python before 3.11
}


def asked(peer: str, what: str, model: Any, **arrays: NDArray[Any]) -> dict[str, float] | None:
    """What a peer answers in its own environment; None, with a message, if it cannot be installed or fails."""
    try:
        python = peer_python(peer, *PEER_REQUIREMENTS[peer])
        with tempfile.TemporaryDirectory() as folder:
            if model is not None:
                model.save_model(Path(folder, "model.json"))
            for name, array in arrays.items():
                np.save(Path(folder, f"{name}.npy"), array)
            with PeerProcess(peer, python, "prove_peers.py", what, folder) as process:
                answer: dict[str, float] = json.loads(process.answer())
                return answer
    except PeerMissingError as error:
        print(f"{error}; its figure is left out")
        return None


def _beside(name: str, ours: float, theirs: float | None, note: str = "") -> Record:
    goal = None if theirs is None else Goal("share", 1.0)
    return Record(name, ours, theirs and "Veritas", theirs, goal, note=note)


def works() -> dict[str, Callable[[Report], None]]:
    """All rows by name."""
    found: dict[str, Callable[[Report], None]] = {}
    for size in SIZES:
        for radius in (0.1, 0.2):
            found[f"around {size} {radius}"] = lambda report, size=size, radius=radius: around(report, size, radius)
    for work in (anywhere, robustness, counterfactual, onnx, code, scorecard):
        for size in SIZES:
            found[f"{work.__name__} {size}"] = lambda report, work=work, size=size: work(report, size)
    return {**found, "stumps": stumps, "sql": sql}


if __name__ == "__main__":
    run_command("prove", __doc__, works())
