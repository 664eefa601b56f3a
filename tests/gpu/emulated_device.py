"""EmulatedDevice: the kernels of a GPU, compiled by a C++ compiler and run on the CPU, block after block.

It shows that kernels and host compute what they must. It cannot show races between threads; those need a device.
"""

import ctypes
import hashlib
import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.gpu._device import Launch
from glasswood.gpu._sources import definitions, kernel_text

ROOT = Path(__file__).parents[2]
WORDS = ROOT / "tests" / "gpu" / "cuda_words.hpp"
LIBRARIES = ROOT / "build" / "emulated"
FLAGS = ("-std=c++20", "-O1", "-ffp-contract=off", "-fPIC", "-shared", "-U_FORTIFY_SOURCE", "-w")


class EmulatedDevice:
    """A device of few processors; `shared_bytes`: what a block may use."""

    n_processors = 3
    histogram_threads = 64

    def __init__(self, shared_bytes: int = 227 * 1024) -> None:
        self.shared_bytes = shared_bytes
        self.name = f"emulated with {shared_bytes} bytes"  # models keep what they made for a device by its name
        self.largest_launch = 0  # shared memory of a block, in bytes
        self.expected = 0  # bytes that a fit said it needs
        self.finished = 0  # how often somebody waited for everything

    def expect(self, n_bytes: int) -> None:
        self.expected = n_bytes

    def upload(self, array: NDArray[Any]) -> NDArray[np.uint8]:
        return np.frombuffer(np.ascontiguousarray(array).tobytes(), dtype=np.uint8).copy()

    def zeros(self, n_bytes: int) -> NDArray[np.uint8]:
        return np.zeros(n_bytes, dtype=np.uint8)

    def write(self, buffer: NDArray[np.uint8], array: NDArray[Any]) -> None:
        flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        buffer[: len(flat)] = flat

    def read(self, buffer: NDArray[np.uint8], dtype: Any, count: int) -> NDArray[Any]:
        return buffer[: np.dtype(dtype).itemsize * count].copy().view(dtype)

    def fetch(self, buffer: NDArray[np.uint8], dtype: Any, count: int) -> Callable[[], NDArray[Any]]:
        found = self.read(buffer, dtype, count)
        return lambda: found

    def stream_rows(self, array: NDArray[Any], n_rows: int, use: Any, n_threads: int) -> None:
        for first in range(0, len(array), n_rows):
            part = array[first : first + n_rows]
            self.run(use(self.upload(part), first, first + len(part)))

    def is_aligned(self, buffer: NDArray[Any]) -> bool:
        return buffer.ctypes.data % 16 == 0

    def at(self, buffer: NDArray[np.uint8], n_bytes: int) -> NDArray[np.uint8]:
        return buffer[n_bytes:]

    def compile(self, source: str, macros: Mapping[str, int], kernels: Sequence[str]) -> dict[str, Any]:
        library = ctypes.CDLL(str(library_of(source, macros, kernels)))
        return {name: getattr(library, f"emulate_{name}") for name in kernels}

    def run(self, launches: Sequence[Launch]) -> None:
        for launch in launches:
            if launch.shared_bytes > self.shared_bytes:
                raise ValueError(f"a block asks for {launch.shared_bytes:,} of {self.shared_bytes:,} bytes")
            self.largest_launch = max(self.largest_launch, launch.shared_bytes)
            run_kernel(launch)

    def finish(self) -> None:
        self.finished += 1

    def record(self, launches: Sequence[Launch]) -> Callable[[], None]:
        return partial(self.run, launches)


def run_kernel(launch: Launch) -> None:
    """Run a kernel with its arguments by their addresses."""
    values = [np.array([_address(x) if x is None or isinstance(x, np.ndarray) else x]) for x in launch.arguments]
    places = (ctypes.c_void_p * len(values))(*(value.ctypes.data for value in values))
    launch.kernel(ctypes.c_uint(launch.blocks), ctypes.c_uint(launch.threads), places)


def _address(buffer: Any) -> np.uint64:
    return np.uint64(0 if buffer is None else buffer.ctypes.data)


def library_of(source: str, macros: Mapping[str, int], kernels: Sequence[str]) -> Path:
    """Compile once per text: the file is named by it."""
    entries = "".join(
        f'extern "C" void emulate_{name}(unsigned blocks, unsigned threads, void** arguments) '
        f"{{ emulator::run(&{name}, blocks, threads, arguments); }}\n"
        for name in kernels
    )
    text = f'#include "{WORDS}"\n{kernel_text(source)}\n{entries}'
    options = (*FLAGS, *definitions(macros))
    key = hashlib.sha256("\n".join([text, WORDS.read_text(), *options]).encode()).hexdigest()[:24]
    target = LIBRARIES / f"{key}.so"
    if not target.exists():
        LIBRARIES.mkdir(parents=True, exist_ok=True)
        made = target.with_suffix(f".{os.getpid()}")
        command = [os.environ.get("CXX", "g++"), *options, "-x", "c++", "-", "-o", str(made)]
        subprocess.run(command, input=text, text=True, check=True)
        made.replace(target)
    return target
