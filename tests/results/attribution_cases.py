"""Small attributions, with one output and with two, with interactions and a category."""

import numpy as np
import pandas as pd

import glasswood as gw

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "size": RNG.normal(size=120),
        "wood": pd.Categorical(RNG.choice(["oak", "pine", "elm"], 120)),
        "age": np.where(RNG.random(120) < 0.2, np.nan, RNG.integers(1, 9, 120).astype(float)),
        "idle": np.ones(120),
    }
)
SCORE = FRAME["size"] * (FRAME["wood"] == "oak") + 0.3 * FRAME["age"].fillna(12)


def regression() -> gw.Attributions:
    model = gw.BoostingRegressor(n_estimators=15, max_depth=3).fit(FRAME, SCORE)
    return gw.attributions(model, FRAME, background=FRAME, interactions=True)


def classes() -> gw.Attributions:
    model = gw.BoostingClassifier(n_estimators=6, max_depth=3).fit(FRAME, np.digitize(SCORE, [1.0, 2.0]))
    return gw.attributions(model, FRAME, interactions=True)


def two_classes() -> gw.Attributions:
    model = gw.BoostingClassifier(n_estimators=6, max_depth=3).fit(FRAME, SCORE > 1.5)
    return gw.attributions(model, FRAME)


def some_features() -> gw.Attributions:
    model = gw.BoostingClassifier(n_estimators=6, max_depth=3).fit(FRAME, np.digitize(SCORE, [1.0, 2.0]))
    return gw.attributions(model, FRAME, interactions=True, features=["wood", "size"])


REGRESSION, CLASSES, TWO_CLASSES, SOME = regression(), classes(), two_classes(), some_features()
