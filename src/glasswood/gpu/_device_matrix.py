"""DeviceMatrix: rows of numbers that lie on a GPU already."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from glasswood.errors import TableError
from glasswood.gpu._memory import memory_errors


@dataclass(frozen=True, slots=True, eq=False)
class DeviceMatrix:
    """A matrix of float32 or float64 of any strides, as the array library of the device has it."""

    array: Any

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        n, m = self.array.shape
        return int(n), int(m)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the numbers."""
        kind: np.dtype[Any] = np.dtype(self.array.dtype)
        return kind

    @property
    def steps(self) -> tuple[int, int]:
        """Numbers from one row to the next, and from one column to the next."""
        size = self.dtype.itemsize
        return self.array.strides[0] // size, self.array.strides[1] // size

    def __getitem__(self, rows: Any) -> "DeviceMatrix":
        """Some rows: a view of a slice, else a copy on the device, which is done when this returns."""
        if isinstance(rows, slice) or isinstance(self.array, np.ndarray):
            return DeviceMatrix(self.array[rows])
        from glasswood.gpu._cuda_device import import_cupy

        cupy = import_cupy()
        with memory_errors(cupy, len(rows) * (8 + self.shape[1] * self.dtype.itemsize)):
            chosen = self.array[cupy.asarray(rows)]
        cupy.cuda.get_current_stream().synchronize()  # a fit reads the copy in a stream of its own
        return DeviceMatrix(chosen)


def check_matrix(array: Any, n_features: int | None = None) -> DeviceMatrix:
    """Raise `TableError` unless this is a matrix of numbers, of `n_features` columns if that is given."""
    wanted = "n_features" if n_features is None else n_features
    if array.ndim != 2 or (n_features is not None and array.shape[1] != n_features):
        raise TableError(f"X must be (n_rows, {wanted}); got {array.shape}")
    if array.dtype not in (np.float32, np.float64):
        raise TableError(f"X must be float32 or float64; got {array.dtype}")
    return DeviceMatrix(array)
