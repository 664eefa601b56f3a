"""SocketTeam: members that send each other bytes through sockets, one connection for each direction.

A message is a head of 24 bytes and the bytes; nothing is unpickled. Threads read and write, so that a busy member takes
what is sent to it, and a member that has nothing to say sends a sign of life: one that was stopped or has lost its
network is told from one that computes.
"""

import queue
import socket
import struct
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from glasswood.errors import TeamLostError
from glasswood.team._exchange import Part

HEAD = struct.Struct("<4sIQQ")  # magic, kind, number of the swap, length
MAGIC = b"gwT1"
BYTES, ALIVE = 1, 2  # kinds
MAX_MESSAGE = 2**36  # bytes
_PIECE = 2**20  # bytes
_LARGE = 2**16  # bytes of a message whose memory is worth keeping, and worth another thread to send it
_SPARES = 2  # messages of a member whose memory is kept: one is read while another is looked at
_SIGNS_PER_SILENCE = 6  # signs of life in the time after which silence means that a member is lost


class SocketTeam:
    """A member that is connected to all others; `join` makes it.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> from glasswood.team import join, listen
    >>> listeners = [listen("127.0.0.1"), listen("127.0.0.1")]
    >>> addresses = [listener.address for listener in listeners]
    >>> def member(rank):
    ...     with join(rank, addresses, "a secret of many letters", listener=listeners[rank]) as team:
    ...         return [bytes(part) for part in team.swap([b"to 0", b"to 1"])]
    >>> with ThreadPoolExecutor(2) as pool:
    ...     list(pool.map(member, range(2)))
    [[b'to 0', b'to 0'], [b'to 1', b'to 1']]
    """

    def __init__(
        self,
        rank: int,
        size: int,
        outgoing: Mapping[int, socket.socket],
        incoming: Mapping[int, socket.socket],
        *,
        silence: float,
    ) -> None:
        self.rank, self.size = rank, size
        self._number, self._lost = 0, ""
        self._connections = [*outgoing.values(), *incoming.values()]
        for connection in self._connections:
            connection.settimeout(silence)
        self._senders = {other: _Sender(c, silence / _SIGNS_PER_SILENCE) for other, c in outgoing.items()}
        self._receivers = {other: _Receiver(c, silence) for other, c in incoming.items()}

    def swap(self, parts: Sequence[Part]) -> list[Part]:
        """Give part k to member k; returns what each member gave to this one.

        Raises
        ------
        TeamLostError
            If a member left, was silent for too long, or is not at the same point of the work.
        """
        if self._lost:
            raise TeamLostError(self._lost)
        self._number += 1
        views = [memoryview(part).cast("B") for part in parts]
        for other, sender in self._senders.items():
            sender.send(HEAD.pack(MAGIC, BYTES, self._number, views[other].nbytes), views[other])
        received: list[Part] = [b""] * self.size
        received[self.rank] = parts[self.rank]
        for other, receiver in self._receivers.items():
            number, found = receiver.queue.get()
            if isinstance(found, str):
                raise self._without(other, found)
            if number != self._number:
                raise self._without(other, f"is at step {number} of the work, this member at step {self._number}")
            received[other] = found
        for other, sender in self._senders.items():
            if not sender.flush():
                raise self._without(other, "takes no messages any more")
        if self._lost:  # aborted in between: what was read last may not be what was sent
            raise TeamLostError(self._lost)
        return received

    def recycle(self, parts: Sequence[Part]) -> None:
        """Take back what `swap` returned: later messages are read into the same memory."""
        for other, receiver in self._receivers.items():
            receiver.recycle(parts[other])

    def abort(self, why: str) -> None:
        """Break all connections at once, from any thread: members that wait, and this one, raise `TeamLostError`."""
        self._lost = self._lost or why
        self._disconnect()

    def close(self) -> None:
        """Leave the team, once everything is sent; members that wait for more raise `TeamLostError`."""
        for sender in self._senders.values():
            sender.close()
        self._lost = self._lost or "this member has left the team"
        self._disconnect()
        for receiver in self._receivers.values():
            receiver.thread.join()
        for connection in self._connections:
            connection.close()

    def __enter__(self) -> "SocketTeam":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _without(self, other: int, what: str) -> TeamLostError:
        """The error for a lost member; the connections are broken, so that no other member waits for this one."""
        if self._lost:  # aborted: that is why the connection ended
            return TeamLostError(self._lost)
        self._lost = f"member {other} of {self.size} {what}"
        self._disconnect()
        return TeamLostError(self._lost, rank=other)

    def _disconnect(self) -> None:
        """Wake all threads; the connections are closed only when no thread uses them any more."""
        for connection in self._connections:
            with suppress(OSError):
                # that of the plain socket: the one of TLS would let a thread read on without decrypting
                socket.socket.shutdown(connection, socket.SHUT_RDWR)


class _Receiver:
    """Reads the messages of one member; `queue` holds (number of the swap, bytes), at last (0, why it ended)."""

    def __init__(self, connection: socket.socket, silence: float) -> None:
        self._connection, self._silence = connection, silence
        self._spare: deque[NDArray[np.uint8]] = deque(maxlen=_SPARES)
        self.queue: queue.SimpleQueue[tuple[int, memoryview | str]] = queue.SimpleQueue()
        self.thread = threading.Thread(target=self._run, name="glasswood-team", daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            while True:
                magic, kind, number, length = HEAD.unpack(self._read(HEAD.size))
                if magic != MAGIC or kind not in (BYTES, ALIVE) or length > MAX_MESSAGE:
                    self.queue.put((0, "sent something that is not a message of a team"))
                    return
                if kind == BYTES:
                    self.queue.put((number, self._read(length)))
        except TimeoutError:
            self.queue.put((0, f"was silent for {self._silence:g} s"))
        except EOFError:
            self.queue.put((0, "left the team"))
        except OSError as error:
            self.queue.put((0, f"cannot be reached any more ({error})"))
        except Exception as error:  # no memory for a message, for example: `swap` waits for it and must be told
            self.queue.put((0, f"cannot be read from ({type(error).__name__}: {error})"))

    def recycle(self, part: Part) -> None:
        """Use the memory of a message again."""
        if isinstance(part, memoryview) and isinstance(part.obj, np.ndarray) and part.obj.nbytes >= _LARGE:
            self._spare.append(part.obj)

    def _space(self, n_bytes: int) -> memoryview:
        """Memory for a message; new memory costs the system more than reading into memory that was used before."""
        while n_bytes >= _LARGE and self._spare:
            found = self._spare.popleft()
            if found.nbytes >= n_bytes:
                return found.data[:n_bytes]
        return np.empty(n_bytes, dtype=np.uint8).data  # a bytearray would be filled with zeros first

    def _read(self, n_bytes: int) -> memoryview:
        view, at = self._space(n_bytes), 0
        while at < n_bytes:
            n_read = self._connection.recv_into(view[at:])
            if not n_read:
                raise EOFError
            at += n_read
        return view


class _Sender:
    """Sends to one member, and a sign of life if there is nothing else to send."""

    def __init__(self, connection: socket.socket, pause: float) -> None:
        self._connection, self._pause = connection, pause
        self._lock = threading.Lock()  # of the connection: a sign of life must not stand within a message
        self._queue: queue.Queue[Part | None] = queue.Queue()
        self._failed = False
        self._thread = threading.Thread(target=self._run, name="glasswood-team", daemon=True)
        self._thread.start()

    def send(self, head: bytes, body: memoryview) -> None:
        """Send a message: a small one at once, because a thread would take longer to wake than to send it."""
        if len(head) + len(body) <= _LARGE:
            self._send(head + body)
        else:
            self._queue.put(head)
            self._queue.put(body)

    def flush(self) -> bool:
        """Wait until everything is sent; returns whether it was."""
        self._queue.join()
        return not self._failed

    def close(self) -> None:
        """End the thread, after everything is sent."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while True:
            try:
                part = self._queue.get(timeout=self._pause)
            except queue.Empty:
                self._send(HEAD.pack(MAGIC, ALIVE, 0, 0))
                continue
            if part is not None:
                self._send(part)
            self._queue.task_done()
            if part is None:
                return

    def _send(self, part: Part) -> None:
        with self._lock:
            if self._failed:
                return
            try:
                view = memoryview(part)
                for start in range(0, len(view), _PIECE):  # the time limit is one for each piece
                    self._connection.sendall(view[start : start + _PIECE])
            except Exception:  # not only OSError: `flush` waits until all is sent and must be told
                self._failed = True
