"""Member: partitions become one table; a task that runs twice finds no port."""

from pathlib import Path
from typing import Any

import dask.array as da
import numpy as np
import pandas as pd
import pytest
from distributed.security import Security

from glasswood import BoostingRegressor
from glasswood.dask import DaskBoostingRegressor
from glasswood.dask._member import _Membership, fit_member, forget, joined, open_port, status, stop, tls_of
from glasswood.dask._partitions import Share
from glasswood.errors import TeamLostError
from glasswood.team import listen
from tests.certificates import make_certificate
from tests.dask.clusters import cluster_of


def test_partitions_are_joined_in_order() -> None:
    assert joined([np.array([1, 2]), np.array([3])]).tolist() == [1, 2, 3]
    assert joined([pd.Series([1]), pd.Series([2])]).tolist() == [1, 2]
    one = pd.DataFrame({"a": [1]})
    assert joined([one]) is one


def test_a_worker_that_was_started_again_does_not_join_a_second_time() -> None:
    X = np.arange(8.0)[:, None]
    with cluster_of(1) as client:
        futures = {"X": client.scatter(X), "y": client.scatter(X[:, 0])}
        share = Share({name: [future.key] for name, future in futures.items()}, [0], [8], {"X": X[:0]})
        given: tuple[Any, ...] = (b"0" * 32, BoostingRegressor(n_estimators=2), share, [], b"")
        (address,) = client.run(open_port, "fit", 0, 600.0).values()
        assert client.submit(fit_member, "fit", 0, [address], *given, pure=False).result().ensemble_.n_trees == 2
        with pytest.raises(TeamLostError, match="was started again during the fit"):
            client.submit(fit_member, "fit", 0, [address], *given, pure=False).result()
        (told,) = client.run(status, "fit", 1).values()
        assert told.n_known == 1 and len(told.new) == 1
        client.run(forget, "fit")
        assert client.run(status, "fit", 0).popitem()[1].new == []


def test_a_member_that_is_stopped_or_forgotten_by_its_client_ends() -> None:
    member = _Membership(listen("127.0.0.1"), silence=600.0)
    member.check()
    member.asked -= 5 * 600.0 + 1
    with pytest.raises(TeamLostError, match="the client has not asked for 3000 s"):
        member.check()
    member.listener.close()
    with cluster_of(1) as client:
        (address,) = client.run(open_port, "fit", 0, 600.0).values()
        client.run(stop, "fit", 0)
        share = Share({"X": ["gone"], "y": ["gone"]}, [0], [8], {"X": np.empty((0, 1))})
        given: tuple[Any, ...] = (b"0" * 32, BoostingRegressor(n_estimators=1), share, [], b"")
        with pytest.raises(TeamLostError, match="the client ended the fit"):
            client.submit(fit_member, "fit", 0, [address], *given, pure=False).result()
        (address,) = client.run(open_port, "next", 0, 600.0).values()
        with pytest.raises(TeamLostError, match="a partition left worker"):
            client.submit(fit_member, "next", 0, [address], *given, pure=False).result()
        client.run(forget, "fit")
        client.run(forget, "next")


def test_a_cluster_with_tls_encrypts_the_connections_of_a_fit(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path)
    sides = ("client", "scheduler", "worker")
    files = {f"tls_{side}_{what}": file for side in sides for what, file in (("cert", certificate), ("key", key))}
    security = Security(tls_ca_file=certificate, require_encryption=True, **files)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(90, 2)), rng.normal(size=90)
    with cluster_of(2, protocol="tls://", security=security) as client:
        seen = client.run(lambda dask_worker: tls_of(dask_worker) is not None)
        parts = da.from_array(X, chunks=(30, 2)), da.from_array(y, chunks=30)
        model = DaskBoostingRegressor(n_estimators=3).fit(*parts, client=client)
    assert all(address.startswith("tls://") and encrypts for address, encrypts in seen.items())
    assert model.ensemble_ == BoostingRegressor(n_estimators=3).fit(X, y).ensemble_
