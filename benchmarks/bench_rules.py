"""Rules against woodtapper 0.1.0 and imodels, alternating in one run, and how accurate ten rules are.

Both peers need an older scikit-learn, so each gets a virtual environment under build/peers, made on the first run, and
fits in a separate process on the same data; only the fit is timed. woodtapper draws as many features at a node as
glasswood. On a quiet machine: ``python benchmarks/bench_rules.py [--quick] [speed|depth|weights|quality|paper]``.
"""

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import glasswood as gw
from command import ask_child, run_command
from glasswood.data import load_titanic
from memory import forget_peak, peak
from peers import PeerMissingError, PeerProcess, peer_python, woodtapper_python
from record import Goal, Record, Report
from timing import seconds

WOODTAPPER, IMODELS = "woodtapper", "imodels RuleFit"
TITANIC = ["pclass", "sex", "age", "sibsp", "parch", "fare", "embarked"]
Arrays = tuple[NDArray[Any], NDArray[Any]]


def started(name: str) -> PeerProcess:
    """A peer that fits on request."""
    if name == WOODTAPPER:
        python, estimator = woodtapper_python(), "woodtapper.extract_rules:SirusClassifier"
    else:
        # it imports six without asking for it, and speaks to scikit-learn as before 1.8
        python = peer_python("imodels", "imodels==2.0.4", "scikit-learn==1.6.1", "six")
        estimator = "imodels:RuleFitClassifier"
    return PeerProcess(name, python, "peer_rules.py", estimator)


def fitted(peer: PeerProcess, data: Arrays, test: NDArray[Any] | None = None, **options: Any) -> dict[str, Any]:
    """The time and the result of a fit of the peer."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "data.npz"
        np.savez(file, X=data[0], y=data[1], **({} if test is None else {"X_test": test}))
        request = {"file": str(file), "options": {"random_state": 0, **options}}
        return dict(json.loads(peer.ask(json.dumps(request))))


def generate(n_rows: int, n_features: int = 20) -> Arrays:
    """Two classes that differ in ten features."""
    from sklearn.datasets import make_classification

    return make_classification(n_rows, n_features, n_informative=10, random_state=0)


def speed(report: Report) -> None:
    """n = 10,000, d = 20, 1,000 trees of depth 2, one thread, equal mtry."""
    data, rounds, work = generate(10_000), 2 if report.quick else 5, "fit, 10,000 × 20"
    for mtry, goal in ((6, Goal("factor", 25)), (4, None)):
        ours, theirs = [], []
        with started(WOODTAPPER) as peer:
            for _ in range(rounds):
                options = {"n_estimators": 1000, "max_features": mtry, "n_jobs": 1}
                theirs.append(fitted(peer, data, **options)["seconds"])
                mine = gw.SirusClassifier(**options, random_state=0)
                ours += [seconds(lambda mine=mine: mine.fit(*data)) for _ in range(3)]
        note = f"1,000 trees of depth 2, mtry {mtry}" + (" = p/3" if mtry == 6 else " = √p, the peer's default")
        report.add(Record(work, min(ours), WOODTAPPER, min(theirs), goal, note=note))
    with started(IMODELS) as peer:
        theirs = [fitted(peer, data, max_rules=25)["seconds"] for _ in range(1 if report.quick else 2)]
    mine = gw.SirusClassifier(random_state=0, n_jobs=1)
    ours = [seconds(lambda: mine.fit(*data)) for _ in range(rounds)]
    report.add(Record(work, min(ours), IMODELS, min(theirs), note="25 rules each, their own defaults"))


def paper(report: Report) -> None:
    """The recipe of the WoodTapper paper at 100k and 300k × 200, mtry 14, two threads each."""
    from sklearn.datasets import make_classification

    sizes = (5_000,) if report.quick else (100_000, 300_000)
    X, y = make_classification(
        sizes[-1], 200, n_informative=196, n_redundant=2, n_repeated=2, flip_y=0.01, random_state=42
    )
    options = {"n_estimators": 1000, "p0": 0.0, "max_features": 14, "n_jobs": 2}
    for n in sizes:
        mine = gw.SirusClassifier(**options, random_state=0)
        ours = [seconds(lambda mine=mine, n=n: mine.fit(X[:n], y[:n])) for _ in range(2)]
        theirs = None
        if n <= 100_000:  # at 300k woodtapper needs minutes and many gigabytes: the paper's own figure is stated
            with started(WOODTAPPER) as peer:
                theirs = fitted(peer, (X[:n], y[:n]), **options)["seconds"]
        goal = Goal("at most", 10.0) if n == 300_000 else None
        stated = {100_000: "; paper: 13 s", 300_000: "; paper: 48 s in Python, 46 s in R on 5 faster threads"}.get(
            n, ""
        )
        note = f"1,000 trees of depth 2, mtry 14{stated}"
        name = None if theirs is None else WOODTAPPER
        report.add(Record(f"fit, {n:,} × 200", min(ours), name, theirs, goal, threads=2, note=note))


def depth(report: Report) -> None:
    """No limit of depth, n = 3,000, 100 trees: time and memory."""
    data = generate(3_000)
    options = {"n_estimators": 100, "max_depth": None, "p0": 0.0}
    theirs: dict[str, Any] = {}
    if not report.quick:
        with started(WOODTAPPER) as peer:
            try:
                theirs = fitted(peer, data, **options, max_features=6)
            except PeerMissingError as error:
                print(error)
    found = ask_child(__file__, json.dumps(options))
    name = WOODTAPPER if theirs else None
    work, note = "fit, 3,000 × 20, any depth", f"100 trees, {found['nodes']:,} nodes"
    report.add(Record(work, found["seconds"], name, theirs.get("seconds"), Goal("at most", 1.0), note=note))
    note = "peak; ours: beyond what the process held before the fit"
    report.add(Record(work, found["more"], name, theirs.get("peak"), Goal("at most", 200.0), unit="MB", note=note))


def deep_child(options: str) -> dict[str, float]:
    """The fit of `depth` in a separate process, so that its peak memory can be measured."""
    data = generate(3_000)
    gw.SirusClassifier(10, random_state=0).fit(data[0][:100], data[1][:100])
    before = forget_peak()
    model = gw.SirusClassifier(**json.loads(options), random_state=0)
    took = min(seconds(lambda: model.fit(*data)) for _ in range(3))
    return {"seconds": took, "more": (peak() - before) / 1e6, "nodes": model.forest_.n_nodes}


def weights(report: Report) -> None:
    """Regression weights of 25 rules on 10,000 rows: 51 penalties × 10 folds."""
    from glasswood.explain.rules._fit import rule_outputs
    from glasswood.explain.rules._weights import rule_weights

    rng = np.random.default_rng(0)
    x = rng.normal(size=(10_000, 25))
    masks, y = x > rng.normal(size=25) * 0.5, x[:, :5].sum(axis=1) + rng.normal(size=10_000)
    weight, mean = np.ones(10_000), float(y.mean())
    _, inside, outside = rule_outputs(masks, y[:, None] - mean, weight)
    took = min(
        seconds(lambda: rule_weights(masks, inside[:, 0], outside[:, 0], y, weight, mean=mean, l2=None, seed=0))
        for _ in range(5)
    )
    note = "25 rules, 10,000 rows, 51 penalties × 10 folds"
    report.add(Record("regression weights", took, goal=Goal("at most", 0.02), note=note))


def quality(report: Report) -> None:
    """Five-fold scores, with the peers on the same folds."""
    from sklearn.datasets import load_breast_cancer, load_diabetes
    from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score

    X, y = load_breast_cancer(return_X_y=True)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    model = gw.SirusClassifier(1000, p0=0.0, max_rules=10, random_state=0)
    ours = cross_val_score(model, X, y, cv=folds, scoring="roc_auc").mean()
    asked = ((WOODTAPPER, {"n_estimators": 1000, "p0": 0.0, "max_n_rules": 10}), (IMODELS, {"max_rules": 10}))
    for name, options in asked:
        theirs = peer_auc(name, X, y, folds, options)
        goal = Goal("at least", 0.979)
        report.add(Record("breast_cancer, 5 folds", ours, name, theirs, goal, unit="AUC", note="10 rules each"))
    X, y = load_diabetes(return_X_y=True)
    for name, cv in (("shuffled", KFold(5, shuffle=True, random_state=0)), ("in order", KFold(5))):
        r2 = cross_val_score(gw.SirusRegressor(1000, random_state=0), X, y, cv=cv).mean()
        report.add(Record("diabetes, 5 folds", r2, goal=Goal("at least", 0.41), unit="R²", note=name))
    passengers = load_titanic("pandas")
    survived = passengers["survived"].astype(int)
    for n in (10, 14):
        model = gw.SirusClassifier(1000, p0=0.0, max_rules=n, random_state=0)
        auc = cross_val_score(model, passengers[TITANIC], survived, cv=folds, scoring="roc_auc").mean()
        goal = Goal("at least", 0.82) if n == 14 else None
        report.add(Record("Titanic, 5 folds", auc, goal=goal, unit="AUC", note=f"{n} rules"))


def peer_auc(name: str, X: NDArray[Any], y: NDArray[Any], folds: Any, options: dict[str, Any]) -> float:
    """Mean AUC of a peer over the folds."""
    from sklearn.metrics import roc_auc_score

    found = []
    with started(name) as peer:
        for train, test in folds.split(X, y):
            probability = fitted(peer, (X[train], y[train]), X[test], **options)["probability"]
            found.append(roc_auc_score(y[test], probability))
    return float(np.mean(found))


def with_peers(work: Any) -> Any:
    """Run the work, or print why it cannot be done here."""

    def run(report: Report) -> None:
        try:
            work(report)
        except PeerMissingError as error:
            print(error)

    return run


if __name__ == "__main__":
    works = (speed, paper, depth, weights, quality)
    run_command("rules", __doc__, {work.__name__: with_peers(work) for work in works}, deep_child)
