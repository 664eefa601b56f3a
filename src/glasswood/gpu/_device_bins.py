"""DeviceBins: the bins of a table on the device, from values that lie there, or that are sent there piece by piece."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from glasswood.ensemble import AlignedRows
from glasswood.gpu._bin_kernel import PLAIN, BinKernel
from glasswood.gpu._device import Device, Launch, number
from glasswood.gpu._device_matrix import DeviceMatrix
from glasswood.train.boosting import Binning

PACKING = {**PLAIN, "BINS": 0}
_CHUNK_BYTES = 32 * 2**20  # of values on their way to the device


@dataclass(frozen=True, slots=True, eq=False)
class DeviceBins:
    """One byte per value, row by row."""

    buffer: Any
    stride: int  # bytes of a row


def make_device_bins(device: Device, binning: Binning, rows: AlignedRows, stride: int, n_threads: int) -> DeviceBins:
    """Bins of a table in rows of `stride` bytes, a multiple of 4.

    The device makes them from a matrix of numbers; from columns and sparse matrices the host does.
    """
    data = rows.data
    if isinstance(data, np.ndarray | DeviceMatrix) and not binning.features.is_category.any():
        return DeviceBins(_bins_of_matrix(device, binning, data, stride, n_threads), stride)
    n_features, words = len(binning.features), stride // 4
    plain = device.upload(np.ascontiguousarray(binning.apply(rows, n_threads)))
    if stride == n_features:
        return DeviceBins(plain, stride)
    kernel = device.compile("tables.cu", PACKING, ["pack_rows"])["pack_rows"]
    packed = device.zeros(rows.n_rows * stride)
    shape = (number(n_features, "u8"), number(n_features, "u4"), packed, number(words, "u4"), number(rows.n_rows, "u4"))
    blocks = max(1, min(8 * device.n_processors, -(-rows.n_rows // 1024)))
    device.run([Launch(kernel, blocks, 256, (plain, *shape))])
    return DeviceBins(packed, stride)


def columns_of(device: Device, bins: DeviceBins, n: int, n_features: int, column_bytes: int | None = None) -> Any:
    """The same bins feature by feature, each column in `column_bytes` or as many as there are rows."""
    kernel = device.compile("tables.cu", PACKING, ["to_columns"])["to_columns"]
    column_bytes = n if column_bytes is None else column_bytes
    columns = device.zeros(column_bytes * n_features)
    tiles = -(-n // 128) * -(-n_features // 32)
    shape = (number(bins.stride, "u4"), number(n_features, "u4"), columns, number(column_bytes, "u8"), number(n, "u4"))
    device.run([Launch(kernel, tiles, 256, (bins.buffer, *shape))])
    return columns


def _bins_of_matrix(device: Device, binning: Binning, data: Any, stride: int, n_threads: int) -> Any:
    n, n_features = data.shape
    edges = [binning.edges_of(f) for f in range(n_features)]
    missing, source = binning.n_bins.astype(np.uint8), np.arange(n_features, dtype=np.uint32)
    kernel = BinKernel(device, data.dtype, edges, missing, source)
    out = device.zeros(n * stride)
    if isinstance(data, DeviceMatrix):
        device.run([kernel.launch(data.array, data.shape, data.steps, out, stride)])
        return out

    def bins_of(values: Any, first: int, last: int) -> Sequence[Launch]:
        shape = (last - first, n_features)
        return [kernel.launch(values, shape, (n_features, 1), device.at(out, first * stride), stride)]

    device.stream_rows(data, max(1, _CHUNK_BYTES // (n_features * data.dtype.itemsize)), bins_of, n_threads)
    return out
