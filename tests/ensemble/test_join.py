"""Trees of two ensembles in one."""

import numpy as np
import pandas as pd

import glasswood as gw
from glasswood.ensemble import join


def test_a_joined_model_adds_up_both() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=200), "k": pd.Categorical(rng.choice(["x", "y", "z"], 200))})
    y = X["a"].to_numpy() + (X["k"] == "y").to_numpy()
    first, later = (
        gw.BoostingRegressor(n_estimators=5, random_state=seed, subsample=0.7).fit(X, y).ensemble_ for seed in (1, 2)
    )
    both = join(first, later)
    assert both.n_trees == 10
    expected = first.predict_raw(X) + later.predict_raw(X) - later.baseline
    np.testing.assert_allclose(both.predict_raw(X), expected, rtol=1e-12)
