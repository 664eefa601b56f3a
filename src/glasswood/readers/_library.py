"""Library process: the source library loads a file and predicts rows in a separate process with limits.

Libraries trust their own files: a damaged one can make them crash, loop or use all memory. To keep that out of the
user's process, a library never loads a file there (decision 0075).
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

LENGTH = struct.Struct(">Q")  # before every answer
_GRACE_SECONDS = 10.0  # seconds that a process may take to end after closing its side
_POLL_SECONDS = 0.02  # seconds between two checks of a process
_MAX_MESSAGE = 300  # characters of the library's message that are passed on
_PACKAGES = {"onnx": "onnxruntime"}  # module of this package → what predicts, where that is another package


class CannotAskError(GlasswoodError):
    """The library gave no answer; the message says why. It is internal: users get a `ParityWarning`."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of the process: generous, and proportional to the size of the file."""

    seconds: float = 120.0  # for one answer; importing a library takes some of them
    seconds_per_mib: float = 2.0  # of the file
    n_bytes: int = 2 << 30  # of memory; if the system does not report memory (Linux does), time is the only limit
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
    """Yield a function with which the library predicts rows, using the model of a file.

    Parameters
    ----------
    reader : name of the reader module of the library
    content : bytes of the file
    ensemble : the model as it was read
    limits : of time and memory

    Raises
    ------
    CannotAskError
        By the function: the library is not installed, cannot load the file, crashes, or exceeds a limit.
    TableError
        By the function: the library refuses the rows.
    """
    allowed = limits or Limits()
    started: list[_Conversation] = []

    def ask(rows: Table) -> Oracle:
        if not started:  # no process is started if there are no rows
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
    """A running process: requests are sent as pickles, answers come back as plain arrays."""

    process: subprocess.Popen[bytes]
    requests: IO[bytes]
    answers: IO[bytes]
    said: IO[bytes]  # output of the library
    library: str
    opened: bool = False  # the file was sent

    def ask(self, requests: list[bytes], seconds: float, n_bytes: int) -> Oracle:
        over: list[str] = []
        done = threading.Event()
        watcher = threading.Thread(target=self._watch, args=(done, over, seconds, n_bytes), daemon=True)
        watcher.start()
        try:
            with suppress(OSError):  # the process has ended; the reason is found below
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
        """End the process if it exceeds a limit, and record which.

        Memory in use is measured, because some libraries reserve gigabytes for thread stacks without using them.
        """
        end = time.monotonic() + seconds
        while not done.wait(_POLL_SECONDS):
            if time.monotonic() > end:
                over.append(f"more than {seconds:,.0f} seconds")
            elif _memory_of(self.process.pid) > n_bytes:
                over.append(f"more than {n_bytes >> 20:,} MB of memory")
            if over:
                self.process.kill()
                return

    def _read(self, most: int) -> dict[str, Any] | None:
        """The arrays of an answer; None if there is none."""
        head = self.answers.read(LENGTH.size)
        if len(head) < LENGTH.size or LENGTH.unpack(head)[0] > most:
            return None
        body = self.answers.read(LENGTH.unpack(head)[0])
        try:
            with np.load(io.BytesIO(body), allow_pickle=False) as arrays:
                return {name: arrays[name] for name in arrays.files}
        except Exception:  # a process whose memory was damaged by a file may answer anything
            return None

    def _how_it_ended(self) -> str:
        try:
            code = self.process.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            return "gives no answer for the file"
        if code < 0:
            return f"crashes with the file ({signal.Signals(-code).name})"
        self.said.seek(0)
        lines = self.said.read().decode(errors="replace").strip().splitlines()
        return f"fails with the file: {lines[-1][:_MAX_MESSAGE] if lines else 'it does not say why'}"

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()  # closes the pipes


def _memory_of(pid: int) -> int:
    """Bytes of memory that a process uses; 0 if the system does not report it, or if the process has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * mmap.PAGESIZE
    except (OSError, IndexError):
        return 0


def _pickled(request: Any) -> bytes:
    try:
        return pickle.dumps(request, protocol=pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # a table of an unknown kind may raise anything
        raise CannotAskError(f"the rows cannot be handed to another process ({first_line(error)})") from None


def _start(reader: str, library: str, said: IO[bytes]) -> _Conversation:
    package = reader.rpartition(".")[2]
    package = _PACKAGES.get(package, package)
    if importlib.util.find_spec(package) is None:
        raise CannotAskError(f"{package if package in _PACKAGES.values() else library} is not installed here")
    if not sys.executable or getattr(sys, "frozen", False):
        raise CannotAskError("there is no Python interpreter that could ask the library in a process of its own")
    # the process must find the same packages, even if the path was changed at run time
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
        leaves, prediction = answer.get("leaves"), answer.get("prediction")
        return Oracle(
            raw=answer["raw"].astype(np.float64),
            leaves=None if leaves is None else leaves.astype(np.int32),
            prediction=None if prediction is None else prediction.astype(np.float64),
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
    """First line of the message of an error."""
    said = str(error).strip().splitlines()
    return said[0][:_MAX_MESSAGE] if said else type(error).__name__
