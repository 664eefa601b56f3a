"""CudaDevice: a CUDA device through CuPy, which is imported here and nowhere else."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.errors import DeviceError, MissingDependencyError
from glasswood.gpu._device import Launch, Replay
from glasswood.gpu._sources import definitions, kernel_text

# no fused multiply-add: results must have the bits of the CPU
COMPILER_OPTIONS = ("-std=c++17", "--fmad=false")
_RESERVED_BYTES = 4096  # of shared memory, for what kernels declare themselves
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
        self.n_processors = int(attributes["MultiProcessorCount"])
        self.shared_bytes = int(attributes["MaxSharedMemoryPerBlockOptin"]) - _RESERVED_BYTES
        self._stream = cupy.cuda.Stream(non_blocking=True) if stream is None else stream

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
        try:
            with self._stream:
                return cupy.empty(n_bytes, dtype=cupy.uint8)
        except cupy.cuda.memory.OutOfMemoryError:
            free, total = self._device.mem_info
            raise DeviceError(
                f"the GPU has {free / 2**30:.2f} of {total / 2**30:.2f} GiB free and {n_bytes / 2**30:.2f} more are "
                f"needed: use fewer rows or features, a smaller max_depth or max_bins, or device='cpu'"
            ) from None


def import_cupy() -> Any:
    """Import CuPy."""
    try:
        import cupy
    except ImportError:
        raise MissingDependencyError(
            "device='cuda' needs CuPy: pip install 'glasswood[gpu13]', or 'glasswood[gpu12]' for CUDA 12"
        ) from None
    return cupy
