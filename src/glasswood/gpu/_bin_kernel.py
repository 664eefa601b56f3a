"""BinKernel: values on the device → bins, for boosting and for the codes of prediction."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.gpu._device import Device, Launch, number

PLAIN = {"DEPTH": 1, "SQUARES": 1, "HESSIANS": 0, "WEIGHTED": 0, "NC": 33}  # for kernels that grow no trees
_LANES = 32
_EDGES = (31, 63, 127, 255)  # kernels are compiled for so many edges per feature


class BinKernel:
    """Counts the edges below each value.

    Parameters
    ----------
    device : Device
    dtype : float32 or float64
        Of the values.
    edges : sequence of ndarray of float64
        Of each feature, ascending, at most 255.
    missing : ndarray of uint8, (n_features,)
        Bin of NaN.
    source : ndarray of uint32, (n_features,)
        Column of each feature.
    """

    def __init__(
        self,
        device: Device,
        dtype: Any,
        edges: Sequence[NDArray[np.float64]],
        missing: NDArray[np.uint8],
        source: NDArray[np.uint32],
    ) -> None:
        self.device, self.dtype = device, np.dtype(dtype)
        self._n_features = len(edges)
        self._in_order = bool(np.array_equal(source, np.arange(len(source))))
        n_edges = next(size for size in _EDGES if size >= max(map(len, edges), default=0))
        self._width = lane_width(self._n_features, self.dtype.itemsize, n_edges, device.shared_bytes)
        self._groups = max(1, -(-self._n_features // (_LANES * self._width)))
        self._shared_bytes = _edge_bytes(self._width, n_edges, self.dtype.itemsize)
        self._blocks = max(1, min(4, device.shared_bytes // (self._shared_bytes + 1024)))  # at once on a processor
        self._threads = 1024 if self._blocks == 1 else 512
        macros = {
            **PLAIN, "BINS": 1, "FLOAT64": int(self.dtype == np.float64), "EDGES": n_edges, "WIDTH": self._width,
            "BIN_THREADS": self._threads,
        }  # fmt: skip
        self._kernel = device.compile("tables.cu", macros, ["bin_rows"])["bin_rows"]
        self._edges = device.upload(deal_edges(edges, self.dtype, self._width, self._groups, n_edges))
        self._missing, self._source = device.upload(missing), device.upload(source)

    def launch(self, values: Any, shape: tuple[int, int], steps: tuple[int, int], out: Any, stride: int) -> Launch:
        """Bins of (n_rows, n_columns) values to rows of `stride` bytes; `steps`: numbers from row to row and column."""
        n, n_columns = shape
        whole = (
            self._in_order
            and steps[1] == 1
            and steps[0] % self._width == 0
            and n_columns % self._width == 0
            and stride <= n_columns
            and self.device.is_aligned(values)
        )
        most = self._blocks * self.device.n_processors // self._groups
        per_group = max(1, min(most, -(-n // (self._threads // 32))))
        u4 = "u4"
        rows = (values, number(steps[0], "i8"), number(steps[1], "i8"), number(n, u4))
        given = (self._edges, self._missing, self._source, number(self._n_features, u4), number(self._groups, u4))
        rest = (number(int(whole), u4), out, number(stride, u4))
        return Launch(self._kernel, per_group * self._groups, self._threads, (*rows, *given, *rest), self._shared_bytes)


def lane_width(n_features: int, item_bytes: int, n_edges: int, shared_bytes: int) -> int:
    """Neighbouring features of a lane: as few as leave no feature without a lane.

    At most 16 bytes of them, and no more than have room for their edges: the others are dealt to further groups.
    """
    widths = [width for width in (1, 2, 4) if width * item_bytes <= 16]
    fitting = [width for width in widths if _edge_bytes(width, n_edges, item_bytes) <= shared_bytes] or widths[:1]
    return next((width for width in fitting if n_features <= _LANES * width), fitting[-1])


def _edge_bytes(width: int, n_edges: int, item_bytes: int) -> int:
    """Shared memory for the edges of a group."""
    return width * n_edges * _LANES * item_bytes


def deal_edges(edges: Sequence[NDArray[np.float64]], dtype: Any, width: int, groups: int, n_edges: int) -> NDArray[Any]:
    """Edges as the lanes need them, (groups, width, n_edges, lanes), infinite after the last one of a feature.

    For a float32 x, x > edge says x > f with f the largest float32 that is not above the edge.
    """
    dealt = np.full((groups, width, n_edges, _LANES), np.inf, dtype=dtype)
    for f, own in enumerate(edges):
        narrow = own.astype(dtype)
        narrow = np.where(narrow.astype(np.float64) > own, np.nextafter(narrow, np.dtype(dtype).type(-np.inf)), narrow)
        group, place = divmod(f, _LANES * width)
        dealt[group, place % width, : len(own), place // width] = narrow
    return dealt
