"""Proofs, exports and scorecards beside the packages that do something alike, in one run.

Models have 20 features: 100 trees of depth 6 and 300 trees of 31 leaves. Veritas searches the same trees for the least
and the largest output, around each of 100 rows and anywhere, and for the nearest row of another class (by the largest
change of a feature); DiCE looks for counterfactuals without proof. m2cgen and onnxmltools write the same models,
optbinning makes a scorecard of the same rows, xBooster one of stumps. Peers whose pins conflict get environments of
their own (peers.py); a peer that cannot be installed is named, and its rows have no figure. xBooster needs
``python3.10`` on the PATH.
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
from compiled_c import compile_c, predictions
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
    note = f"proved {n_proven} of {len(rows)}" + (f", Veritas {theirs['proven']:.0f}" if "proven" in theirs else "")
    note += f"; at most {2 * LIMIT:g} s each"
    name = f"least and largest raw within ±{radius:g} of a row, {size}, median of {len(rows)} rows"
    report.add(_beside(name, median(times), theirs, note))


def anywhere(report: Report, size: str) -> None:
    """The bound of raw over all rows that is proved after some seconds; nobody proves the maximum itself."""
    model = train(size)
    ensemble = gw.read(model)
    gw.bounds(ensemble, max_nodes=1)
    found = gw.bounds(ensemble, max_nodes=10**9, time_limit=2 * LIMIT_ANYWHERE)
    theirs = asked("veritas", "anywhere", model, settings=np.array([LIMIT_ANYWHERE]))
    note = f"a row with {found.found_high[0]:.3f} found" + ("" if found.proven else ", not proved largest")
    if "found" in theirs:
        note += f"; Veritas found {'none' if theirs['found'] is None else format(theirs['found'], '.3f')}"
    # the goal is the exact maximum; a better bound than the peer's is not that
    name = f"gap between bound and best row of the largest raw anywhere after {LIMIT_ANYWHERE:g} s, {size}"
    gap = float(found.high[0] - found.found_high[0])
    report.add(Record(name, gap, goal=Goal("at most", 0.0), unit="", note="0 is the exact maximum, the goal"))
    name = f"bound of the largest raw anywhere after {LIMIT_ANYWHERE:g} s, {size}"
    report.add(Record(name, float(found.high[0]), *_figures(theirs, "Veritas", "bound"), unit="", note=note))


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
    note = f"gw.robustness; proved {n_proven} of {len(rows)} within {4 * LIMIT:g} s each"
    note += "; Veritas halves an interval ten times, so is not exact"
    name = f"nearest row of another class by the largest change, {size}, median of {len(rows)} rows"
    report.add(_beside(name, median(times), theirs, note))


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
    note = f"gw.counterfactuals; proved {n_proven} of {len(rows)}, at most {2 * LIMIT:g} s each"
    note += "; Veritas has no such distance"
    name = f"nearest counterfactual by the sum of changes, {size}, median of {len(rows)} rows"
    peer = "DiCE (no proof; median of 10 rows; HistGradientBoosting, 100 × depth 6)"
    report.add(Record(name, median(times), *_figures(theirs, peer), note=_with_reason(note, theirs)))


def monotone(report: Report, size: str) -> None:
    """Whether raw rises with a feature: seconds, and what was proved; no peer proves it."""
    ensemble = gw.read(train(size))
    gw.bounds(ensemble, max_nodes=1)
    begun = time.perf_counter()
    found = gw.monotone(ensemble, 0, time_limit=LIMIT_ANYWHERE)
    taken = time.perf_counter() - begun
    note = f"at most {LIMIT_ANYWHERE:g} s; largest fall of a step ≤ {found.largest_fall:.3g}"
    goal = Goal("at most", 1.2 * LIMIT_ANYWHERE)  # the limit holds
    report.add(Record(f"gw.monotone of one feature: {found.verdict}, {size}", taken, goal=goal, note=note))


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
    """The model as C beside m2cgen's, which does not check what it writes: seconds, size, compilation and errors."""
    model = train(size)
    ensemble = gw.read(model)
    rows = generate(N_TRAIN, 0)[0]  # of the training, many of whose values are thresholds
    expected = ensemble.predict(rows)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.c")
        ours = seconds(lambda: gw.export(ensemble, path))
        size_of = path.stat().st_size
        library, compiling = compile_c(path)
        error = np.abs(predictions(library, "predict_all", rows, 1)[:, 0] - expected).max()
    theirs = asked("m2cgen", "m2cgen", model, rows=rows, expected=expected)
    name, figures = f"write C, compiled and checked, {size}", _figures(theirs, "m2cgen (not checked)")
    report.add(Record(name, ours, *figures, note=_with_reason("", theirs)))
    report.add(Record(f"bytes of the C file, {size}", size_of, *_figures(theirs, "m2cgen", "bytes"), unit="bytes"))
    name = f"compile the C file with cc -O1, {size}"
    report.add(Record(name, compiling, *_figures(theirs, "m2cgen", "compiling")))
    note = f"over the {len(rows):,} rows of the training"
    if "wrong" in theirs:
        note += f"; m2cgen is off by more than 1e-6 in {theirs['wrong']:,}"
    name = f"largest error of a probability of the C file, {size}"
    report.add(Record(name, float(error), *_figures(theirs, "m2cgen", "error"), unit="", note=note))


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
    if "area" in theirs:
        note += f", of optbinning's card {theirs['area']:.3f}"
    report.add(Record(f"scorecard, {size}", taken, *_figures(theirs, "optbinning"), note=_with_reason(note, theirs)))


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
    if "miss" in theirs:
        note += f", of xBooster's points, which are rounded, {theirs['miss']:.1g}"
    figures = _figures(theirs, "xBooster")
    report.add(Record("scorecard of 100 stumps", taken, *figures, note=_with_reason(note, theirs)))


# the command of the Python that a peer needs, None for the one that runs this, then what is installed for it
PEER_REQUIREMENTS: dict[str, tuple[str | None, *tuple[str, ...]]] = {
    "veritas": (None, "dtai-veritas", "xgboost-cpu<3", "scikit-learn", "pandas"),
    "m2cgen": (None, "m2cgen", "xgboost-cpu<3", "scikit-learn<1.7"),
    "dice": (None, "dice-ml", "scikit-learn", "pandas"),
    "optbinning": (None, "optbinning"),
    "xbooster": ("python3.10", "xbooster", "xgboost<3"),  # asks for Python before 3.11, and for xgboost by that name
}


def asked(peer: str, what: str, model: Any, **arrays: NDArray[Any]) -> dict[str, Any]:
    """What a peer answers in its own environment, with its version; or the `reason` why it gives none, printed too."""
    try:
        command, *requirements = PEER_REQUIREMENTS[peer]
        python = peer_python(peer, *requirements, command=command)
        with tempfile.TemporaryDirectory() as folder:
            if model is not None:
                model.save_model(Path(folder, "model.json"))
            for name, array in arrays.items():
                np.save(Path(folder, f"{name}.npy"), array)
            with PeerProcess(peer, python, "prove_peers.py", what, folder) as process:
                answer: dict[str, Any] = json.loads(process.answer())
                return answer
    except PeerMissingError as error:
        print(f"{error}; its figure is left out")
        return {"reason": str(error)}


def _figures(theirs: dict[str, Any], name: str, figure: str = "seconds") -> tuple[str | None, float | None]:
    """Name, with the version, and figure of a peer; nothing if it gave none."""
    if figure not in theirs:
        return None, None
    return f"{name} {theirs['version']}", float(theirs[figure])


def _with_reason(note: str, theirs: dict[str, Any]) -> str:
    return "; ".join(part for part in (note, theirs.get("reason", "")) if part)


def _beside(name: str, ours: float, theirs: dict[str, Any], note: str = "") -> Record:
    peer, figure = _figures(theirs, "Veritas")
    goal = None if figure is None else Goal("share", 1.0)
    return Record(name, ours, peer, figure, goal, note=_with_reason(note, theirs))


def works() -> dict[str, Callable[[Report], None]]:
    """All rows by name."""
    found: dict[str, Callable[[Report], None]] = {}
    for size in SIZES:
        for radius in (0.1, 0.2):
            found[f"around {size} {radius}"] = lambda report, size=size, radius=radius: around(report, size, radius)
    for work in (anywhere, robustness, counterfactual, monotone, onnx, code, scorecard):
        for size in SIZES:
            found[f"{work.__name__} {size}"] = lambda report, work=work, size=size: work(report, size)
    return {**found, "stumps": stumps, "sql": sql}


if __name__ == "__main__":
    run_command("prove", __doc__, works())
