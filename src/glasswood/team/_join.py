"""join: connects a member to all others; each proves that it knows the token before anything else is read from it."""

import hashlib
import hmac
import os
import queue
import socket
import ssl
import struct
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from glasswood._version import __version__
from glasswood.errors import OptionError, TeamLostError
from glasswood.team._exchange import ALONE, Alone
from glasswood.team._listener import Listener, listen, split_address
from glasswood.team._sockets import SocketTeam

_HELLO = struct.Struct("<8sIII32s16s")  # magic, protocol, rank, size, version of glasswood, random bytes
_MAGIC = b"gwteam\r\n"
_PROTOCOL = 1
_PROOF = 32
_STRANGER_SECONDS = 10.0  # in which a connection must prove who it is
_PAUSE = 0.1  # seconds between two tries to reach a member that does not listen yet
_MIN_TOKEN = 16  # bytes


@dataclass(frozen=True, slots=True, eq=False)
class TeamTls:
    """How the members of a team encrypt what they send, with the certificates of their contexts.

    Examples
    --------
    >>> import ssl
    >>> from glasswood.team import TeamTls
    >>> opens = ssl.create_default_context(ssl.Purpose.SERVER_AUTH)
    >>> accepts = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)  # needs a certificate: accepts.load_cert_chain(…)
    >>> tls = TeamTls(opens, accepts)  # for join(…, tls=tls)
    """

    opens: ssl.SSLContext  # for the connections that this member opens
    accepts: ssl.SSLContext  # for those that it accepts


def join(
    rank: int,
    addresses: Sequence[str],
    token: bytes | str,
    *,
    listener: Listener | None = None,
    wait: float = 300.0,
    silence: float = 60.0,
    tls: TeamTls | None = None,
) -> SocketTeam | Alone:
    """Join a team: connect to all other members, which call `join` with the same addresses and token.

    Parameters
    ----------
    rank : int
        Number of this member, from 0.
    addresses : sequence of str
        ``host:port`` of every member, by rank.
    token : bytes or str
        A secret of at least 16 bytes that all members know. It is never sent; a connection that cannot prove that it
        knows it is closed. What is sent afterwards is encrypted with `tls` only.
    listener : Listener, optional
        The open port of this member, if `listen` opened it; by default the port of its address is opened.
    wait : float
        Seconds to wait for all members.
    silence : float
        Seconds without any sign of life after which a member counts as lost.
    tls : TeamTls, optional
        Encrypt all connections; all members must do so.

    Returns
    -------
    SocketTeam or Alone
        To be passed to ``fit`` as ``team=``, and closed afterwards; it is a context manager.

    Raises
    ------
    TeamLostError
        If a member does not come, or has another version of glasswood.

    Examples
    --------
    >>> from glasswood.team import join
    >>> join(0, ["127.0.0.1:7001"], "a secret of many letters").size
    1
    """
    secret = token.encode() if isinstance(token, str) else bytes(token)
    if len(secret) < _MIN_TOKEN:
        raise OptionError(f"the token of a team must have at least {_MIN_TOKEN} bytes; got {len(secret)}")
    if not 0 <= rank < len(addresses):
        raise OptionError(f"rank must be from 0 to {len(addresses) - 1} in a team of {len(addresses)}; got {rank!r}")
    places = [split_address(address) for address in addresses]
    if len(places) == 1:
        if listener is not None:
            listener.close()
        return ALONE
    own = listener or listen(*places[rank])
    meeting = _Meeting(rank, len(places), secret, time.monotonic() + wait, tls)
    with ExitStack() as opened:
        opened.callback(own.close)
        return SocketTeam(rank, len(places), *meeting.connect(own.server, places), silence=silence)


class _Meeting:
    """The connections of one member while the team gathers."""

    def __init__(self, rank: int, size: int, secret: bytes, end: float, tls: TeamTls | None) -> None:
        self._rank, self._size, self._secret, self._end, self._tls = rank, size, secret, end, tls
        self._arrived: queue.Queue[tuple[str, int, Any]] = queue.Queue()  # "in", "out" or "error", rank, connection
        self._done = threading.Event()

    def connect(
        self, server: socket.socket, places: Sequence[tuple[str, int]]
    ) -> tuple[dict[int, socket.socket], dict[int, socket.socket]]:
        """Outgoing and incoming connections by rank."""
        found: dict[str, dict[int, socket.socket]] = {"out": {}, "in": {}}
        threading.Thread(target=self._accept, args=(server,), daemon=True).start()
        for other, place in enumerate(places):
            if other != self._rank:
                threading.Thread(target=self._open, args=(other, place), daemon=True).start()
        try:
            while len(found["out"]) + len(found["in"]) < 2 * (self._size - 1):
                kind, other, connection = self._next(found)
                if kind == "error":
                    raise TeamLostError(connection)
                if other in found[kind]:  # a member that was started twice
                    connection.close()
                    raise TeamLostError(f"member {other} of {self._size} joined twice; give every member its own rank")
                found[kind][other] = connection
        except BaseException:
            for connection in (*found["out"].values(), *found["in"].values()):
                connection.close()
            raise
        finally:
            self._done.set()
        return found["out"], found["in"]

    def _next(self, found: dict[str, dict[int, socket.socket]]) -> tuple[str, int, Any]:
        try:
            return self._arrived.get(timeout=max(0.0, self._end - time.monotonic()))
        except queue.Empty:
            present = found["out"].keys() & found["in"].keys()
            absent = [k for k in range(self._size) if k != self._rank and k not in present]
            raise TeamLostError(
                f"member {', '.join(map(str, absent))} of {self._size} did not join in time; is it running, and can "
                "it be reached at its address?"
            ) from None

    def _accept(self, server: socket.socket) -> None:
        while not self._done.is_set():
            try:
                server.settimeout(_PAUSE)  # an error if the port is closed already
                connection, _ = server.accept()
            except TimeoutError:
                continue
            except OSError:
                self._arrived.put(("error", self._rank, "the port of this member was closed while the team gathered"))
                return
            # in a thread of its own: a silent stranger must not keep the others waiting
            threading.Thread(target=self._admit, args=(connection,), daemon=True).start()

    def _admit(self, connection: socket.socket) -> None:
        try:
            connection.settimeout(_STRANGER_SECONDS)
            if self._tls is not None:
                connection = self._tls.accepts.wrap_socket(connection, server_side=True)
            theirs = _read(connection, _HELLO.size)
            magic, protocol, other, size, version, _ = _HELLO.unpack(theirs)
            if magic != _MAGIC:
                raise OSError
            ours = self._hello()
            connection.sendall(ours + self._proof(b"accepts", theirs, ours))
            if not hmac.compare_digest(_read(connection, _PROOF), self._proof(b"opens", theirs, ours)):
                raise OSError
        except (OSError, EOFError):  # a stranger
            connection.close()
            return
        self._arrive("in", other, connection, protocol, size, version)

    def _open(self, other: int, place: tuple[str, int]) -> None:
        connection: socket.socket | None = None
        while not self._done.is_set() and time.monotonic() < self._end:
            try:
                connection = socket.create_connection(place, _STRANGER_SECONDS)
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                if self._tls is not None:
                    connection = self._tls.opens.wrap_socket(connection, server_hostname=place[0])
                ours = self._hello()
                connection.sendall(ours)
                answer = _read(connection, _HELLO.size + _PROOF)
                theirs = answer[: _HELLO.size]
                if not hmac.compare_digest(answer[_HELLO.size :], self._proof(b"accepts", ours, theirs)):
                    raise OSError
                connection.sendall(self._proof(b"opens", ours, theirs))
            except (OSError, EOFError):  # not there yet, or a stranger
                if connection is not None:
                    connection.close()
                self._done.wait(_PAUSE)
                continue
            _, protocol, rank, size, version, _ = _HELLO.unpack(theirs)
            if rank != other:
                protocol = -1
            self._arrive("out", other, connection, protocol, size, version)
            return

    def _arrive(
        self, kind: str, other: int, connection: socket.socket, protocol: int, size: int, version: bytes
    ) -> None:
        """Hand over a connection to a member that knows the token."""
        wrong = ""
        if (size, 0 <= other < size, other != self._rank) != (self._size, True, True) or protocol == -1:
            wrong = f"a member calls itself {other} of {size} in a team of {self._size}, of which this is {self._rank}"
        elif (protocol, version.rstrip(b"\0")) != (_PROTOCOL, _own_version()):
            told = version.rstrip(b"\0").decode(errors="replace")
            wrong = f"member {other} of {size} runs glasswood {told}, this one {__version__}; install one version"
        if wrong or self._done.is_set():
            connection.close()
        self._arrived.put(("error", other, wrong) if wrong else (kind, other, connection))

    def _hello(self) -> bytes:
        return _HELLO.pack(_MAGIC, _PROTOCOL, self._rank, self._size, _own_version(), os.urandom(16))

    def _proof(self, side: bytes, opener: bytes, accepter: bytes) -> bytes:
        return hmac.digest(self._secret, side + opener + accepter, hashlib.sha256)


def _own_version() -> bytes:
    return __version__.encode()[:32]


def _read(connection: socket.socket, n_bytes: int) -> bytes:
    data = b""
    while len(data) < n_bytes:
        more = connection.recv(n_bytes - len(data))
        if not more:
            raise EOFError
        data += more
    return data
