"""Checkpoint: a fit goes on in another process with the same bits; the rounds of another fit are refused."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask.array as da
import numpy as np
import pytest

from glasswood import BoostingRegressor
from glasswood._progress import watched
from glasswood.dask import DaskBoostingRegressor
from glasswood.dask._checkpoint import Checkpoint
from glasswood.errors import ModelFileError, OptionError
from glasswood.train.boosting import RoundLog, pack_rounds, recorded
from tests.dask.clusters import DEADLINE, cluster_of

ROOT = Path(__file__).parents[2]
OPTIONS: dict[str, Any] = {"n_estimators": 6, "max_depth": 2, "subsample": 0.5, "random_state": 3}


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with cluster_of(2, protocol="tcp") as client:
        yield client


def problem() -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    return X, X[:, 0] + rng.normal(size=120)


def collections() -> tuple[Any, Any]:
    X, y = problem()
    return da.from_array(X, chunks=(40, 3)), da.from_array(y, chunks=40)


def rounds_of_a_fit() -> RoundLog:
    log = RoundLog()
    with recorded(log):
        BoostingRegressor(**OPTIONS).fit(*problem())
    return log


DYING = """
import os, signal, sys
import distributed
from glasswood.dask import DaskBoostingRegressor
from glasswood.dask._checkpoint import Checkpoint
from tests.dask.test_checkpoint import OPTIONS, collections

write = Checkpoint.write

def write_and_die(self, new):
    write(self, new[:3])
    os.kill(os.getpid(), signal.SIGKILL)

Checkpoint.write = write_and_die
client = distributed.Client(sys.argv[1])
DaskBoostingRegressor(**OPTIONS).fit(*collections(), client=client, checkpoint=sys.argv[2])
"""


def test_the_fit_of_a_client_that_died_goes_on(client: Any, tmp_path: Path) -> None:
    given = [sys.executable, "-c", DYING, client.scheduler.address, str(tmp_path)]
    assert subprocess.Popen(given, cwd=ROOT).wait(DEADLINE) == -signal.SIGKILL
    steps: list[int] = []
    with watched(lambda _what, done, _total: steps.append(done)):
        model = DaskBoostingRegressor(**OPTIONS).fit(*collections(), client=client, checkpoint=tmp_path)
    one = BoostingRegressor(**OPTIONS).fit(*problem())
    assert steps[0] == 3 and steps[-1] == 6  # three rounds were not grown again
    assert model.ensemble_ == one.ensemble_ and model.history_.values.tobytes() == one.history_.values.tobytes()
    # the folder holds all of them now
    assert (tmp_path / "rounds.bin").read_bytes().count(b"gwround\n") >= 2
    again = DaskBoostingRegressor(**OPTIONS).fit(*collections(), client=client, checkpoint=tmp_path)
    assert again.ensemble_ == one.ensemble_


def test_other_data_or_parameters_are_refused(client: Any, tmp_path: Path) -> None:
    X, y = collections()
    DaskBoostingRegressor(**OPTIONS).fit(X, y, client=client, checkpoint=tmp_path)
    with pytest.raises(OptionError, match="holds another fit: max_depth was '2' and is '3'"):
        DaskBoostingRegressor(**{**OPTIONS, "max_depth": 3}).fit(X, y, client=client, checkpoint=tmp_path)
    with pytest.raises(OptionError, match="holds another fit: rows of X was 120 and is 80"):
        DaskBoostingRegressor(**OPTIONS).fit(X[:80], y[:80], client=client, checkpoint=tmp_path)
    with pytest.raises(OptionError, match="holds another fit: hash of all values was"):
        DaskBoostingRegressor(**OPTIONS).fit(X, -y, client=client, checkpoint=tmp_path)


def test_other_values_are_refused_where_no_tree_has_looked_and_another_cut_is_not(client: Any, tmp_path: Path) -> None:
    X, y = problem()
    options = {**OPTIONS, "n_estimators": 1, "max_depth": 1, "colsample": 1.0}
    watched = [(da.from_array(X, chunks=(60, 3)), da.from_array(y, chunks=60))]

    def fit(rows: Any, size: int, evaluate: Any = watched) -> Any:
        parts = da.from_array(rows, chunks=(size, 3)), da.from_array(y, chunks=size)
        return DaskBoostingRegressor(**options).fit(*parts, eval_set=evaluate, client=client, checkpoint=tmp_path)

    model = fit(X, 40)
    assert set(model.ensemble_.feature) == {0, -1}
    assert fit(X, 50).ensemble_ == model.ensemble_  # the same rows, cut elsewhere
    other = X.copy()
    other[100, 1] = -other[100, 1]
    with pytest.raises(OptionError, match="holds another fit: hash of all values was"):
        fit(other, 40)
    with pytest.raises(OptionError, match="holds another fit: hash of all values was"):
        fit(X[np.r_[1, 0, 2:120]], 40)
    with pytest.raises(OptionError, match="holds another fit: hash of eval_set was"):
        fit(X, 40, [(da.from_array(other, chunks=(60, 3)), da.from_array(y, chunks=60))])
    with pytest.raises(OptionError, match="holds another fit: columns was"):
        fit(X.astype(np.float32), 40)


@pytest.mark.parametrize(
    ("checkpoint", "message"),
    [("s3://bucket/fit", "a folder of the client's machine; got the address 's3://bucket/fit'"), (3, "folder or None")],
)
def test_what_is_no_folder_is_refused(checkpoint: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        DaskBoostingRegressor(**OPTIONS).fit(*collections(), checkpoint=checkpoint)


def test_what_was_not_written_whole_is_cut_off(tmp_path: Path) -> None:
    rounds = rounds_of_a_fit().rounds
    saved = Checkpoint(tmp_path, {"a": (1, 2)})
    saved.write(rounds[:2])
    size = (tmp_path / "rounds.bin").stat().st_size
    saved.write(rounds[2:4])
    with (tmp_path / "rounds.bin").open("r+b") as file:
        file.truncate(size + 100)
    saved = Checkpoint(tmp_path, {"a": [1, 2]})
    assert len(saved.read()) == 2 and (tmp_path / "rounds.bin").stat().st_size == size
    saved.write(rounds[2:])
    assert pack_rounds(saved.read()) == pack_rounds(rounds)


def test_a_damaged_description_is_told(tmp_path: Path) -> None:
    Checkpoint(tmp_path, {"a": 1})
    for text in ("{", "[]"):
        (tmp_path / "fit.json").write_text(text)
        with pytest.raises(ModelFileError, match=r"fit\.json is damaged"):
            Checkpoint(tmp_path, {"a": 1})
