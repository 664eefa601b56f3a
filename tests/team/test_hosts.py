"""Hosts: members on machines with networks of their own, joined by a slow cable that loses packets."""

import hashlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from glasswood import BoostingRegressor
from tests.hosts import two_hosts

ROOT = Path(__file__).parents[2]
DEADLINE = 300  # seconds after which a wait is an error; no test takes so long
TOKEN = "a token that nobody guesses"

MEMBER = """
import hashlib, sys
from glasswood import BoostingRegressor
from glasswood.team import join
from tests.team.test_hosts import OPTIONS, TOKEN, problem
rank = int(sys.argv[1])
X, y = problem()
own = slice(rank * 300, rank * 300 + 300)
with join(rank, [f"{host}:7001" for host in sys.argv[2:]], TOKEN, wait=100) as team:
    model = BoostingRegressor(**OPTIONS).fit(X[own], y[own], team=team)
print(hashlib.sha256(b"".join(a.tobytes() for a in model.ensemble_._arrays().values())).hexdigest())
"""
OPTIONS = {"n_estimators": 4, "max_depth": 4, "subsample": 0.5, "random_state": 1}


def problem() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 4))
    return X, X[:, 0] + rng.normal(size=600)


@pytest.mark.parametrize("bad", [False, True], ids=["good cable", "bad cable"])
def test_members_on_two_hosts_fit_the_model_of_one_process(bad: bool) -> None:
    cable = {"delay": "2ms", "loss": "0.5%"} if bad else {"delay": "", "loss": ""}
    with two_hosts(**cable) as (hosts, is_bad):
        if bad and not is_bad:
            pytest.skip("tc cannot add latency and loss here")
        addresses = [host.address for host in hosts]
        started = [
            subprocess.Popen(
                [*host.command, sys.executable, "-c", MEMBER, str(rank), *addresses],
                stdout=subprocess.PIPE,
                text=True,
                cwd=ROOT,
            )
            for rank, host in enumerate(hosts)
        ]
        try:
            told = [process.communicate(None, DEADLINE)[0].strip() for process in started]
        finally:
            for process in started:
                process.kill()
    arrays = BoostingRegressor(**OPTIONS).fit(*problem()).ensemble_._arrays()
    assert told == [hashlib.sha256(b"".join(array.tobytes() for array in arrays.values())).hexdigest()] * 2
