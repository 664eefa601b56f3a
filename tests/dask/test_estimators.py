"""Dask estimators: the models of one process, and clear errors before work begins."""

from collections.abc import Iterator
from typing import Any

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from glasswood import BoostingClassifier, BoostingRegressor
from glasswood._progress import watched
from glasswood.dask import DaskBoostingClassifier, DaskBoostingRegressor
from glasswood.errors import OptionError, TableError
from tests.dask.clusters import cluster_of


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with cluster_of(2) as client:
        yield client


def check_same(one: Any, other: Any) -> None:
    assert one.ensemble_ == other.ensemble_ and one.ensemble_.source == other.ensemble_.source
    for name, array in one.ensemble_._arrays().items():
        assert array.tobytes() == getattr(other.ensemble_, name).tobytes(), name
    assert one.history_.values.tobytes() == other.history_.values.tobytes()
    assert one.history_.best_round == other.history_.best_round


def frame(n: int = 300) -> tuple[pd.DataFrame, pd.Series, pd.Series]:
    rng = np.random.default_rng(1)
    towns = np.sort(rng.choice(["Ayr", "Bath", "Cork", "Deal"], n))  # every partition has others
    X = pd.DataFrame({"a": rng.normal(size=n), "town": towns, "b": rng.normal(size=n).astype(np.float32)})
    y = X["a"] + (X["town"] == "Bath") + rng.normal(size=n).round(2)
    return X, y, pd.Series(rng.gamma(1.0, size=n))


def test_a_frame_gives_the_model_of_one_process(client: Any) -> None:
    X, y, weight = frame()
    options: dict[str, Any] = {"n_estimators": 4, "subsample": 0.5, "random_state": 3, "metrics": ["rmse"]}
    parts = [dd.from_pandas(table, npartitions=5) for table in (X, y, weight, y * 0.1)]
    watched = [dd.from_pandas(table.iloc[:80], npartitions=1) for table in (X, y)]
    evaluate = [(X.iloc[:80], y.iloc[:80])]
    model = DaskBoostingRegressor(**options)
    model.fit(*parts[:3], offset=parts[3], eval_set=[tuple(watched)], client=client)
    check_same(BoostingRegressor(**options).fit(X, y, weight, offset=y * 0.1, eval_set=evaluate), model)
    local = model.to_local()
    assert type(local) is BoostingRegressor and local.get_params() == model.get_params()
    found = model.predict(parts[0])
    assert found.compute().to_numpy().tobytes() == local.predict(X).tobytes()
    assert clone(model).get_params() == model.get_params()


def test_an_array_gives_the_classifier_of_one_process(client: Any) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(240, 3)), np.sort(rng.integers(0, 3, 240))
    options: dict[str, Any] = {"n_estimators": 3, "early_stopping": True, "random_state": 0}
    parts = da.from_array(X, chunks=(70, 3)), da.from_array(y, chunks=70)
    model = DaskBoostingClassifier(**options).fit(*parts, client=client)
    one = BoostingClassifier(**options).fit(X, y)
    check_same(one, model)
    assert model.predict(parts[0]).compute().tolist() == one.predict(X).tolist()
    assert model.predict_proba(parts[0]).compute().tobytes() == one.predict_proba(X).tobytes()


def test_a_column_of_row_numbers_makes_the_order_of_rows_indifferent(client: Any) -> None:
    X, y, _ = frame(120)
    table = X.assign(number=np.arange(120), y=y).sample(frac=1, random_state=0)
    options: dict[str, Any] = {"n_estimators": 3, "subsample": 0.5, "random_state": 0}
    shuffled = dd.from_pandas(table, npartitions=3, sort=False)
    model = DaskBoostingRegressor(**options).fit(
        shuffled.drop(columns="y"), shuffled["y"], row_id="number", client=client
    )
    check_same(BoostingRegressor(**options).fit(X, y, row_id=np.arange(120)), model)


def test_progress_is_seen_from_the_client(client: Any, capsys: pytest.CaptureFixture[str]) -> None:
    X, y, _ = frame(60)
    parts = [dd.from_pandas(table, npartitions=2) for table in (X, y)]
    steps: list[tuple[str, int, int | None]] = []
    with watched(lambda *step: steps.append(step)):
        DaskBoostingRegressor(n_estimators=3).fit(*parts, client=client, progress=True)
    assert steps[0] == ("boosting", 0, 3) and steps[-1] == ("boosting", 3, 3)
    assert "boosting" in capsys.readouterr().err


def test_what_cannot_be_fitted_is_refused_before_work_begins(client: Any) -> None:
    X, y, _ = frame(20)
    frame_, series = dd.from_pandas(X, npartitions=2), dd.from_pandas(y, npartitions=2)
    model = DaskBoostingRegressor(n_estimators=2)
    with pytest.raises(TableError, match=r"X is a DataFrame, not a Dask frame, .* use BoostingRegressor"):
        model.fit(X, y, client=client)
    with pytest.raises(TableError, match="X has 2 partitions and y has 1"):
        model.fit(frame_, dd.from_pandas(y, npartitions=1), client=client)
    with pytest.raises(TableError, match="partition 0 of X has 10 rows, that of y has 4"):
        model.fit(frame_, dd.concat([series.loc[:3], series.loc[10:]]), client=client)
    with pytest.raises(TableError, match="row_id: X has no column 'id'"):
        model.fit(frame_, series, row_id="id", client=client)
    with pytest.raises(OptionError, match=r"client must be a distributed\.Client"):
        model.fit(frame_, series, client="tcp://127.0.0.1:1")
    with pytest.raises(OptionError, match="makes a team of its workers"):
        model.fit(frame_, series, client=client, team=object())
    with pytest.raises(OptionError, match="max_leaf_nodes is not taken by a team"):
        DaskBoostingRegressor(max_leaf_nodes=3).fit(frame_, series, client=client)
    with pytest.raises(OptionError, match="take no offset yet"):
        DaskBoostingRegressor(n_estimators=1).fit(frame_, series, client=client).predict(frame_, offset=series)
