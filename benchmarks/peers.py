"""Peers whose pinned versions conflict with glasswood's: each gets a virtual environment, made on the first run.

They stand in ``build/peers``, or in the folder that the environment variable GLASSWOOD_PEERS names.
"""

import os
import shutil
import subprocess
import venv
from pathlib import Path
from types import TracebackType

PEERS = Path(os.environ.get("GLASSWOOD_PEERS", Path(__file__).parent.parent / "build" / "peers"))


class PeerMissingError(RuntimeError):
    """The peer cannot be installed here; its rows are left out, with a message."""


def peer_python(name: str, *requirements: str, command: str | None = None) -> Path:
    """The Python of an environment with `requirements`, made if it does not exist.

    `command` is the Python it is made with, such as ``python3.10``; by default the one that runs this.
    """
    home = PEERS / name
    python = home / "bin" / "python"
    asked = "\n".join(requirements)
    done = home / "requirements"
    if not done.exists() or done.read_text() != asked:
        _make(name, home, command)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements]
        made = subprocess.run(install, capture_output=True, text=True, check=False)
        if made.returncode:
            raise PeerMissingError(f"{name} cannot be installed here: {made.stderr.strip().splitlines()[-1]}")
        done.write_text(asked)
    return python


def _make(name: str, home: Path, command: str | None) -> None:
    """An empty environment."""
    if command is None:
        venv.create(home, with_pip=True, clear=True)
        return
    pythons = _found(command)
    if not pythons:
        raise PeerMissingError(f"{name} needs {command}, which is not on the PATH")
    for python in pythons:
        made = subprocess.run([python, "-m", "venv", "--clear", str(home)], capture_output=True, text=True, check=False)
        if not made.returncode:
            return
    reason = " ".join(made.stderr.split())[:200]
    raise PeerMissingError(f"{name}: {command} makes no environment: {reason}")


def _found(command: str) -> list[Path]:
    """Where a command may be: on the PATH and, as that may be a shim of pyenv for no version, in pyenv's versions."""
    first = shutil.which(command)
    if first is None:
        return []
    versions = Path(first).parent.parent / "versions"
    return [Path(first), *sorted(versions.glob(f"*/bin/{command}"))]


def woodtapper_python() -> Path:
    """woodtapper 0.1.0 pins scikit-learn 1.6.1, and imports pandas without asking for it."""
    return peer_python("woodtapper", "woodtapper==0.1.0", "scikit-learn==1.6.1", "pandas")


class PeerProcess:
    """A script that runs in a peer's environment: it answers every line it is sent with one line."""

    def __init__(self, name: str, python: Path, script: str, *arguments: str) -> None:
        self.name = name
        command = [python, Path(__file__).with_name(script), *arguments]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def answer(self) -> str:
        """The next line it says."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise PeerMissingError(f"{self.name} gave up, with exit status {self._process.wait()}")
        return line

    def ask(self, line: str = "") -> str:
        """What it says to a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        return self.answer()

    def __enter__(self) -> "PeerProcess":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
