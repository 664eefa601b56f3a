"""The peers' side of bench_prove.py: runs in the environment of one peer and prints the seconds that it took.

Called with what is asked (maximum, nearest, m2cgen or dice) and a folder that holds the model and the rows.
"""

import json
import os
import sys
import time
from pathlib import Path
from statistics import median

import numpy as np

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


def maximum() -> float:
    """Veritas: largest and least output, proved."""
    import veritas

    trees = veritas.get_addtree(booster())
    begun = time.perf_counter()
    for heuristic in (veritas.HeuristicType.MAX_OUTPUT, veritas.HeuristicType.MIN_OUTPUT):
        search = veritas.Config(heuristic).get_search(trees)
        search.step_for(60.0, 1000)
    return time.perf_counter() - begun


def nearest() -> float:
    """Veritas: largest change of a feature that leaves the class as it is, median over rows."""
    import veritas
    from veritas import robustness

    trees = veritas.get_addtree(booster())
    times = []
    for row in np.load(folder / "rows.npy"):
        positive = trees.eval(row[None])[0][0] > 0
        source, target = (trees, None) if positive else (None, trees)
        begun = time.perf_counter()
        robustness.VeritasRobustnessSearch(source, target, row, start_delta=1.0).search()
        times.append(time.perf_counter() - begun)
    return median(times)


def m2cgen() -> float:
    """m2cgen: the model as C."""
    import m2cgen as m2c
    import xgboost as xgb

    model = xgb.XGBClassifier()
    model.load_model(folder / "model.json")
    sys.setrecursionlimit(100_000)
    begun = time.perf_counter()
    m2c.export_to_c(model)
    return time.perf_counter() - begun


def dice() -> float:
    """DiCE: one counterfactual by random search on a scikit-learn model of the same size, median over rows."""
    import dice_ml
    import pandas as pd
    from sklearn.ensemble import HistGradientBoostingClassifier

    X, y, rows = (np.load(folder / f"{name}.npy") for name in ("X", "y", "rows"))
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
    return median(times)


answers.write(json.dumps(globals()[what]()) + "\n")
