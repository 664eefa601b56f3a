"""A model file and a table for the tests of commands."""

from pathlib import Path

import numpy as np
import pandas as pd

from glasswood.data import load_titanic

FEATURES = ["pclass", "sex", "age", "sibsp", "parch", "fare", "embarked"]


def titanic_files(folder: Path) -> tuple[str, str]:
    """A LightGBM model of the Titanic and the table it was trained on, with columns it does not know."""
    import lightgbm as lgb

    passengers = load_titanic("pandas").astype({"survived": int})
    passengers["mass"] = np.arange(len(passengers)) % 3 + 1.0
    X = passengers[FEATURES].astype({"sex": "category", "embarked": "category"})
    model = lgb.LGBMClassifier(n_estimators=20, num_leaves=7, verbose=-1, n_jobs=1).fit(X, passengers["survived"])
    model.booster_.save_model(folder / "model.txt")
    passengers.to_csv(folder / "rows.csv", index=False)
    return str(folder / "model.txt"), str(folder / "rows.csv")


def read_back(path: Path) -> pd.DataFrame:
    """What a command wrote."""
    return pd.read_csv(path) if path.suffix == ".csv" else pd.read_parquet(path)
