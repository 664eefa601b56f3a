"""CudaDevice: a CUDA device through CuPy, which is imported here and nowhere else."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.errors import DeviceError, MissingDependencyError
from glasswood.gpu._device import Fetched, Launch, Replay, UseRows
from glasswood.gpu._memory import memory_errors
from glasswood.gpu._sources import definitions, kernel_text

# no fused multiply-add: results must have the bits of the CPU
COMPILER_OPTIONS = ("-std=c++17", "--fmad=false")
RESERVED_BYTES = 4096  # of shared memory, for what kernels declare themselves
_PARTS, _FILLERS = 3, 16  # of a table on its way, and threads that copy it into pinned memory
_LEAST_CAPABILITY = 80  # 8.0: earlier devices have too little shared memory


class CudaDevice:
    """The current device. Every call stands in one stream, so that nothing overtakes anything."""

    histogram_threads = 1024

    def __init__(self, stream: Any = None) -> None:
        self._cupy = cupy = import_cupy()
        try:
            self._device = cupy.cuda.Device()
            attributes = self._device.attributes
        except cupy.cuda.runtime.CUDARuntimeError as error:
            raise DeviceError(f"device='cuda' needs an NVIDIA GPU and its driver: {error}; set device='cpu'") from None
        if int(self._device.compute_capability) < _LEAST_CAPABILITY:
            raise DeviceError(
                f"device='cuda' needs a GPU of compute capability 8.0 or later; this one has "
                f"{int(self._device.compute_capability) / 10}: set device='cpu'"
            )
        self.name = f"cuda{self._device.id}"
        self.n_processors = int(attributes["MultiProcessorCount"])
        self.shared_bytes = int(attributes["MaxSharedMemoryPerBlockOptin"]) - RESERVED_BYTES
        self._stream = cupy.cuda.Stream(non_blocking=True) if stream is None else stream
        self._needed = 0

    def expect(self, n_bytes: int) -> None:
        """Note what a fit needs in all, for the error if there is too little."""
        self._needed = n_bytes

    def upload(self, array: NDArray[Any]) -> Any:
        """Copy an array into a new buffer."""
        flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        buffer = self._empty(flat.nbytes)
        self.write(buffer, flat)
        return buffer

    def zeros(self, n_bytes: int) -> Any:
        """Make a buffer of zeros."""
        buffer = self._empty(n_bytes)
        with self._stream:
            buffer.fill(0)
        return buffer

    def write(self, buffer: Any, array: NDArray[Any]) -> None:
        """Copy an array to the beginning of a buffer."""
        flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        with self._stream:
            buffer[: flat.nbytes].set(flat, stream=self._stream)

    def read(self, buffer: Any, dtype: Any, count: int) -> NDArray[Any]:
        """Wait, and copy the first numbers of a buffer to the host."""
        with self._stream:
            found: NDArray[Any] = buffer[: np.dtype(dtype).itemsize * count].get(stream=self._stream)
        self._stream.synchronize()
        return found.view(dtype)

    def fetch(self, buffer: Any, dtype: Any, count: int) -> Fetched:
        """Begin to copy the first numbers of a buffer to the host."""
        n_bytes = np.dtype(dtype).itemsize * count
        pinned = self._pinned(n_bytes)
        with self._stream:
            buffer.data.copy_to_host_async(pinned.ptr, n_bytes, self._stream)
            done = self._stream.record()

        def fetched() -> NDArray[Any]:
            done.synchronize()
            return np.frombuffer(pinned, dtype=dtype, count=count)

        return fetched

    def stream_rows(self, array: NDArray[Any], n_rows: int, use: UseRows, n_threads: int) -> None:
        """Copy rows through pinned memory: one part travels while threads fill the next."""
        n, row_bytes = len(array), array.shape[1] * array.dtype.itemsize
        n_rows = min(n_rows, n)
        pinned = [self._pinned(n_rows * row_bytes) for _ in range(min(_PARTS, -(-n // n_rows)))]
        buffers = [self._empty(n_rows * row_bytes) for _ in pinned]
        sent: list[Any] = [None] * len(pinned)
        with ThreadPoolExecutor(max(1, min(n_threads, _FILLERS))) as fillers:
            for number, first in enumerate(range(0, n, n_rows)):
                last, k = min(first + n_rows, n), number % len(pinned)
                if sent[k] is not None:
                    sent[k].synchronize()
                part = np.frombuffer(pinned[k], dtype=array.dtype, count=(last - first) * array.shape[1])
                _fill(fillers, part.reshape(last - first, -1), array[first:last])
                with self._stream:
                    buffers[k].data.copy_from_host_async(pinned[k].ptr, part.nbytes, self._stream)
                    sent[k] = self._stream.record()
                self.run(use(buffers[k], first, last))
        self._stream.synchronize()  # pinned memory must outlive its copies

    def is_aligned(self, buffer: Any) -> bool:
        """Whether 16 bytes at a time can be read from there."""
        return int(buffer.data.ptr) % 16 == 0

    def at(self, buffer: Any, n_bytes: int) -> Any:
        """Return the buffer from there on."""
        return buffer[n_bytes:]

    def compile(self, source: str, macros: Mapping[str, int], kernels: Sequence[str]) -> dict[str, Any]:
        """Compile with NVRTC; CuPy keeps what it compiled on the disk."""
        cupy = self._cupy
        options = (*COMPILER_OPTIONS, *definitions(macros))
        with self._stream:
            module = cupy.RawModule(code=kernel_text(source), options=options, backend="nvrtc")
            return {name: module.get_function(name) for name in kernels}

    def run(self, launches: Sequence[Launch]) -> None:
        """Start launches once."""
        with self._stream:
            for launch in launches:
                self._launch(launch)

    def finish(self) -> None:
        """Wait until everything is done."""
        self._stream.synchronize()

    def record(self, launches: Sequence[Launch]) -> Replay:
        """Record launches in a CUDA graph: one call starts all of them."""
        stream = self._stream
        with stream:
            stream.begin_capture()
            try:
                self.run(launches)
            finally:
                graph = stream.end_capture()

        def replay() -> None:
            graph.launch(stream)

        return replay

    def _launch(self, launch: Launch) -> None:
        if launch.shared_bytes:
            launch.kernel.max_dynamic_shared_size_bytes = launch.shared_bytes
        nothing = np.uintp(0)
        arguments = tuple(nothing if argument is None else argument for argument in launch.arguments)
        launch.kernel((launch.blocks,), (launch.threads,), arguments, shared_mem=launch.shared_bytes)

    def _empty(self, n_bytes: int) -> Any:
        cupy = self._cupy
        with memory_errors(cupy, n_bytes, self._needed), self._stream:
            return cupy.empty(n_bytes, dtype=cupy.uint8)

    def _pinned(self, n_bytes: int) -> Any:
        with memory_errors(self._cupy, n_bytes, pinned=True):
            return self._cupy.cuda.alloc_pinned_memory(n_bytes)


def _fill(fillers: ThreadPoolExecutor, target: NDArray[Any], source: NDArray[Any]) -> None:
    """Copy rows with all threads."""
    cuts = np.linspace(0, len(source), _FILLERS + 1).astype(int)
    list(fillers.map(lambda a, b: np.copyto(target[a:b], source[a:b]), cuts[:-1], cuts[1:]))


def import_cupy() -> Any:
    """Import CuPy."""
    try:
        import cupy
    except ImportError:
        raise MissingDependencyError(
            "device='cuda' and rows on a GPU need CuPy: pip install 'glasswood[gpu13]', or 'glasswood[gpu12]' for "
            "CUDA 12"
        ) from None
    return cupy
