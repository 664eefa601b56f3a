"""DeviceRowCounts: rows on a device, counted there for exact effects and pairs."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.errors import OptionError, UnsupportedModelError
from glasswood.explain.effects import CellGrid, FinishedSums, RowCounter
from glasswood.gpu._bin_kernel import PLAIN
from glasswood.gpu._device import Device, Launch, number
from glasswood.gpu._device_bins import DeviceBins, columns_of
from glasswood.gpu._device_codes import CodeKernel, make_axes
from glasswood.gpu._device_matrix import DeviceMatrix
from glasswood.gpu._leaf_programs import MAX_CONDITIONS, MAX_FREE, LeafPrograms, make_programs

_TABLE = np.dtype([("a", "u4"), ("b", "u4"), ("size_b", "u4"), ("n_cells", "u4"), ("start", "u8")])
_NO_FEATURE = 2**32 - 1
_SHARED_BYTES = 96 * 1024  # for the bits of a tile at all nodes of a tree, where a GPU has as many
_MAX_SHARED_BYTES = 200 * 1024  # for those of the least tile
_THREADS = 256


@dataclass(frozen=True, slots=True, eq=False)
class DeviceRowCounts(RowCounter):
    """Rows of weight 1 that stay on the device; `explain` asks for their counts."""

    device: Device
    rows: DeviceMatrix
    kind: None = None

    def count(self, grid: CellGrid, tuples: NDArray[np.int32], n_threads: int) -> FinishedSums:
        """Rows in the cells of each tuple, and the shares of the leaves."""
        degree = tuples.shape[1]
        if degree > 2:
            raise OptionError(f"rows on a GPU give effects and pairs; got degree={degree}: copy X to the host")
        n, ensemble = self.rows.shape[0], grid.ensemble
        free = np.zeros(len(ensemble.features), dtype=bool)
        free[np.unique(tuples)] = True
        role = np.where(free, _native.FREE, _native.FIXED).astype(np.uint8)
        axes = make_axes(ensemble, grid.paths.cells())
        shares = _native.RowShares(grid.paths, role, degree)
        start, leaf = shares.slots()
        slots = np.zeros(len(ensemble.feature), dtype=np.int64)
        slots[leaf] = start[:-1]
        programs = make_programs(ensemble, free, grid.paths.questions(), slots)
        _check(programs, self.device)
        columns, column_bytes = self._columns(CodeKernel(self.device, axes, self.rows.dtype))
        weight = self._count_cells(grid, tuples, columns, column_bytes)
        shares.add_sums(self._count_leaves(programs, degree, int(start[-1]), columns, column_bytes), n)
        return FinishedSums(weight.astype(np.float64), [shares.shares()])

    def _columns(self, kernel: CodeKernel) -> tuple[Any, int]:
        """Codes feature by feature, each column in whole words of 32 rows."""
        n, n_features = self.rows.shape
        codes = self.device.zeros(n * kernel.stride)
        kernel.encode(self.rows, codes)
        column_bytes = -(-n // 32) * 32
        return columns_of(self.device, DeviceBins(codes, kernel.stride), n, n_features, column_bytes), column_bytes

    def _count_cells(
        self, grid: CellGrid, tuples: NDArray[np.int32], columns: Any, column_bytes: int
    ) -> NDArray[np.int64]:
        n_cells = grid.n_cells(tuples)
        tables = np.zeros(len(tuples), dtype=_TABLE)
        tables["a"] = tuples[:, 0]
        tables["b"] = _NO_FEATURE if tuples.shape[1] == 1 else tuples[:, 1]
        tables["size_b"] = grid.size[tuples[:, -1]]
        tables["n_cells"] = n_cells
        tables["start"] = np.cumsum(n_cells) - n_cells
        counts = self.device.zeros(8 * int(n_cells.sum()))
        kernel = self.device.compile("explain.cu", {**PLAIN, "ORDER": 1}, ["count_cells"])["count_cells"]
        n = self.rows.shape[0]
        blocks = max(1, min(8 * self.device.n_processors // max(1, min(len(tables), 8)), -(-n // 4096)))
        given = (columns, number(column_bytes, "u8"), number(n, "u4"), self.device.upload(tables))
        launch = Launch(kernel, blocks * len(tables), _THREADS, (*given, number(blocks, "u4"), counts))
        self.device.run([launch])
        return self.device.read(counts, np.int64, int(n_cells.sum()))

    def _count_leaves(
        self, programs: LeafPrograms, order: int, n_slots: int, columns: Any, column_bytes: int
    ) -> NDArray[np.int64]:
        device, n, n_trees = self.device, self.rows.shape[0], len(programs.node_start) - 1
        words = tile_words(programs.most_nodes, device.shared_bytes)
        kernel = device.compile("explain.cu", {**PLAIN, "ORDER": order}, ["count_leaves"])["count_leaves"]
        sums = device.zeros(8 * n_slots)
        tiles = -(-n // (32 * words))
        shares = max(1, min(n_trees, -(-4 * device.n_processors // tiles)))
        rows = (columns, number(column_bytes, "u8"), number(n, "u4"), number(words, "u4"))
        trees = (
            device.upload(programs.node_start), device.upload(programs.nodes), device.upload(programs.leaf_start),
            device.upload(programs.leaves), device.upload(programs.conditions), number(n_trees, "u4"),
        )  # fmt: skip
        shared_bytes = 4 * words * programs.most_nodes
        launch = Launch(kernel, tiles * shares, _THREADS, (*rows, *trees, number(shares, "u4"), sums), shared_bytes)
        device.run([launch])
        return device.read(sums, np.int64, n_slots)


def tile_words(most_nodes: int, shared_bytes: int) -> int:
    """Words of 32 rows that a block looks at; `most_nodes`: of a tree."""
    return int(np.clip(min(_SHARED_BYTES, shared_bytes) // (4 * most_nodes) // 32 * 32, 32, 512))


def _check(programs: LeafPrograms, device: Device) -> None:
    if programs.most_free > MAX_FREE:
        raise UnsupportedModelError(
            f"a GPU explains trees with up to {MAX_FREE} features on a path; a leaf has {programs.most_free}: give X "
            "in the memory of the host"
        )
    if programs.longest > MAX_CONDITIONS:
        raise UnsupportedModelError(
            f"a GPU explains trees of up to {MAX_CONDITIONS} levels; one has {programs.longest}: give X in the memory "
            "of the host"
        )
    most = min(_MAX_SHARED_BYTES, device.shared_bytes) // (4 * 32)
    if programs.most_nodes > most:
        raise UnsupportedModelError(
            f"this GPU explains trees of up to {most} splits; one has {programs.most_nodes}: give X in the memory of "
            "the host"
        )
