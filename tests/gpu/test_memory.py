"""Too little memory is told as what is free and what is needed; a play of CuPy runs out of it."""

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from glasswood.errors import DeviceError
from glasswood.gpu import find_edges
from glasswood.gpu._cuda_device import CudaDevice
from glasswood.gpu._device_matrix import DeviceMatrix
from glasswood.gpu._memory import memory_errors

GIB = 2**30


class OutOfMemory(MemoryError):  # noqa: N818
    """As CuPy's."""


class RuntimeProblem(RuntimeError):  # noqa: N818
    """As CUDA's."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Array:
    """Rows on a device that has no room for a copy of them."""

    shape, dtype, ndim = (10 * 2**20, 50), np.dtype(np.float64), 2

    def __getitem__(self, rows: Any) -> Any:
        raise OutOfMemory


class Stream:
    """Counts how often it is waited for."""

    def __init__(self, non_blocking: bool = False) -> None:
        self.waited = 0

    def __enter__(self) -> None:
        pass

    def __exit__(self, *given: Any) -> None:
        pass

    def synchronize(self) -> None:
        self.waited += 1


@pytest.fixture
def cupy(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A device with 2 of 80 GiB free, and nothing to be had."""
    module: Any = ModuleType("cupy")

    def none_left(*given: Any, **more: Any) -> Any:
        raise OutOfMemory

    def none_pinned(n_bytes: int) -> Any:
        raise RuntimeProblem(2)

    attributes = {"MultiProcessorCount": 84, "MaxSharedMemoryPerBlockOptin": 99 * 1024}
    device = SimpleNamespace(id=0, attributes=attributes, compute_capability="86", mem_info=(2 * GIB, 80 * GIB))
    stream = Stream()
    module.cuda = SimpleNamespace(
        Device=lambda: device,
        Stream=Stream,
        get_current_stream=lambda: stream,
        alloc_pinned_memory=none_pinned,
        memory=SimpleNamespace(OutOfMemoryError=OutOfMemory),
        runtime=SimpleNamespace(CUDARuntimeError=RuntimeProblem),
    )
    module.empty, module.uint8, module.asarray = none_left, np.uint8, np.asarray
    monkeypatch.setitem(sys.modules, "cupy", module)
    return module


def test_a_buffer_that_does_not_fit_names_what_the_fit_needs(cupy: Any) -> None:
    device = CudaDevice()
    assert device.shared_bytes == 95 * 1024
    alone = r"the GPU has 2\.00 of 80\.00 GiB free and 3\.00 more are needed: use fewer rows"
    with pytest.raises(DeviceError, match=alone):
        device.zeros(3 * GIB)
    device.expect(90 * GIB)
    with pytest.raises(DeviceError, match=r"GiB free and 3\.00 more are needed, 90\.00 in all: use fewer rows"):
        device.zeros(3 * GIB)


def test_a_copy_of_rows_that_does_not_fit_is_named(cupy: Any) -> None:
    matrix = DeviceMatrix(Array())
    rows = np.arange(2**20, dtype=np.uint32)
    with pytest.raises(DeviceError, match=r"2\.00 of 80\.00 GiB free and 0\.40 more are needed"):
        matrix[rows]
    with pytest.raises(DeviceError, match=r"GiB free and 0\.40 more are needed"):
        find_edges(matrix, np.zeros(50, dtype=bool), rows, np.empty(0), 255, 1)


def test_pinned_memory_is_memory_of_the_host(cupy: Any) -> None:
    buffer = SimpleNamespace(data=None)
    with pytest.raises(DeviceError, match=r"the host has no 1\.00 GiB of pinned memory"):
        CudaDevice().fetch(buffer, np.float64, GIB // 8)
    with pytest.raises(DeviceError, match=r"the host has no 0\.50 GiB of pinned memory"):
        CudaDevice().stream_rows(np.empty((2**26, 1)), 2**26, lambda *given: [], 1)


def test_other_problems_stay_what_they_are(cupy: Any) -> None:
    with pytest.raises(RuntimeProblem), memory_errors(cupy, 1):
        raise RuntimeProblem(700)
    with pytest.raises(ZeroDivisionError), memory_errors(cupy, 1):
        raise ZeroDivisionError
    with memory_errors(cupy, 1):
        pass


def test_a_copy_of_rows_is_done_when_it_is_handed_on(cupy: Any) -> None:
    """A fit reads it in a stream of its own."""

    class Rows:
        shape, dtype, ndim, size, nbytes = (4, 1), np.dtype(np.float64), 2, 4, 32

        def __getitem__(self, rows: Any) -> Any:
            return np.arange(4.0)[:, None][rows]

    stream = cupy.cuda.get_current_stream()
    assert DeviceMatrix(Rows())[np.array([3, 1])].array.tolist() == [[3.0], [1.0]] and stream.waited == 1
    assert DeviceMatrix(Rows())[1:3].array.tolist() == [[1.0], [2.0]] and stream.waited == 1
