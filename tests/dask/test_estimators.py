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


@pytest.fixture(scope="module")
def crews(client: Any) -> Iterator[dict[int, Any]]:
    """Clients by the number of their workers."""
    with cluster_of(1) as alone:
        yield {1: alone, 2: client}


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
    shown = capsys.readouterr().err
    assert "boosting" in shown and "3/3" in shown


@pytest.mark.parametrize(
    ("parameters", "given", "message"),
    [
        ({}, {"silence": 0}, "silence must be a number above 0"),
        ({}, {"silence": float("nan")}, "silence must be a number above 0"),
        ({}, {"silence": float("inf")}, "silence must be a number above 0"),
        ({}, {"silence": "a"}, "silence must be a number above 0"),
        ({}, {"silence": None}, "silence must be a number above 0"),
        ({}, {"max_restarts": "a"}, "max_restarts must be a whole number, at least 0"),
        ({}, {"max_restarts": -1}, "max_restarts must be a whole number, at least 0"),
        ({}, {"ports": "9"}, "ports must be a port or the first and last of a range; got '9'"),
        ({}, {"ports": (9, 2)}, "ports must be"),
        ({}, {"ports": None}, "ports must be"),
        ({"max_depth": -1}, {}, "max_depth must be"),
        ({"n_estimators": 0}, {}, "n_estimators must be"),
        ({"learning_rate": "a"}, {}, "learning_rate must be"),
        ({"loss": "nope"}, {}, "loss must be one of"),
        ({"loss": 3}, {}, "loss must be a name or an object"),
        ({"metrics": ["nope"]}, {}, "metrics must be among"),
        ({"max_leaf_nodes": 1}, {}, "max_leaf_nodes must be"),
        ({"warm_start": True}, {}, "warm_start is not taken by a team"),
        ({"device": "cuda"}, {}, "device='cuda' is not taken by a team"),
        ({"device": "abacus"}, {}, "device must be one of"),
        ({"monotonic_cst": [1]}, {}, "monotonic_cst has 1 entries for 3 features"),
        ({"interaction_cst": [[7]]}, {}, "interaction_cst"),
        ({"categorical_features": [9]}, {}, "categorical_features: the table has no feature at position 9; it has 3"),
        ({"n_jobs": 0}, {}, "n_jobs=0 has no meaning"),
        ({"random_state": "a"}, {}, "random_state must be"),
    ],
)
@pytest.mark.parametrize("n_workers", [1, 2])
def test_options_are_refused_before_a_partition_is_computed(
    n_workers: int, parameters: dict[str, Any], given: dict[str, Any], message: str, crews: dict[int, Any]
) -> None:
    computed: list[int] = []

    def count(block: Any) -> Any:
        if len(block):
            computed.append(len(block))
        return block

    y = da.from_array(np.arange(60.0), chunks=30)
    X = da.zeros((60, 3), chunks=(30, 3)).map_blocks(count, meta=np.empty((0, 0)))
    with pytest.raises(OptionError, match=message):
        DaskBoostingRegressor(**{"n_estimators": 2, **parameters}).fit(X, y, client=crews[n_workers], **given)
    if "loss" not in parameters:
        with pytest.raises(OptionError, match=message):
            DaskBoostingClassifier(**{"n_estimators": 2, **parameters}).fit(X, y, client=crews[n_workers], **given)
    assert computed == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y": np.nan}, r"^partition 6: y is missing in row 20; fill"),
        ({"sample_weight": -1.0}, r"^partition 6: sample_weight is negative in row 20"),
        ({"offset": np.inf}, r"^partition 6: offset is infinite in row 20"),
        ({"loss": "poisson", "y": -1.0}, r"^partition 6: the poisson loss takes targets .* found -1 in row 20"),
        ({"eval y": np.nan}, r"^eval0: partition 2: y is missing in row 10"),
    ],
)
@pytest.mark.parametrize("n_workers", [1, 2])
def test_an_error_in_a_value_names_its_partition_and_row(
    n_workers: int, change: dict[str, Any], message: str, crews: dict[int, Any]
) -> None:
    values = {name: np.ones(240) for name in ("y", "sample_weight", "offset", "eval y")}
    for name in values.keys() & change.keys():
        values[name][200 if name != "eval y" else 90] = change[name]
    X = da.from_array(np.zeros((240, 3)), chunks=(30, 3))
    y, weight, offset = (da.from_array(values[name], chunks=30) for name in ("y", "sample_weight", "offset"))
    evaluate = [(X.rechunk((40, 3)), da.from_array(values["eval y"], chunks=40))]
    model = DaskBoostingRegressor(loss=change.get("loss", "squared_error"), n_estimators=1)
    with pytest.raises(TableError, match=message):
        model.fit(X, y, weight, offset=offset, eval_set=evaluate, client=crews[n_workers])


def test_what_cannot_be_fitted_is_refused_before_work_begins(client: Any) -> None:
    X, y, _ = frame(20)
    frame_, series = dd.from_pandas(X, npartitions=2), dd.from_pandas(y, npartitions=2)
    model = DaskBoostingRegressor(n_estimators=2)
    with pytest.raises(TableError, match=r"X is a DataFrame, not a Dask frame, .* use BoostingRegressor"):
        model.fit(X, y, client=client)
    with pytest.raises(TableError, match=r"X is a ndarray, not a Dask frame, .* use BoostingRegressor"):
        model.fit(np.zeros((20, 2)), series, client=client)
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
    with pytest.raises(OptionError, match="take no offset yet"):
        DaskBoostingRegressor(n_estimators=1).fit(frame_, series, client=client).predict(frame_, offset=series)
