"""predict: lazy, with the index of the rows and the bits of the model in memory."""

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd

import glasswood as gw
import glasswood.dask as gwd


def test_predictions_have_the_index_and_bits_of_the_rows_in_memory() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=60), "b": rng.normal(size=60)}, index=np.arange(60) * 2)
    model = gw.BoostingRegressor(n_estimators=3).fit(X, X["a"])
    lazy = gwd.predict(model, dd.from_pandas(X, npartitions=4))
    assert lazy.dtype == np.float64
    found = lazy.compute()
    assert found.index.equals(X.index) and found.to_numpy().tobytes() == model.predict(X).tobytes()
    ensemble = gw.BoostingRegressor(n_estimators=3).fit(X.to_numpy(), X["a"]).ensemble_
    array = gwd.predict(ensemble, da.from_array(X.to_numpy(), chunks=(25, 2)))
    assert array.shape == (60,) and array.compute().tobytes() == ensemble.predict(X.to_numpy()).tobytes()


def test_a_model_of_several_outputs_has_a_column_for_each() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=60)})
    model = gw.BoostingClassifier(n_estimators=2).fit(X, np.arange(60) % 3)
    frame = gwd.predict(model, dd.from_pandas(X, npartitions=2))
    assert list(frame.columns) == ["0", "1", "2"]
    assert frame.compute().to_numpy().tobytes() == model.predict_proba(X).tobytes()
