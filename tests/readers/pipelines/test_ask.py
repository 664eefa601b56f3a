"""What scikit-learn is asked about a pipeline."""

import tracemalloc

import numpy as np
import pandas as pd
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import glasswood as gw


def test_a_pipeline_of_thousands_of_encoded_levels_is_checked_without_a_dense_copy() -> None:
    n, n_levels = 4_000, 4_000
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"id": rng.permutation(n_levels).astype(str), "x": rng.integers(0, 9, n).astype(str)})
    model = make_pipeline(OneHotEncoder(), gw.BoostingRegressor(n_estimators=2)).fit(X, rng.normal(size=n))
    gw.read(model, X[:5])  # loads what is loaded late
    tracemalloc.start()
    ensemble = gw.read(model, X)
    assert tracemalloc.get_traced_memory()[1] < 60e6  # a dense copy has 128 MB
    tracemalloc.stop()
    assert ensemble.source.parity is not None
    assert (ensemble.source.parity.n_rows, ensemble.source.parity.leaves_equal) == (n, True)
