"""Member: partitions become one table; a task that runs twice finds no port."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from glasswood import BoostingRegressor
from glasswood.dask._member import close_port, fit_member, joined, open_port
from glasswood.errors import TeamLostError
from tests.dask.clusters import cluster_of


def test_partitions_are_joined_in_order() -> None:
    assert joined([np.array([1, 2]), np.array([3])]).tolist() == [1, 2, 3]
    assert joined([pd.Series([1]), pd.Series([2])]).tolist() == [1, 2]
    one = pd.DataFrame({"a": [1]})
    assert joined([one]) is one


def test_a_worker_that_was_started_again_does_not_join_a_second_time() -> None:
    X = np.arange(8.0)[:, None]
    given: tuple[Any, ...] = (b"0" * 32, BoostingRegressor(n_estimators=1), {"X": [X], "y": [X[:, 0]]}, [0], [], 600.0)
    with cluster_of(1) as client:
        address = client.submit(open_port, "fit", pure=False).result()
        assert client.submit(fit_member, "fit", 0, [address], *given, pure=False).result().ensemble_.n_trees == 1
        with pytest.raises(TeamLostError, match="was started again during the fit"):
            client.submit(fit_member, "fit", 0, [address], *given, pure=False).result()
        client.run(close_port, "fit")
