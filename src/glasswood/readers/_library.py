"""Library process: the source library loads a file and predicts its rows in a process of its own, within limits.

Libraries trust their own files: a damaged one makes them crash, loop or ask for all memory. None of that may happen in
the user's process, so a file never comes near its library there (decision 0075).
"""

import importlib.util
import io
import mmap
import os
import pickle
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

import numpy as np

from glasswood import errors
from glasswood.ensemble import Ensemble
from glasswood.errors import GlasswoodError, TableError
from glasswood.readers._oracle import Oracle
from glasswood.tables import Table

LENGTH = struct.Struct(">Q")  # stands before every answer
_GRACE = 10.0  # seconds a process may take to end once it has closed its side
_BLINK = 0.02  # seconds between two looks at a process
_MOST_SAID = 300  # characters of the library's own words that are passed on


class CannotAskError(GlasswoodError):
    """The library gave no answer; the message says why. It never leaves this room: it becomes a `ParityWarning`."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What the process may use: generous for a whole file, and in proportion to it."""

    seconds: float = 120.0  # for one answer; importing a library takes some of them
    seconds_per_mib: float = 2.0  # of the file
    n_bytes: int = 2 << 30  # memory; where the system does not tell (it does on Linux), time is the only limit
    n_bytes_per_byte: int = 40  # of the file and of the rows

    def time(self, sent: int) -> float:
        """Seconds for an answer to `sent` bytes."""
        return self.seconds + self.seconds_per_mib * sent / 2**20

    def memory(self, sent: int) -> int:
        """Bytes for an answer to `sent` bytes."""
        return self.n_bytes + self.n_bytes_per_byte * sent


@contextmanager
def library_process(
    reader: str, content: bytes, ensemble: Ensemble, limits: Limits | None = None
) -> Iterator[Callable[[Table], Oracle]]:
    """Give a function that lets the library predict rows with the model of a file.

    Parameters
    ----------
    reader : name of the module of this room that knows the library
    content : bytes of the file
    ensemble : what was read of it
    limits : on time and memory

    Raises
    ------
    CannotAskError
        By the function: the library is not installed, does not load the file, crashes, or exceeds a limit.
    TableError
        By the function: the library refuses the rows.
    """
    allowed = limits or Limits()
    started: list[_Conversation] = []

    def ask(rows: Table) -> Oracle:
        if not started:  # no process where there are no rows
            started.append(_start(reader, ensemble.source.library, said))
        conversation = started[0]
        requests = [_pickled(rows)]
        size = len(content) + len(requests[0])
        if not conversation.opened:
            requests.insert(0, _pickled((reader, content, ensemble)))
            conversation.opened = True
        return conversation.ask(requests, allowed.time(size), allowed.memory(size))

    with tempfile.TemporaryFile() as said:
        try:
            yield ask
        finally:
            for conversation in started:
                conversation.end()


@dataclass(slots=True, eq=False)
class _Conversation:
    """A running process: requests go in as pickles, answers come back as plain arrays."""

    process: subprocess.Popen[bytes]
    requests: IO[bytes]
    answers: IO[bytes]
    said: IO[bytes]  # what the library prints
    library: str
    opened: bool = False  # the file has been sent

    def ask(self, requests: list[bytes], seconds: float, n_bytes: int) -> Oracle:
        over: list[str] = []
        done = threading.Event()
        watcher = threading.Thread(target=self._watch, args=(done, over, seconds, n_bytes), daemon=True)
        watcher.start()
        try:
            with suppress(OSError):  # the process has ended, which is found out and explained below
                for request in requests:
                    self.requests.write(request)
                self.requests.flush()
            answer = self._read(n_bytes)
        finally:
            done.set()
            watcher.join()
        if over:
            raise CannotAskError(f"{self.library} takes {over[0]} with the file")
        if answer is None:
            raise CannotAskError(f"{self.library} {self._how_it_ended()}")
        return _oracle(answer, self.library)

    def _watch(self, done: threading.Event, over: list[str], seconds: float, n_bytes: int) -> None:
        """End the process where it exceeds a limit, and say which.

        What is measured is memory in use: some libraries reserve gigabytes for the stacks of threads, and use nothing.
        """
        end = time.monotonic() + seconds
        while not done.wait(_BLINK):
            if time.monotonic() > end:
                over.append(f"more than {seconds:,.0f} seconds")
            elif _memory_of(self.process.pid) > n_bytes:
                over.append(f"more than {n_bytes >> 20:,} MB of memory")
            if over:
                self.process.kill()
                return

    def _read(self, most: int) -> dict[str, Any] | None:
        """The arrays of an answer, None where there is none."""
        head = self.answers.read(LENGTH.size)
        if len(head) < LENGTH.size or LENGTH.unpack(head)[0] > most:
            return None
        body = self.answers.read(LENGTH.unpack(head)[0])
        try:
            with np.load(io.BytesIO(body), allow_pickle=False) as arrays:
                return {name: arrays[name] for name in arrays.files}
        except Exception:  # a process whose memory a file has overwritten may answer anything
            return None

    def _how_it_ended(self) -> str:
        try:
            code = self.process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            return "gives no answer for the file"
        if code < 0:
            return f"crashes with the file ({signal.Signals(-code).name})"
        self.said.seek(0)
        lines = self.said.read().decode(errors="replace").strip().splitlines()
        return f"fails with the file: {lines[-1][:_MOST_SAID] if lines else 'it does not say why'}"

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()  # closes the pipes


def _memory_of(pid: int) -> int:
    """Bytes of memory a process uses; 0 where the system does not tell, or the process has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * mmap.PAGESIZE
    except (OSError, IndexError):
        return 0


def _pickled(request: Any) -> bytes:
    try:
        return pickle.dumps(request, protocol=pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # whatever a table of an unknown kind raises
        raise CannotAskError(f"the rows cannot be handed to another process ({first_line(error)})") from None


def _start(reader: str, library: str, said: IO[bytes]) -> _Conversation:
    if importlib.util.find_spec(reader.rpartition(".")[2]) is None:
        raise CannotAskError(f"{library} is not installed here")
    if not sys.executable or getattr(sys, "frozen", False):
        raise CannotAskError("there is no Python interpreter that could ask the library in a process of its own")
    # the process must find the same packages, also where the path was changed at run time
    path = os.pathsep.join(str(entry) or str(Path.cwd()) for entry in sys.path)
    environment = {**os.environ, "PYTHONPATH": path}
    command = [sys.executable, "-P", "-m", "glasswood.readers._library_main"]
    try:
        process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said)
    except OSError as error:
        raise CannotAskError(f"no process could be started to ask {library}: {error.strerror}") from None
    return _Conversation(process, cast(IO[bytes], process.stdin), cast(IO[bytes], process.stdout), said, library)


def _oracle(answer: dict[str, Any], library: str) -> Oracle:
    kind = str(answer.get("kind", ""))
    message = str(answer.get("message", ""))
    if kind == "answer":
        leaves = answer.get("leaves")
        return Oracle(
            raw=answer["raw"].astype(np.float64),
            leaves=None if leaves is None else leaves.astype(np.int32),
            unit=float(answer["unit"]),
            notes=tuple(map(str, answer["notes"].tolist())),
        )
    if kind == "load":
        raise CannotAskError(f"{library} does not load the file: {message}")
    if kind == "rows":
        raise TableError(f"{library}'s own predict failed on these rows: {message}")
    if kind == "table":
        raise CannotAskError(f"the rows cannot be handed to another process ({message})")
    cls = getattr(errors, kind, None)
    if isinstance(cls, type) and issubclass(cls, GlasswoodError):
        raise cls(message)
    raise CannotAskError(f"{library} gave an answer that cannot be read")


def first_line(error: BaseException) -> str:
    """What an error says, in one line."""
    said = str(error).strip().splitlines()
    return said[0][:_MOST_SAID] if said else type(error).__name__
