"""Attributions against their peers, side by side in one run.

10,000 rows × 25 features; LightGBM of 300 trees × 31 leaves, XGBoost of 300 × depth 6, CatBoost of 300 × depth 6, a
scikit-learn forest grown to purity. The time to read the model is left out on both sides; glasswood's time includes
its plan and the encoding of the rows. One thread each unless stated; with two, peers that only know one are compared
by their time with one. A peer that would take minutes gets fewer rows
and its time is scaled, which the line says. Peers that are not installed are left out, with a message.

    python benchmarks/bench_attributions.py [--quick] [path|background|forest|interactions|single|large ...]
"""

import os

os.environ.update(OMP_NUM_THREADS="1", NUMBA_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")  # of the peers

import tempfile
from collections.abc import Callable, Sequence
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import glasswood as gw
from command import ask_child, run_command
from memory import forget_peak, peak
from record import Goal, Record, Report
from timing import Call, alternate, seconds

N_ROWS, N_FEATURES, N_TREES = 10_000, 25, 300


@cache
def data(n_rows: int = 20_000) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Rows with main effects and interactions."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(n_rows, N_FEATURES))
    y = np.sin(2 * X[:, 0]) + 0.5 * X[:, 1] ** 2 + X[:, 0] * X[:, 2] + X[:, 3] * X[:, 4] + 0.3 * X[:, 5:12].sum(axis=1)
    return X, y + 0.3 * rng.normal(size=n_rows)


@cache
def lightgbm_model() -> Any:
    """300 trees of 31 leaves."""
    import lightgbm as lgb

    X, y = data()
    options = {"num_leaves": 31, "learning_rate": 0.1, "verbose": -1, "num_threads": 1, "seed": 0}
    return lgb.train(options, lgb.Dataset(X, y), N_TREES)


@cache
def xgboost_model() -> Any:
    """300 trees of depth 6."""
    import xgboost as xgb

    X, y = data()
    options = {"max_depth": 6, "eta": 0.1, "nthread": 1, "seed": 0}
    return xgb.train(options, xgb.DMatrix(X, y), N_TREES)


@cache
def catboost_model() -> Any:
    """300 oblivious trees of depth 6."""
    from catboost import CatBoostRegressor

    X, y = data()
    model = CatBoostRegressor(n_estimators=N_TREES, max_depth=6, thread_count=1, verbose=0, allow_writing_files=False)
    return model.fit(X, y)


@cache
def forest_model() -> Any:
    """Two trees grown to purity on 10,000 rows; all times are proportional to the number of trees."""
    from sklearn.ensemble import RandomForestRegressor

    X, y = data()
    return RandomForestRegressor(2, n_jobs=1, random_state=0).fit(X[:N_ROWS], y[:N_ROWS])


class Peer:
    """A call of a peer on some of the rows, scaled to all of them."""

    def __init__(self, name: str, make: Callable[[int], Call], n_rows: int = N_ROWS, threads: int = 1) -> None:
        self.name, self._make, self._n_rows, self._threads = name, make, n_rows, threads

    @cached_property
    def seconds(self) -> float | None:
        """Its time for all rows, measured once; None if it is not installed."""
        try:
            call = self._make(self._n_rows)
        except ImportError as error:
            print(f"{self.name} cannot be run: {error}")
            return None
        call_once = seconds(call)
        best = call_once if call_once > 2 else min(call_once, *alternate([call], 2))
        return best * N_ROWS / self._n_rows

    def label(self, threads: int) -> str:
        """Its name, whether its time was scaled, and whether it had fewer threads than glasswood."""
        scaled = "" if self._n_rows == N_ROWS else f", scaled from {self._n_rows:,} rows"
        return self.name + scaled + (", one thread" if self._threads < threads else "")


def afresh(ensemble: gw.Ensemble, **options: Any) -> Call:
    """Attributions of a model without cached results."""
    X = data()[0][:N_ROWS]

    def run() -> Any:
        ensemble._derived.pop("attributions", None)
        return gw.attributions(ensemble, X, **options)

    return run


def compare(
    report: Report, work: str, ours: Call, peers: Sequence[tuple[Peer, float | None]], threads: int = 1
) -> None:
    """One line per peer; glasswood is timed between them."""
    rounds = 3 if report.quick else 7
    best = min(alternate([ours], rounds))
    measured = [(peer, goal, peer.seconds) for peer, goal in peers]
    best = min(best, *alternate([ours], rounds))
    for peer, goal, theirs in measured:
        if theirs is not None:
            wanted = None if goal is None else Goal("factor", goal)
            report.add(Record(work, best, peer.label(threads), theirs, wanted, threads))
    if not any(theirs is not None for _, _, theirs in measured):
        report.add(Record(work, best, threads=threads))


def frame(X: NDArray[np.float64], names: Sequence[str]) -> Any:
    """Rows in the form woodelf expects."""
    import pandas as pd

    return pd.DataFrame(X, columns=list(names))


def woodelf(model: Any, names: Sequence[str], n_background: int = 0, *, pairs: bool = False) -> Callable[[int], Call]:
    """woodelf on its own reading of the model; reading is not timed."""

    def make(n_rows: int) -> Call:
        from woodelf import WoodelfExplainer
        from woodelf.core.trees.parse_models import load_decision_tree_ensemble_model

        X = data()[0]
        rows = frame(X[:n_rows], names)
        explainer = WoodelfExplainer(model, frame(X[:n_background], names) if n_background else None)
        if not n_background:
            explainer.model = load_decision_tree_ensemble_model(model, list(rows.columns))
            explainer.model_was_loaded = True
        ask = explainer.shap_interaction_values if pairs else explainer.shap_values
        return lambda: ask(rows, verbose=False)

    return make


def shap_path(model: Any, *, pairs: bool = False) -> Callable[[int], Call]:
    """shap's own algorithm, not the library's."""

    def make(n_rows: int) -> Call:
        import shap

        explainer = shap.TreeExplainer(model, feature_perturbation="tree_path_dependent")
        explainer.model.model_type = "internal"
        rows = data()[0][:n_rows]
        if pairs:
            return lambda: explainer.shap_interaction_values(rows)
        return lambda: explainer.shap_values(rows, check_additivity=False)

    return make


def fast_tree_shap(model: Any) -> Callable[[int], Call]:
    """The faster algorithm of fasttreeshap; it needs NumPy 1, because with NumPy 2 its compiled part fails to load."""

    def make(n_rows: int) -> Call:
        import fasttreeshap
        from fasttreeshap import _cext  # noqa: F401

        explainer = fasttreeshap.TreeExplainer(model, algorithm="v2", n_jobs=1)
        rows = data()[0][:n_rows]
        return lambda: explainer.shap_values(rows, check_additivity=False)

    return make


def shap_rows(model: Any, n_background: int) -> Callable[[int], Call]:
    """shap with a masker that keeps the whole background."""

    def make(n_rows: int) -> Call:
        import shap

        X = data()[0]
        masker = shap.maskers.Independent(X[:n_background], max_samples=n_background)
        explainer = shap.TreeExplainer(model, masker, feature_perturbation="interventional")
        return lambda: explainer.shap_values(X[:n_rows], check_additivity=False)

    return make


def lightgbm_own(threads: int = 1) -> Callable[[int], Call]:
    """LightGBM's own contributions."""

    def make(n_rows: int) -> Call:
        X = data()[0][:n_rows]
        return lambda: lightgbm_model().predict(X, pred_contrib=True, num_threads=threads)

    return make


def xgboost_own(threads: int = 1, **what: bool) -> Callable[[int], Call]:
    """XGBoost's own contributions, or interactions."""

    def make(n_rows: int) -> Call:
        import xgboost as xgb

        table = xgb.DMatrix(data()[0][:n_rows], nthread=threads)
        model = xgboost_model().copy()
        model.set_param({"nthread": threads})
        return lambda: model.predict(table, **what)

    return make


def catboost_own(kind: str, threads: int = 1) -> Callable[[int], Call]:
    """CatBoost's own values."""

    def make(n_rows: int) -> Call:
        from catboost import Pool

        pool = Pool(data()[0][:n_rows])
        return lambda: catboost_model().get_feature_importance(pool, type=kind, thread_count=threads)

    return make


def path(report: Report) -> None:
    """Without data."""
    few = 500 if report.quick else 2_000
    light, extreme, cat = gw.read(lightgbm_model()), gw.read(xgboost_model()), gw.read(catboost_model())
    peers: list[tuple[Peer, float | None]] = [
        (Peer("woodelf", woodelf(lightgbm_model(), lightgbm_model().feature_name())), 20),
        (Peer("fasttreeshap", fast_tree_shap(lightgbm_model())), 20),
        (Peer("LightGBM", lightgbm_own(), few if report.quick else N_ROWS), 100),
        (Peer("shap", shap_path(lightgbm_model()), few), None),
    ]
    compare(report, "path, LightGBM 300 × 31", afresh(light), peers)
    both: list[tuple[Peer, float | None]] = [
        (Peer("LightGBM", lightgbm_own(2), few if report.quick else N_ROWS, 2), 100)
    ]
    compare(report, "path, LightGBM 300 × 31", afresh(light, n_jobs=2), both, threads=2)
    names = [f"f{j}" for j in range(N_FEATURES)]
    peers = [
        (Peer("woodelf", woodelf(xgboost_model(), names)), 20),
        (Peer("XGBoost", xgboost_own(pred_contribs=True), few if report.quick else N_ROWS), 100),
        (Peer("shap", shap_path(xgboost_model()), few), None),
    ]
    compare(report, "path, XGBoost 300 × depth 6", afresh(extreme), peers)
    both = [(Peer("XGBoost", xgboost_own(2, pred_contribs=True), few if report.quick else N_ROWS, 2), 100)]
    compare(report, "path, XGBoost 300 × depth 6", afresh(extreme, n_jobs=2), both, threads=2)
    compare(report, "path, CatBoost 300 × depth 6", afresh(cat), [(Peer("CatBoost", catboost_own("ShapValues")), 8)])
    both = [(Peer("CatBoost", catboost_own("ShapValues", 2), threads=2), 8)]
    compare(report, "path, CatBoost 300 × depth 6", afresh(cat, n_jobs=2), both, threads=2)


def background(report: Report) -> None:
    """Over 100, 1,000 and 20,000 rows."""
    X = data()[0]
    weight = np.random.default_rng(1).random(len(X))
    names = {"LightGBM": lightgbm_model().feature_name(), "XGBoost": [f"f{j}" for j in range(N_FEATURES)]}
    for name, model in (("LightGBM", lightgbm_model()), ("XGBoost", xgboost_model())):
        e, small = gw.read(model), 0.0
        for n in (100, 1_000, 20_000):
            ours = afresh(e, background=X[:n])
            peers = [(Peer("woodelf", woodelf(model, names[name], n)), 20.0)]
            if n == 100:
                peers.append((Peer("shap", shap_rows(model, n), 100), 20.0))
            compare(report, f"{n:,} background rows, {name}", ours, peers)
            taken = report.records[-1].ours
            small = small or taken
            ours = afresh(e, background=X[:n], n_jobs=2)
            compare(report, f"{n:,} background rows, {name}", ours, peers, threads=2)
        report.add(Record(f"20,000 background rows, {name}", taken, "ours over 100", small, Goal("share", 2)))
        weighted = min(alternate([afresh(e, background=X, sample_weight=weight)], 3))
        report.add(Record(f"20,000 weighted background rows, {name}", weighted))


def forest(report: Report) -> None:
    """Two trees grown to purity."""
    X, e = data()[0], gw.read(forest_model())
    few, names = (200 if report.quick else 1_000), [f"f{j}" for j in range(N_FEATURES)]
    what = f"forest, 2 trees of {e.n_leaves // 2:,} leaves"
    peers: list[tuple[Peer, float | None]] = [
        (Peer("woodelf", woodelf(forest_model(), names)), 15),
        (Peer("shap", shap_path(forest_model()), few), 40),
    ]
    asked = peers[1:] if report.quick else peers
    compare(report, f"path, {what}", afresh(e), asked)
    compare(report, f"path, {what}", afresh(e, n_jobs=2), asked, threads=2)
    for n, goal in ((100, 10), (1_000, 30)):
        peers = [(Peer("shap", shap_rows(forest_model(), n), 100 if n == 100 else 20), goal)]
        if not report.quick:
            peers.append((Peer("woodelf", woodelf(forest_model(), names, n)), goal))
        for threads in (1, 2):
            ours = afresh(e, background=X[:n], n_jobs=threads)
            compare(report, f"{n:,} background rows, {what}", ours, peers, threads)


def interactions(report: Report) -> None:
    """Pair matrices."""
    X, few = data()[0], 50 if report.quick else 200
    names = {"LightGBM": lightgbm_model().feature_name(), "XGBoost": [f"f{j}" for j in range(N_FEATURES)]}
    for name, model in (("LightGBM", lightgbm_model()), ("XGBoost", xgboost_model())):
        e = gw.read(model)
        peers: list[tuple[Peer, float | None]] = [
            (Peer("woodelf", woodelf(model, names[name], pairs=True)), 10),
            (Peer("shap", shap_path(model, pairs=True), few), 150),
        ]
        for threads in (1, 2):
            own = Peer("XGBoost", xgboost_own(threads, pred_interactions=True), few, threads)
            asked = [*peers, (own, 500.0)] if name == "XGBoost" else peers
            ours = afresh(e, interactions=True, n_jobs=threads)
            compare(report, f"interactions by path, {name}", ours, asked, threads)
        over = [(Peer("woodelf", woodelf(model, names[name], 1_000, pairs=True)), 10.0)]
        work = f"interactions, 1,000 background rows, {name}"
        for threads in (1, 2):
            ours = afresh(e, background=X[:1_000], interactions=True, n_jobs=threads)
            compare(report, work, ours, over, threads)
    cat = gw.read(catboost_model())
    for threads in (1, 2):
        own = Peer("CatBoost", catboost_own("ShapInteractionValues", threads), few, threads)
        ours = afresh(cat, interactions=True, n_jobs=threads)
        compare(report, "interactions by path, CatBoost", ours, [(own, 10)], threads)


def single(report: Report) -> None:
    """One row."""
    X, model = data()[0], lightgbm_model()
    e, one = gw.read(model), X[:1]
    explain, over = gw.attributor(e), gw.attributor(e, background=X)
    theirs, planned, ready, rows = alternate(
        [
            lambda: model.predict(one, pred_contrib=True, num_threads=1),
            lambda: gw.attributions(e, one),
            lambda: explain(one),
            lambda: over(one),
        ],
        50 if report.quick else 300,
    )
    report.add(Record("one row by path, the plan kept", planned, "LightGBM", theirs, Goal("at most", 0.010)))
    report.add(Record("one row by path, attributor", ready, "LightGBM", theirs, Goal("at most", 0.001)))
    report.add(Record("one row over 20,000 rows, attributor", rows, goal=Goal("at most", 0.001)))
    import pandas as pd
    import polars as pl

    for kind, table in (
        ("pandas", pd.DataFrame(one, columns=e.feature_names)),
        ("polars", pl.DataFrame(one, schema=list(e.feature_names))),
    ):
        calls = [
            partial(model.predict, table, pred_contrib=True, num_threads=1),
            partial(explain, table),
            partial(over, table),
        ]
        theirs, ready, rows = alternate(calls, 50 if report.quick else 300)
        report.add(Record(f"one row of {kind} by path, attributor", ready, "LightGBM", theirs))
        report.add(Record(f"one row of {kind} over 20,000 rows, attributor", rows))


def large(report: Report) -> None:
    """200,000 and a million rows, in a separate process whose memory is measured."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.txt"
        lightgbm_model().save_model(file)
        for n_rows in (200_000,) if report.quick else (200_000, 1_000_000):
            found = ask_child(__file__, str(file), str(n_rows))
            goal = Goal("at most", 1.5) if n_rows == 200_000 else None
            report.add(Record(f"{n_rows:,} rows by path, LightGBM 300 × 31", found["seconds"], goal=goal))
            work = f"{n_rows:,} rows by path: memory beyond table and result"
            report.add(Record(work, found["more"], unit="MB", goal=Goal("at most", 64)))


def child(file: str, n_rows: str) -> dict[str, float]:
    """What `large` measures."""
    e, X = gw.read(file), data(int(n_rows))[0]
    gw.attributions(e, X[:10_000])
    before = forget_peak()
    kept: list[Any] = []
    taken = seconds(lambda: kept.append(gw.attributions(e, X)))
    result = sum(part.nbytes for part in (kept[0].values, kept[0].raw, kept[0].prediction))
    return {"seconds": taken, "more": (peak() - before - result) / 1e6}


if __name__ == "__main__":
    works = {
        "path": path,
        "background": background,
        "forest": forest,
        "interactions": interactions,
        "single": single,
        "large": large,
    }
    run_command("attributions", __doc__, works, child)
