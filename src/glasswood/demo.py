"""The demo: a forest learns who survived the Titanic, and glasswood reads it and proves it."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.data import load_titanic
from glasswood.errors import MissingDependencyError
from glasswood.readers import read

FEATURES = ("pclass", "sex", "age", "sibsp", "parch", "fare", "embarked")


def demo(say: Callable[[str], None]) -> None:
    """Train, read, check, and say what was found."""
    try:
        from sklearn.ensemble import RandomForestClassifier
    except ImportError:
        raise MissingDependencyError(
            "the demo trains a scikit-learn forest: pip install 'glasswood[sklearn]'"
        ) from None
    X, y = passengers()
    forest = RandomForestClassifier(200, min_samples_leaf=3, random_state=0).fit(X, y)
    say(f"{len(y):,} passengers, {len(FEATURES)} features, {np.isnan(X.to_numpy()).sum():,} values missing\n")
    ensemble = read(forest, X)
    say(f"{ensemble}\n")
    say("The first passenger: glasswood says")
    say(f"  {ensemble.predict(X[:1])[0]:.12f}, scikit-learn says\n  {forest.predict_proba(X[:1])[0, 1]:.12f}.")


def passengers() -> tuple[Any, NDArray[np.int64]]:
    """Features and target; text becomes the number of its level, as scikit-learn's forests need."""
    table = load_titanic("pandas")
    X = table[list(FEATURES)].copy()
    for name in ("sex", "embarked"):
        codes = X[name].astype("category").cat.codes
        X[name] = codes.astype(float).where(codes >= 0)
    return X, table["survived"].to_numpy(dtype=np.int64)
