"""Device: what boosting asks of a GPU. Everything happens in one queue, in the order of the calls."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Argument = Any  # a buffer, a number of numpy, or None for no buffer


@dataclass(frozen=True, slots=True)
class Launch:
    """A kernel with its arguments."""

    kernel: Any
    blocks: int
    threads: int
    arguments: Sequence[Argument]
    shared_bytes: int = 0


class Replay(Protocol):
    """Launches that can be repeated."""

    def __call__(self) -> None:
        """Repeat them; returns before they are done."""
        ...


class Device(Protocol):
    """Memory and kernels of a GPU."""

    @property
    def shared_bytes(self) -> int:
        """Shared memory that a block may use."""
        ...

    @property
    def n_processors(self) -> int:
        """Multiprocessors."""
        ...

    @property
    def histogram_threads(self) -> int:
        """Threads of a block that fills histograms."""
        ...

    def upload(self, array: NDArray[Any]) -> Any:
        """Copy an array into a new buffer."""
        ...

    def zeros(self, n_bytes: int) -> Any:
        """Make a buffer of zeros."""
        ...

    def write(self, buffer: Any, array: NDArray[Any]) -> None:
        """Copy an array to the beginning of a buffer."""
        ...

    def read(self, buffer: Any, dtype: Any, count: int) -> NDArray[Any]:
        """Wait, and copy the first numbers of a buffer to the host."""
        ...

    def at(self, buffer: Any, n_bytes: int) -> Any:
        """Return the buffer from there on."""
        ...

    def compile(self, source: str, macros: Mapping[str, int], kernels: Sequence[str]) -> dict[str, Any]:
        """Compile a source of `gpu/kernels` with these macros."""
        ...

    def run(self, launches: Sequence[Launch]) -> None:
        """Start launches once; returns before they are done."""
        ...

    def record(self, launches: Sequence[Launch]) -> Replay:
        """Prepare launches; nothing runs yet."""
        ...


def number(value: int | float, kind: str) -> Any:
    """Make an argument of a kernel: `kind` is a dtype such as "u4"."""
    return np.dtype(kind).type(value)
