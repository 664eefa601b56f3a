"""SocketTeam: bytes arrive whole and in order; whatever else happens is an error that names the member."""

import ast
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glasswood
from glasswood.errors import TeamLostError
from glasswood.team import SocketTeam
from glasswood.team._sockets import ALIVE, BYTES, HEAD, MAGIC, MAX_MESSAGE

PATIENT = 600.0  # seconds, longer than any test


Pair = Callable[[], tuple[socket.socket, socket.socket]]


@pytest.fixture
def pair() -> Iterator[Pair]:
    """Makes two connected sockets; all are closed at the end."""
    with ExitStack() as opened:

        def make() -> tuple[socket.socket, socket.socket]:
            one, other = socket.socketpair()
            return opened.enter_context(one), opened.enter_context(other)

        yield make


def two_members(pair: Pair) -> tuple[SocketTeam, SocketTeam]:
    (one_out, other_in), (other_out, one_in) = pair(), pair()
    return (
        SocketTeam(0, 2, {1: one_out}, {1: one_in}, silence=PATIENT),
        SocketTeam(1, 2, {0: other_out}, {0: other_in}, silence=PATIENT),
    )


def half_a_team(pair: Pair, silence: float = PATIENT) -> tuple[SocketTeam, socket.socket, socket.socket]:
    """A member, and the bare ends of its connections: where it sends to, and what it reads from."""
    (out, sent), (given, back) = pair(), pair()
    return SocketTeam(0, 2, {1: out}, {1: back}, silence=silence), sent, given


@pytest.mark.parametrize("n_bytes", [0, 1, 3_000_000])
def test_large_messages_pass_each_other(n_bytes: int, pair: Pair) -> None:
    one, other = two_members(pair)
    received: list[Any] = []
    parts = [bytearray(b"a" * n_bytes), bytearray(b"b" * n_bytes)]
    thread = threading.Thread(target=lambda: received.extend(other.swap([b"c" * n_bytes, b""])))
    with one, other:
        thread.start()
        got = one.swap(parts)
        thread.join()
    assert [bytes(part) for part in got] == [b"a" * n_bytes, b"c" * n_bytes]
    assert [bytes(part) for part in received] == [b"b" * n_bytes, b""]


def test_what_was_given_may_be_changed_afterwards(pair: Pair) -> None:
    one, other = two_members(pair)
    part = bytearray(b"x" * 1_000_000)
    received: list[Any] = []
    thread = threading.Thread(target=lambda: received.extend([other.swap([b"", b""]), other.swap([b"", b""])]))
    with one, other:
        thread.start()
        one.swap([b"", part])
        part[:] = b"y" * len(part)
        one.swap([b"", b""])
        thread.join()
    assert bytes(received[0][0]) == b"x" * len(part)


def test_memory_that_is_given_back_takes_the_next_message(pair: Pair) -> None:
    one, sent, given = half_a_team(pair)
    memory: list[Any] = []
    read = []
    with one, sent, given:
        for number, text in enumerate([b"x" * 200_000, b"y" * 150_000, b"z" * 300_000], start=1):
            given.sendall(HEAD.pack(MAGIC, BYTES, number, len(text)) + text)
            parts: list[Any] = one.swap([b"", b""])
            read.append(bytes(parts[1]) == text)
            memory.append(parts[1].obj)
            one.recycle(parts)
        sent.close()
    assert read == [True, True, True]
    assert memory[0] is memory[1] and memory[1] is not memory[2]  # the third message is larger


def test_a_member_that_left_is_named(pair: Pair) -> None:
    one, other = two_members(pair)
    other.close()
    with one:
        with pytest.raises(TeamLostError, match="member 1 of 2 left the team") as lost:
            one.swap([b"", b"x"])
        assert lost.value.rank == 1
        with pytest.raises(TeamLostError, match="member 1 of 2 left the team"):
            one.swap([b"", b"x"])


def test_what_was_sent_before_leaving_arrives(pair: Pair) -> None:
    one, sent, given = half_a_team(pair)
    given.sendall(HEAD.pack(MAGIC, BYTES, 1, 3) + b"abc")
    assert [bytes(part) for part in one.swap([b"", b"last words"])] == [b"", b"abc"]
    one.close()
    data = b""
    while more := sent.recv(100):
        data += more
    assert data == HEAD.pack(MAGIC, BYTES, 1, 10) + b"last words"


def test_a_silent_member_is_lost(pair: Pair) -> None:
    one, _sent, _given = half_a_team(pair, silence=0.2)
    with one, pytest.raises(TeamLostError, match=r"member 1 of 2 was silent for 0\.2 s"):
        one.swap([b"", b""])


def test_a_member_that_computes_sends_signs_of_life_and_they_are_no_messages(pair: Pair) -> None:
    one, sent, given = half_a_team(pair, silence=0.3)
    head = b""
    while len(head) < HEAD.size:  # the member does nothing, and yet something comes
        head += sent.recv(HEAD.size - len(head))
    assert HEAD.unpack(head) == (MAGIC, ALIVE, 0, 0)
    one.close()
    one, sent, given = half_a_team(pair)
    given.sendall(HEAD.pack(MAGIC, ALIVE, 0, 0) * 3 + HEAD.pack(MAGIC, BYTES, 1, 1) + b"z")
    with one:
        assert bytes(one.swap([b"", b""])[1]) == b"z"


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        HEAD.pack(MAGIC, 3, 1, 0),
        HEAD.pack(MAGIC, BYTES, 1, MAX_MESSAGE + 1),
    ],
)
def test_what_is_no_message_is_refused(data: bytes, pair: Pair) -> None:
    one, _sent, given = half_a_team(pair)
    given.sendall(data)
    with one, pytest.raises(TeamLostError, match="member 1 of 2 sent something that is not a message"):
        one.swap([b"", b""])


def test_half_a_message_is_a_lost_member(pair: Pair) -> None:
    one, _sent, given = half_a_team(pair)
    given.sendall(HEAD.pack(MAGIC, BYTES, 1, 100) + b"half")
    given.close()
    with one, pytest.raises(TeamLostError, match="member 1 of 2 left the team"):
        one.swap([b"", b""])


def test_a_message_that_memory_cannot_hold_is_an_error_and_no_wait(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    one, _sent, given = half_a_team(pair)
    empty = np.empty

    def too_large(n: Any, **options: Any) -> Any:
        if n == 12_345:
            raise MemoryError("no memory for 12,345 bytes")
        return empty(n, **options)

    monkeypatch.setattr(np, "empty", too_large)
    given.sendall(HEAD.pack(MAGIC, BYTES, 1, 12_345))
    with one, pytest.raises(TeamLostError, match=r"member 1 of 2 cannot be read from \(MemoryError: no memory"):
        one.swap([b"", b""])


def test_a_sender_that_fails_is_an_error_and_no_wait(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    one, _sent, given = half_a_team(pair)
    given.sendall(HEAD.pack(MAGIC, BYTES, 1, 0))

    class Broken:
        def sendall(self, part: Any) -> None:
            raise MemoryError

    monkeypatch.setattr(one._senders[1], "_connection", Broken())
    with one, pytest.raises(TeamLostError, match="member 1 of 2 takes no messages any more"):
        one.swap([b"", b"x"])


def test_members_at_different_steps_are_told(pair: Pair) -> None:
    one, _sent, given = half_a_team(pair)
    given.sendall(HEAD.pack(MAGIC, BYTES, 2, 0))
    with one, pytest.raises(TeamLostError, match="member 1 of 2 is at step 2 of the work, this member at step 1"):
        one.swap([b"", b""])


def test_one_that_left_cannot_swap(pair: Pair) -> None:
    one, other = two_members(pair)
    one.close()
    other.close()
    with pytest.raises(TeamLostError, match="this member has left the team"):
        one.swap([b"", b""])


def test_a_member_that_is_aborted_stops_waiting(pair: Pair) -> None:
    one, other = two_members(pair)
    raised: list[Any] = []

    def wait() -> None:
        try:
            other.swap([b"", b""])
        except TeamLostError as error:
            raised.append(str(error))

    thread = threading.Thread(target=wait)
    thread.start()
    other.abort("the client ended the fit")
    thread.join()
    with one, other:
        assert raised == ["the client ended the fit"]
        with pytest.raises(TeamLostError, match="member 1 of 2"):
            for _ in range(2):  # what was sent before may still arrive
                one.swap([b"", b""])


def test_nothing_that_a_member_receives_is_unpickled() -> None:
    root = Path(glasswood.__file__).parent
    files = [*(root / "team").rglob("*.py"), *(root / "train").rglob("*.py")]
    assert len(files) > 20
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = {getattr(node, "module", None), *(alias.name for alias in node.names)}
                assert not names & {"pickle", "cloudpickle", "marshal", "shelve", "dill"}, file
            if isinstance(node, ast.keyword) and node.arg == "allow_pickle":
                assert ast.unparse(node.value) == "False", file
