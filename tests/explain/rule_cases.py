"""Tables for the tests of rules."""

import numpy as np
import pandas as pd

from glasswood.data import load_titanic

COLUMNS = ["pclass", "sex", "age", "sibsp", "parch", "fare", "embarked"]


def titanic() -> tuple[pd.DataFrame, pd.Series]:
    passengers = load_titanic("pandas")
    return passengers[COLUMNS], passengers["survived"].astype(int)


def mixed(n: int = 300, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """Numbers with ties and gaps, and a category with gaps."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "b": rng.normal(size=n),
            "a": rng.integers(0, 5, n).astype(float),
            "colour": rng.choice(["red", "green", "blue", "teal"], n).astype(object),
        }
    )
    y = X["b"] + X["a"] * (X["colour"] == "red") + rng.normal(size=n) * 0.3
    X.loc[::7, "b"] = np.nan
    X.loc[3::11, "colour"] = None
    return X, y.to_numpy()
