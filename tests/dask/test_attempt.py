"""Attempt and recovery: workers that are killed or stopped cost at most a tree, and no bit.

Every wait of a fit ends after `silence` seconds without a sign of life, so none of these tests can hang.
"""

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask.array as da
import numpy as np
import pytest

from glasswood import BoostingRegressor
from glasswood.dask import DaskBoostingRegressor
from glasswood.dask._attempt import Attempt
from glasswood.errors import TableError, TeamLostError
from tests.dask.accidents import prepare
from tests.dask.clusters import cluster_of
from tests.dask.crews import crew_of

RNG = np.random.default_rng(0)
X = RNG.normal(size=(640, 3)).round(2)
X[:, 2] = np.r_[:320, [1, 2, 3, 4] * 80]  # more levels than a byte tells apart
Y = X[:, 0] + 3 * np.isin(X[:, 2], (1, 3)) + RNG.normal(size=640)
OPTIONS: dict[str, Any] = {
    "n_estimators": 8, "max_depth": 3, "subsample": 0.8, "colsample": 1.0, "random_state": 1, "metrics": ["rmse"],
    "categorical_features": [2],
}  # fmt: skip
PATIENT = 30.0  # seconds of silence that no worker reaches, however busy the machine
SHORT = 5.0
N_WORKERS = 3


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Any]:
    """A client of three processes; one that ends is replaced by another."""
    with crew_of(N_WORKERS, str(tmp_path)) as client:
        yield client


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rounds each attempt began with."""
    counts: list[int] = []
    run = Attempt.run

    def counted(self: Attempt, *given: Any) -> Any:
        counts.append(len(self.rounds))
        return run(self, *given)

    monkeypatch.setattr(Attempt, "run", counted)
    return counts


def collections() -> tuple[Any, Any]:
    return da.from_array(X, chunks=(80, 3)), da.from_array(Y, chunks=80)


def fit(client: Any, **given: Any) -> DaskBoostingRegressor:
    return DaskBoostingRegressor(**OPTIONS).fit(*collections(), client=client, **{"silence": PATIENT, **given})


def check_same(model: Any) -> None:
    one = BoostingRegressor(**OPTIONS).fit(X, Y)
    for name, array in one.ensemble_._arrays().items():
        assert array.tobytes() == getattr(model.ensemble_, name).tobytes(), name
    assert one.history_.values.tobytes() == model.history_.values.tobytes()


def test_workers_killed_before_the_first_round_change_no_bit(client: Any, begun: list[int]) -> None:
    one, two, _ = sorted(client.nthreads())
    client.run(prepare, "before join", signal.SIGKILL, workers=[one])
    client.run(prepare, "in binning", signal.SIGKILL, workers=[two])
    check_same(fit(client))
    assert len(begun) == 3


def test_a_worker_killed_in_a_round_costs_at_most_a_tree(client: Any, begun: list[int]) -> None:
    victim = sorted(client.nthreads())[0]
    client.run(prepare, "in a round", signal.SIGKILL, 5, workers=[victim])  # the first call is before the rounds
    check_same(fit(client))
    assert begun[0] == 0 and begun[1] >= 4  # five rounds were finished


def test_all_workers_killed_at_once_begin_anew(client: Any, begun: list[int]) -> None:
    client.run(prepare, "in a round", signal.SIGKILL, 4)
    check_same(fit(client))
    assert len(begun) >= 2


def test_a_stopped_worker_is_given_up_after_the_silence(client: Any, begun: list[int]) -> None:
    victim = sorted(client.nthreads())[2]
    client.run(prepare, "in a round", signal.SIGSTOP, 3, workers=[victim])
    check_same(fit(client, silence=SHORT))
    assert begun[-1] >= 2 and victim not in client.nthreads()


def test_losses_without_end_are_an_error_that_tells_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def lose(self: Attempt, *_: Any) -> Any:
        raise TeamLostError("worker b left the cluster", rank=1)

    monkeypatch.setattr(Attempt, "run", lose)
    told = (
        r"restarted 2 times without finishing a round in between: "
        r"1\. after 0 rounds: worker b left.*; 3\. after 0 rounds"
    )
    with cluster_of(1) as client, pytest.raises(TeamLostError, match=told) as lost:
        fit(client, max_restarts=2)
    assert lost.value.rank == 1


def test_an_error_of_a_member_is_raised_as_it_is() -> None:
    y = da.from_array(np.where(np.arange(640) == 500, np.nan, Y), chunks=80)
    with cluster_of(2) as client, pytest.raises(TableError, match="y"):
        DaskBoostingRegressor(**OPTIONS).fit(collections()[0], y, client=client)
