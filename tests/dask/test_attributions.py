"""attributions: workers explain their rows; what they return has the bits of the same call in memory."""

from typing import Any

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

import glasswood as gw
import glasswood.dask as gwd
from glasswood.errors import OptionError, TableError
from glasswood.explain.attributions import _engine


def problem() -> tuple[pd.DataFrame, Any, Any]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=120), "b": rng.normal(size=120), "c": rng.integers(0, 3, 120).astype(float)})
    model = gw.BoostingRegressor(n_estimators=4, max_depth=3).fit(X, X["a"] * X["b"] + X["c"])
    return X, model, dd.from_pandas(X, npartitions=5)


def test_collections_are_taken_as_rows_and_as_background() -> None:
    X, model, frame = problem()
    wanted = gw.attributions(model, X, background=X)
    assert gwd.attributions(model, frame, background=frame).values.tobytes() == wanted.values.tobytes()
    assert gwd.attributions(model, X, background=frame).values.tobytes() == wanted.values.tobytes()
    found = gwd.attributions(model, frame, background=X)
    assert found.values.tobytes() == wanted.values.tobytes() and found.n_background == 120
    assert gwd.attributions(model, X, background=X).values.tobytes() == wanted.values.tobytes()
    assert found.to_frame().equals(wanted.to_frame())
    assert repr(found[3]) == repr(wanted[3]) and found.importance().to_dict() == wanted.importance().to_dict()
    assert found.grouped({"ab": ["a", "b"]}).values.tobytes() == wanted.grouped({"ab": ["a", "b"]}).values.tobytes()


def test_several_outputs_of_an_array() -> None:
    X, _, _ = problem()
    rows = X.to_numpy()
    model = gw.BoostingClassifier(n_estimators=2).fit(rows, np.arange(120) % 3)
    parts = da.from_array(rows, chunks=(50, 3))
    for options in ({}, {"output": 1, "features": [2, 0]}, {"interactions": True}):
        given: dict[str, Any] = options
        found, wanted = gwd.attributions(model, parts, **given), gw.attributions(model, rows, **given)
        assert found.to_dict() == wanted.to_dict()


def test_what_is_wrong_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    X, model, frame = problem()
    with pytest.raises(TableError, match="background has 5 partitions and sample_weight has 1"):
        gwd.attributions(model, X, background=frame, sample_weight=da.ones(120, chunks=120))
    with pytest.raises(TableError, match="no partition of X has a row"):
        gwd.attributions(model, frame[frame["a"] > 99])
    wrong = frame.map_partitions(lambda part: part.assign(b="no number") if 80 in part.index else part, meta=X)
    with pytest.raises(TableError, match=r"partition 3: .*'b'"):
        gwd.attributions(model, wrong)
    monkeypatch.setattr(_engine, "_MAX_BYTES", 5_000)
    with pytest.raises(OptionError, match="interactions of 120 rows and 3 features"):
        gwd.attributions(model, frame, interactions=True)
