"""The peers' side of bench_prove.py: runs in the environment of one peer and prints its figures as JSON.

Called with what is asked, the name of a function below, and a folder that holds the model and the arrays.
"""

import json
import os
import sys
import time
from importlib.metadata import version
from pathlib import Path
from statistics import median

import numpy as np

from compiled_c import compile_c, predictions

# importing peers may print; only answers go to the caller
answers = os.fdopen(os.dup(1), "w", buffering=1)
os.dup2(2, 1)
what, folder = sys.argv[1], Path(sys.argv[2])


def booster():
    """The XGBoost model."""
    import xgboost as xgb

    model = xgb.Booster()
    model.load_model(folder / "model.json")
    return model


def array(name: str) -> np.ndarray:
    """An array that was handed over."""
    return np.load(folder / f"{name}.npy")


def around() -> dict:
    """Veritas: largest and least output around each row, proved; median over rows."""
    import veritas

    trees = veritas.get_addtree(booster())
    radius, limit = array("settings")
    times, n_proven = [], 0
    for row in array("rows"):
        box = [veritas.Interval(value - radius, value + radius) for value in row]
        begun = time.perf_counter()
        optimal = True
        for heuristic in (veritas.HeuristicType.MAX_OUTPUT, veritas.HeuristicType.MIN_OUTPUT):
            search = veritas.Config(heuristic).get_search(trees.prune(box), box)
            search.step_for(limit, 100)
            optimal &= search.is_optimal()
        times.append(time.perf_counter() - begun)
        n_proven += optimal
    return {"seconds": median(times), "proven": n_proven}


def anywhere() -> dict:
    """Veritas: bound of the largest output after some seconds, and the largest that it found."""
    import veritas

    trees = veritas.get_addtree(booster())
    search = veritas.Config(veritas.HeuristicType.MAX_OUTPUT).get_search(trees)
    search.step_for(float(array("settings")[0]), 1000)
    found = search.get_solution(0).output if search.num_solutions() else None
    return {"bound": search.current_bounds().best, "found": found}


def nearest() -> dict:
    """Veritas: largest change of a feature that leaves the class as it is, median over rows."""
    import veritas
    from veritas import robustness

    trees = veritas.get_addtree(booster())
    (limit,) = array("settings")
    times = []
    for row in array("rows"):
        positive = trees.eval(row[None])[0][0] > 0
        source, target = (trees, None) if positive else (None, trees)
        begun = time.perf_counter()
        robustness.VeritasRobustnessSearch(row, 1.0, source, target, max_time=limit, silent=True).search()
        times.append(time.perf_counter() - begun)
    return {"seconds": median(times)}


def m2cgen() -> dict:
    """m2cgen: the model as C, compiled, and how far its probabilities are off."""
    import m2cgen as m2c
    import xgboost as xgb

    model = xgb.XGBClassifier()
    model.load_model(folder / "model.json")
    model.set_params(base_score=0.5)  # a loaded model has a text there, which m2cgen does not take
    sys.setrecursionlimit(100_000)
    begun = time.perf_counter()
    text = m2c.export_to_c(model)
    taken = time.perf_counter() - begun
    source = folder / "model.c"
    source.write_text(text)
    library, compiling = compile_c(source)
    error = np.abs(predictions(library, "score", array("rows"), 2)[:, 1] - array("expected"))
    return {
        "seconds": taken,
        "bytes": source.stat().st_size,
        "compiling": compiling,
        "error": float(error.max()),
        "wrong": int((error > 1e-6).sum()),
    }


def dice() -> dict:
    """DiCE: one counterfactual by random search on a scikit-learn model of the same size, median over rows."""
    import dice_ml
    import pandas as pd
    from sklearn.ensemble import HistGradientBoostingClassifier

    X, y, rows = array("X"), array("y"), array("rows")
    names = [f"x{j}" for j in range(X.shape[1])]
    model = HistGradientBoostingClassifier(max_iter=100, max_depth=6, random_state=0).fit(
        pd.DataFrame(X, columns=names), y
    )
    data = dice_ml.Data(
        dataframe=pd.DataFrame(X, columns=names).assign(y=y), continuous_features=names, outcome_name="y"
    )
    explainer = dice_ml.Dice(data, dice_ml.Model(model=model, backend="sklearn"), method="random")
    times = []
    for row in rows:
        begun = time.perf_counter()
        explainer.generate_counterfactuals(
            pd.DataFrame([row], columns=names), total_CFs=1, desired_class="opposite", random_seed=0, verbose=False
        )
        times.append(time.perf_counter() - begun)
    return {"seconds": median(times)}


def optbinning() -> dict:
    """optbinning: a scorecard of logistic regression on at most 8 bins a feature, and its AUC on new rows."""
    import pandas as pd
    from optbinning import BinningProcess, Scorecard
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score

    X, y, rows, truth = array("X"), array("y"), array("rows"), array("truth")
    names = [f"x{j}" for j in range(X.shape[1])]
    begun = time.perf_counter()
    process = BinningProcess(names, max_n_bins=8)
    card = Scorecard(binning_process=process, estimator=LogisticRegression(max_iter=1000))
    card.fit(pd.DataFrame(X, columns=names), y)
    taken = time.perf_counter() - begun
    score = card.predict_proba(pd.DataFrame(rows, columns=names))[:, 1]
    return {"seconds": taken, "area": float(roc_auc_score(truth, score))}


def xbooster() -> dict:
    """xBooster: a scorecard of stumps, and how far its rounded points are from raw, on the scale of raw."""
    import pandas as pd
    import xgboost as xgb
    from xbooster.constructor import XGBScorecardConstructor

    X, y = array("X"), array("y")
    table = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    model = xgb.XGBClassifier()
    model.load_model(folder / "model.json")
    begun = time.perf_counter()
    maker = XGBScorecardConstructor(model, table, pd.Series(y))
    maker.construct_scorecard()
    taken = time.perf_counter() - begun
    maker.create_points()
    points = maker.predict_score(table).to_numpy(dtype=float)
    raw = model.predict(table, output_margin=True).astype(float)
    slope, start = np.polyfit(raw, points, 1)
    return {"seconds": taken, "miss": float(np.abs((points - start) / slope - raw).max())}


PACKAGES = {"dice": "dice-ml", "m2cgen": "m2cgen", "optbinning": "optbinning", "xbooster": "xbooster"}
try:
    answer = globals()[what]()
    answer["version"] = version(PACKAGES.get(what, "dtai-veritas"))
except Exception as error:  # whatever a peer raises is the reason why it has no figure
    answer = {"reason": f"{what}: {type(error).__name__}: {error}"[:300]}
answers.write(json.dumps(answer) + "\n")
