"""Small models of every library, for comparisons that take every combination of cells or features."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import glasswood as gw
from tests.agreement.tables import COLOURS, mixed_frame, signal

N = 60


def frame(n: int = 600, seed: int = 0) -> pd.DataFrame:
    table = mixed_frame(n, seed)[["normal", "colour", "holes", "grid"]]
    return table.assign(colour=pd.Categorical(table["colour"], categories=COLOURS))


def numbers(n: int = 600, seed: int = 0) -> pd.DataFrame:
    return mixed_frame(n, seed)[["normal", "holes", "grid", "time"]]


def target(n_classes: int, n: int = 600) -> Any:
    y = signal(mixed_frame(n, 0), 0)
    return y if n_classes == 0 else np.digitize(y, np.quantile(y, np.arange(1, n_classes) / n_classes))


def lightgbm(n_classes: int) -> tuple[Any, pd.DataFrame]:
    lgb = pytest.importorskip("lightgbm")
    kind = lgb.LGBMClassifier if n_classes else lgb.LGBMRegressor
    model = kind(n_estimators=6, num_leaves=9, min_data_per_group=5, cat_smooth=1, verbose=-1, n_jobs=1)
    return model.fit(frame(), target(n_classes)), frame(N, 1)


def xgboost(n_classes: int) -> tuple[Any, pd.DataFrame]:
    xgb = pytest.importorskip("xgboost")
    kind = xgb.XGBClassifier if n_classes else xgb.XGBRegressor
    model = kind(n_estimators=6, max_depth=3, enable_categorical=True, max_cat_to_onehot=2, n_jobs=1, random_state=0)
    return model.fit(frame(), target(n_classes)), frame(N, 1)


def catboost(n_classes: int) -> tuple[Any, pd.DataFrame]:
    cat = pytest.importorskip("catboost")
    kind = cat.CatBoostClassifier if n_classes else cat.CatBoostRegressor
    model = kind(
        n_estimators=6, max_depth=3, verbose=0, thread_count=1, one_hot_max_size=10, allow_writing_files=False,
        cat_features=["colour"],
    )  # fmt: skip
    return model.fit(frame(), target(n_classes)), frame(N, 1)


def perpetual(n_classes: int) -> tuple[Any, pd.DataFrame]:
    library = pytest.importorskip("perpetual")
    objective = {0: "SquaredLoss", 2: "LogLoss", 3: "LogLoss"}[n_classes]
    model = library.PerpetualBooster(objective=objective, budget=0.3, num_threads=1)
    return model.fit(frame(), target(n_classes)), frame(N, 1)


def histogram_boosting(n_classes: int) -> tuple[Any, pd.DataFrame]:
    from sklearn import ensemble

    kind = ensemble.HistGradientBoostingClassifier if n_classes else ensemble.HistGradientBoostingRegressor
    model = kind(max_iter=6, max_leaf_nodes=8, categorical_features="from_dtype", random_state=0)
    return model.fit(frame(), target(n_classes)), frame(N, 1)


def forest(n_classes: int) -> tuple[Any, pd.DataFrame]:
    from sklearn import ensemble

    kind = ensemble.RandomForestClassifier if n_classes else ensemble.RandomForestRegressor
    return kind(6, max_depth=5, random_state=0).fit(numbers(), target(n_classes)), numbers(N, 1)


def own(n_classes: int) -> tuple[Any, pd.DataFrame]:
    kind = gw.BoostingClassifier if n_classes else gw.BoostingRegressor
    return kind(n_estimators=6, max_depth=3).fit(frame(), target(n_classes)), frame(N, 1)
