"""Fit: processes of their own, two fits at once, fits inside tasks, and errors."""

import threading
from typing import Any

import dask.array as da
import distributed
import numpy as np
import pytest

from glasswood import BoostingRegressor
from glasswood.dask import DaskBoostingRegressor
from glasswood.errors import OptionError, TableError
from tests.dask.clusters import DEADLINE, cluster_of


def parts_of(X: Any, y: Any) -> tuple[Any, Any]:
    return da.from_array(X, chunks=(30, 3)), da.from_array(y, chunks=30)


def test_workers_in_processes_give_the_model_of_one() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.normal(size=200)
    with cluster_of(2, processes=True) as client:
        model = DaskBoostingRegressor(n_estimators=3, random_state=0).fit(*parts_of(X, y), client=client)
    assert model.ensemble_ == BoostingRegressor(n_estimators=3, random_state=0).fit(X, y).ensemble_


def test_two_fits_at_once_both_end() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(120, 3)), rng.normal(size=120)
    models: list[Any] = [None, None]

    def fit(seed: int, client: Any) -> None:
        model = DaskBoostingRegressor(n_estimators=9, subsample=0.5, random_state=seed)
        models[seed] = model.fit(*parts_of(X, y), client=client)

    with cluster_of(2) as client:  # one thread each: less than two fits could hold
        threads = [threading.Thread(target=fit, args=(seed, client), daemon=True) for seed in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(DEADLINE)
            assert not thread.is_alive()
    for seed, model in enumerate(models):
        assert (
            model.ensemble_ == BoostingRegressor(n_estimators=9, subsample=0.5, random_state=seed).fit(X, y).ensemble_
        )


def test_fits_of_two_clients_at_once_both_end() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(120, 3)), rng.normal(size=120)
    models: list[Any] = [None, None]
    with cluster_of(2) as one, distributed.Client(one.cluster, set_as_default=False) as other:

        def fit(seed: int, client: Any) -> None:
            model = DaskBoostingRegressor(n_estimators=9, subsample=0.5, random_state=seed)
            models[seed] = model.fit(*parts_of(X, y), client=client)

        threads = [threading.Thread(target=fit, args=pair, daemon=True) for pair in enumerate((one, other))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(DEADLINE)
            assert not thread.is_alive()
    for seed, model in enumerate(models):
        local = BoostingRegressor(n_estimators=9, subsample=0.5, random_state=seed)
        assert model.ensemble_ == local.fit(X, y).ensemble_


def test_partitions_that_lie_apart_are_brought_together_and_balanced() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.normal(size=200)
    with cluster_of(2) as client:
        first = sorted(client.nthreads())[0]
        one, other = (table.persist(workers=[first]) for table in parts_of(X, y))
        model = DaskBoostingRegressor(n_estimators=3, random_state=0).fit(one, other, client=client)
        assert model.ensemble_ == BoostingRegressor(n_estimators=3, random_state=0).fit(X, y).ensemble_


def test_a_fit_inside_a_task_uses_the_workers_of_its_cluster() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(90, 3)), rng.normal(size=90)

    def inside() -> Any:
        with distributed.worker_client() as client:
            return DaskBoostingRegressor(n_estimators=2).fit(*parts_of(X, y), client=client).to_local()

    with cluster_of(2) as client:
        assert client.submit(inside).result().ensemble_ == BoostingRegressor(n_estimators=2).fit(X, y).ensemble_


def test_without_client_or_workers_nothing_is_begun() -> None:
    X, y = parts_of(np.zeros((60, 3)), np.zeros(60))
    with pytest.raises(OptionError, match="there is no Dask client"):
        DaskBoostingRegressor().fit(X, y)
    with cluster_of(0) as client, pytest.raises(OptionError, match="the Dask cluster has no workers"):
        DaskBoostingRegressor().fit(X, y, client=client)
    with cluster_of(1) as client, pytest.raises(TableError, match="no partition of X has a row"):
        DaskBoostingRegressor().fit(X[:0], y[:0], client=client)
