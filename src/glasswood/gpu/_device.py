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


class Fetched(Protocol):
    """Numbers on their way to the host."""

    def __call__(self) -> NDArray[Any]:
        """Wait for them, but for nothing that was started later."""
        ...


class UseRows(Protocol):
    """What is done with rows on their way."""

    def __call__(self, values: Any, first: int, last: int) -> Sequence[Launch]:
        """Make the launches that use rows `first` to `last`, which lie in `values`, row by row without gaps."""
        ...


class Device(Protocol):
    """Memory and kernels of a GPU."""

    @property
    def name(self) -> str:
        """Name of the device, different from that of any other."""
        ...

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

    def expect(self, n_bytes: int) -> None:
        """Note what a fit needs in all, for the error if there is too little."""
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

    def fetch(self, buffer: Any, dtype: Any, count: int) -> Fetched:
        """Begin to copy the first numbers of a buffer to the host."""
        ...

    def stream_rows(self, array: NDArray[Any], n_rows: int, use: UseRows, n_threads: int) -> None:
        """Copy a matrix to the device, so many rows at a time, and start what `use` wants to do with them."""
        ...

    def is_aligned(self, buffer: Any) -> bool:
        """Whether 16 bytes at a time can be read from there."""
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

    def finish(self) -> None:
        """Wait until everything is done."""
        ...

    def record(self, launches: Sequence[Launch]) -> Replay:
        """Prepare launches; nothing runs yet."""
        ...


def number(value: int | float, kind: str) -> Any:
    """Make an argument of a kernel: `kind` is a dtype such as "u4"."""
    return np.dtype(kind).type(value)
