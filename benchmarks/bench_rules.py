"""Rules against woodtapper 0.1.0 and imodels, side by side in one run, and how well ten rules do.

woodtapper pins scikit-learn 1.6.1, so it runs in a virtual environment of its own under build/, made on the first run,
as a subprocess on the same data. Run it on a quiet machine: ``python benchmarks/bench_rules.py [speed|large|…]``;
without arguments everything but `large` (300k × 200, about 1 GB).
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import glasswood as gw
from glasswood.data import load_titanic

PEER = Path(__file__).parent.parent / "build" / "woodtapper"
TITANIC = ["pclass", "sex", "age", "sibsp", "parch", "fare", "embarked"]
_CHILD = """
import json, sys, time
import numpy as np
from sklearn.metrics import roc_auc_score
from woodtapper.extract_rules import SirusClassifier
data = np.load(sys.argv[1]); options = json.loads(sys.argv[2]); best = 1e9
for _ in range(options.pop("repeats")):
    model = SirusClassifier(random_state=0, n_jobs=1, **options)
    begun = time.perf_counter(); model.fit(data["X"], data["y"]); best = min(best, time.perf_counter() - begun)
auc = roc_auc_score(data["y_test"], model.predict_proba(data["X_test"])[:, 1]) if "X_test" in data else None
print(json.dumps({"seconds": best, "auc": auc, "rules": len(model.rules_)}))
"""


def peer_python() -> Path | None:
    """Python of the peer's environment, made on the first run; None where it cannot be made."""
    python = PEER / "bin" / "python"
    if not (PEER / "ready").exists():
        venv.create(PEER, with_pip=True, clear=True)
        # pandas: woodtapper imports it without asking for it
        install = [python, "-m", "pip", "install", "-q", "woodtapper==0.1.0", "scikit-learn==1.6.1", "pandas"]
        made = subprocess.run(install, capture_output=True, text=True, check=False)
        if made.returncode:
            print(f"  woodtapper cannot be installed here: {made.stderr.strip().splitlines()[-1]}")
            return None
        (PEER / "ready").touch()
    return python


def peer(arrays: dict[str, NDArray[Any]], **options: Any) -> dict[str, Any] | None:
    """Fit woodtapper's SirusClassifier in its own process; best of several."""
    python = peer_python()
    if python is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.npz"
        np.savez(path, **arrays)
        command = [python, "-c", _CHILD, str(path), json.dumps(options)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        print("  woodtapper failed:", run.stderr.strip().splitlines()[-1])
        return None
    return dict(json.loads(run.stdout.strip().splitlines()[-1]))


def best_of(repeats: int, work: Callable[[], Any]) -> tuple[float, Any]:
    """Shortest time, and the last result."""
    shortest, result = float("inf"), None
    for _ in range(repeats):
        begun = time.perf_counter()
        result = work()
        shortest = min(shortest, time.perf_counter() - begun)
    return shortest, result


def speed() -> None:
    """n = 10k, d = 20, 1000 trees of depth 2, one thread: at least 25 times as fast."""
    from sklearn.datasets import make_classification

    X, y = make_classification(10_000, 20, n_informative=10, random_state=0)
    ours, model = best_of(5, lambda: gw.SirusClassifier(1000, random_state=0, n_jobs=1).fit(X, y))
    theirs = peer({"X": X, "y": y}, n_estimators=1000, repeats=2)
    print(f"10k x 20, 1000 trees, 1 thread: glasswood {ours:.3f} s, {len(model.rules_)} rules", end="")
    if theirs is not None:
        print(f"; woodtapper {theirs['seconds']:.2f} s: {theirs['seconds'] / ours:.0f} times (goal 25)", end="")
    print()


def large() -> None:
    """The recipe of the WoodTapper paper at 100k and 300k rows, 2 threads; goal 10 s at 300k."""
    from sklearn.datasets import make_classification

    X, y = make_classification(
        300_000, 200, n_informative=196, n_redundant=2, n_repeated=2, flip_y=0.01, random_state=42
    )
    for n, goal in ((100_000, "paper: 13 s"), (300_000, "goal 10 s; paper: 48 s")):
        model = gw.SirusClassifier(1000, p0=0.0, max_features=14, random_state=0, n_jobs=2)
        seconds, _ = best_of(1, lambda model=model, n=n: model.fit(X[:n], y[:n]))
        print(f"{n:,} x 200, 1000 trees, mtry 14, 2 threads: {seconds:.1f} s ({goal})")


def deep() -> None:
    """No limit of depth, n = 3000, 100 trees: below 1 s and 200 MB (woodtapper 31 s, 5.5 GB)."""
    from sklearn.datasets import make_classification

    X, y = make_classification(3_000, 20, n_informative=10, random_state=0)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds, model = best_of(2, lambda: gw.SirusClassifier(100, max_depth=None, p0=0.0, random_state=0).fit(X, y))
    more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    nodes = model.forest_.n_nodes
    print(f"3k x 20, 100 trees of any depth ({nodes:,} nodes): {seconds:.2f} s, {more:.0f} MB more (goals 1 s, 200 MB)")


def weights() -> None:
    """Regression weights of 25 rules: below 20 ms."""
    from glasswood.explain._rule_fit import rule_outputs
    from glasswood.explain._rule_weights import rule_weights

    rng = np.random.default_rng(0)
    x = rng.normal(size=(10_000, 25))
    masks, y = x > rng.normal(size=25) * 0.5, x[:, :5].sum(axis=1) + rng.normal(size=10_000)
    weight, mean = np.ones(10_000), float(y.mean())
    _, inside, outside = rule_outputs(masks, y[:, None] - mean, weight)
    seconds, _ = best_of(
        5, lambda: rule_weights(masks, inside[:, 0], outside[:, 0], y, weight, mean=mean, l2=None, seed=0)
    )
    print(f"weights of 25 rules on 10k rows, 51 penalties x 10 folds: {seconds * 1e3:.1f} ms (goal 20)")


def quality() -> None:
    """Five-fold scores and their goals."""
    from sklearn.datasets import load_breast_cancer, load_diabetes
    from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score

    X, y = load_breast_cancer(return_X_y=True)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    model = gw.SirusClassifier(1000, p0=0.0, max_rules=10, random_state=0)
    print(f"breast_cancer, 10 rules: AUC {cross_val_score(model, X, y, cv=folds, scoring='roc_auc').mean():.4f} (.979)")
    X, y = load_diabetes(return_X_y=True)
    rows = KFold(5, shuffle=True, random_state=0)
    for name, cv in (("shuffled", rows), ("in order", KFold(5))):
        r2 = cross_val_score(gw.SirusRegressor(1000, random_state=0), X, y, cv=cv).mean()
        print(f"diabetes, {name}: R² {r2:.3f} (.41)")
    passengers = load_titanic("pandas")
    for n in (10, 14):
        model = gw.SirusClassifier(1000, p0=0.0, max_rules=n, random_state=0)
        auc = cross_val_score(
            model, passengers[TITANIC], passengers["survived"].astype(int), cv=folds, scoring="roc_auc"
        )
        print(f"titanic, {n} rules: AUC {auc.mean():.4f} (.82 with at most 14)")


def peers() -> None:
    """Ten rules of each on a held-out fifth of breast_cancer."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import train_test_split

    X, X_test, y, y_test = train_test_split(*load_breast_cancer(return_X_y=True), test_size=0.2, random_state=0)
    seconds, model = best_of(2, lambda: gw.SirusClassifier(1000, p0=0.0, max_rules=10, random_state=0).fit(X, y))
    auc = roc_auc_score(y_test, model.predict_proba(X_test)[:, 1])
    print(f"breast_cancer, 10 rules: glasswood AUC {auc:.4f} in {seconds:.2f} s")
    arrays = {"X": X, "y": y, "X_test": X_test, "y_test": y_test}
    found = peer(arrays, n_estimators=1000, p0=0.0, max_n_rules=10, repeats=1)
    if found is not None:
        print(f"  woodtapper AUC {found['auc']:.4f} in {found['seconds']:.2f} s, {found['rules']} rules")
    try:
        from imodels import RuleFitClassifier
    except ImportError:
        print("  imodels is not installed")
        return
    seconds, fit = best_of(1, lambda: RuleFitClassifier(max_rules=10, random_state=0).fit(X, y))
    print(f"  imodels RuleFit AUC {roc_auc_score(y_test, fit.predict_proba(X_test)[:, 1]):.4f} in {seconds:.2f} s")


if __name__ == "__main__":
    works = {work.__name__: work for work in (speed, deep, weights, quality, peers, large)}
    for name in sys.argv[1:] or [name for name in works if name != "large"]:
        works[name]()
