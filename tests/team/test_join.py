"""join: members find each other; strangers get nothing and delay no member."""

import hashlib
import json
import socket
import ssl
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from glasswood import BoostingRegressor
from glasswood.errors import OptionError, TeamLostError
from glasswood.team import TeamTls, gather, join, listen
from glasswood.team import _join as joining
from tests.certificates import make_certificate

TOKEN = "a token that nobody guesses"
ROOT = Path(__file__).parents[2]


def meet(
    size: int,
    work: Any,
    *,
    tokens: dict[int, str] | None = None,
    tls: dict[int, TeamTls] | None = None,
    wait: float = 600.0,
) -> list[Any]:
    """What each member, in a thread of its own, made of its team; an error is returned."""
    listeners = [listen("127.0.0.1") for _ in range(size)]
    addresses = [listener.address for listener in listeners]
    results: list[Any] = [None] * size

    def run(rank: int) -> None:
        try:
            token = (tokens or {}).get(rank, TOKEN)
            of_rank = (tls or {}).get(rank)
            with join(rank, addresses, token, listener=listeners[rank], wait=wait, tls=of_rank) as team:
                results[rank] = work(team)
        except TeamLostError as error:
            results[rank] = error

    threads = [threading.Thread(target=run, args=(rank,)) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@pytest.mark.parametrize("size", [2, 5])
def test_all_members_are_connected(size: int) -> None:
    met = meet(size, lambda team: [bytes(part) for part in gather(team, bytes([team.rank]))])
    assert met == [[bytes([rank]) for rank in range(size)]] * size


def test_strangers_are_sent_away_and_delay_no_member() -> None:
    one, other = listen("127.0.0.1"), listen("127.0.0.1")
    addresses = [one.address, other.address]
    place = ("127.0.0.1", int(one.address.rpartition(":")[2]))
    silent = socket.create_connection(place)  # says nothing and is not waited for
    rude = socket.create_connection(place)
    rude.sendall(b"GET / HTTP/1.1\r\n" + b" " * 200)
    teams: list[Any] = [None, None]

    def run(rank: int, listener: Any) -> None:
        with join(rank, addresses, TOKEN, listener=listener) as team:
            teams[rank] = [bytes(part) for part in gather(team, b"here")]

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate((one, other))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert teams == [[b"here", b"here"]] * 2
    with rude, silent, suppress(ConnectionResetError):
        assert rude.recv(100) == b""  # closed without an answer


def test_a_member_with_another_token_is_not_let_in() -> None:
    for met in meet(2, lambda team: team.size, tokens={1: TOKEN + "!"}, wait=1.0):
        assert isinstance(met, TeamLostError) and "did not join in time" in str(met)


def test_another_version_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    hello = joining._Meeting._hello

    def older(self: Any) -> bytes:
        return hello(self).replace(joining._own_version().ljust(32, b"\0"), b"0.0.7".ljust(32, b"\0"))

    monkeypatch.setattr(joining._Meeting, "_hello", older)
    assert any("runs glasswood 0.0.7, this one" in str(met) for met in meet(2, lambda team: team.size, wait=5.0))


def contexts(certificate: str, key: str, trusted: str) -> TeamTls:
    """Contexts as Dask makes them: both sides show a certificate that the other must trust."""
    found = []
    for purpose in (ssl.Purpose.SERVER_AUTH, ssl.Purpose.CLIENT_AUTH):
        context = ssl.create_default_context(purpose, cafile=trusted)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_cert_chain(certificate, key)
        found.append(context)
    return TeamTls(*found)


def test_members_with_certificates_encrypt_what_they_send(tmp_path: Path) -> None:
    own = make_certificate(tmp_path)
    tls = dict.fromkeys(range(3), contexts(*own, own[0]))
    parts = [bytes([rank]) * 500_000 for rank in range(3)]
    met = meet(3, lambda team: [bytes(part) for part in gather(team, parts[team.rank])], tls=tls)
    assert met == [parts] * 3


@pytest.mark.parametrize("stranger", ["another certificate", "none"])
def test_members_without_a_trusted_certificate_are_not_let_in(stranger: str, tmp_path: Path) -> None:
    own, other = make_certificate(tmp_path), make_certificate(tmp_path, "other")
    tls = {0: contexts(*own, own[0])}
    if stranger == "another certificate":
        tls[1] = contexts(*other, other[0])
    for met in meet(2, lambda team: team.size, tls=tls, wait=1.0):
        assert isinstance(met, TeamLostError) and "did not join in time" in str(met)


@pytest.mark.parametrize("when", ["before", "while"])
def test_a_port_that_is_closed_ends_the_wait_for_others(when: str) -> None:
    one, other = listen("127.0.0.1"), listen("127.0.0.1")
    raised: list[Any] = []

    def run() -> None:
        try:
            join(0, [one.address, other.address], TOKEN, listener=one, wait=600.0)
        except TeamLostError as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    if when == "before":
        one.close()
    thread.start()
    one.close()
    thread.join()
    other.close()
    assert "the port of this member was closed while the team gathered" in str(raised[0])


@pytest.mark.parametrize(
    ("rank", "addresses", "token", "message"),
    [
        (0, ["a:1"], "short", "at least 16 bytes; got 5"),
        (2, ["a:1", "b:2"], TOKEN, "rank must be from 0 to 1 in a team of 2; got 2"),
        (0, ["a:1", "b"], TOKEN, "must be host:port; got 'b'"),
    ],
)
def test_what_cannot_be_joined_is_refused(rank: int, addresses: list[str], token: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        join(rank, addresses, token)


MEMBER = """
import hashlib, json, sys
import numpy as np
from glasswood import BoostingRegressor
from glasswood.team import join, listen
rank = int(sys.argv[1])
listener = listen("127.0.0.1")
print(listener.address, flush=True)
addresses = json.loads(sys.stdin.readline())
rng = np.random.default_rng(0)
X = rng.normal(size=(600, 4)); y = X[:, 0] + rng.normal(size=600)
own = slice(rank * 200, rank * 200 + 200)
with join(rank, addresses, sys.stdin.readline().strip(), listener=listener) as team:
    model = BoostingRegressor(n_estimators=5, subsample=0.5, random_state=1).fit(X[own], y[own], team=team)
print(hashlib.sha256(b"".join(a.tobytes() for a in model.ensemble_._arrays().values())).hexdigest())
"""


def test_processes_fit_the_model_of_one() -> None:
    started = [
        subprocess.Popen(
            [sys.executable, "-c", MEMBER, str(rank)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        for rank in range(3)
    ]
    addresses = [process.stdout.readline().strip() for process in started]
    for process in started:
        process.stdin.write(f"{json.dumps(addresses)}\n{TOKEN}\n")
        process.stdin.flush()
    told = [process.communicate()[0].strip() for process in started]
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 4))
    y = X[:, 0] + rng.normal(size=600)
    model = BoostingRegressor(n_estimators=5, subsample=0.5, random_state=1).fit(X, y)
    arrays = b"".join(array.tobytes() for array in model.ensemble_._arrays().values())
    assert told == [hashlib.sha256(arrays).hexdigest()] * 3
