"""TreeProgram: the launches that grow one tree, in their order, and the memory they share."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.gpu._device import Device, Launch, number
from glasswood.gpu._device_bins import DeviceBins
from glasswood.gpu._device_table import DeviceTable
from glasswood.gpu._layout import Layout
from glasswood.gpu._records import CANDIDATE_BYTES, NODE, QUANTILE_BYTES, row_values_at, state_bytes

KERNELS = (
    "quantise", "keep_counts", "fill", "scan", "part", "keep_best", "sum_leaves", "finish_tree", "add_values", "walk",
    "count_bytes", "choose_byte",
)  # fmt: skip
_LEAST_ROWS = 512  # of a block that fills histograms
_PART_ROWS = 1024  # of a block that sends rows left and right
_SCAN_FEATURES = 4  # of a block that looks for splits


@dataclass(frozen=True, slots=True, eq=False)
class TreeSetting:
    """What a fit decides once."""

    layout: Layout
    root: Layout  # of the root where its counts are known: one sum less, so that lanes may take more bytes
    depth: int
    squares: bool  # cells have sums of squares
    hessians: bool  # cells have sums of hessians, which are not the weights
    weighted: bool
    gain: int
    max_leaves: int  # 0: no limit
    n_trees: int
    first_tree: int
    n: int  # rows of the table
    n_drawn: int  # rows of a tree
    n_others: int  # rows that walk down the tree
    quantile: float | None  # of the residuals, for the value of a leaf
    weight_per_unit: float  # a power of two: weights times it are whole numbers whose sums are exact

    @property
    def stride(self) -> int:
        """Bytes of a row of bins."""
        return max(self.layout.stride, self.root.stride)

    @property
    def record_bytes(self) -> int:
        """Bytes of a row in the list of a node."""
        return 16 if self.hessians or self.weighted else 8

    @property
    def leaf_fields(self) -> int:
        """Sums of a leaf."""
        return 1 + self.hessians + self.weighted


@dataclass(frozen=True, slots=True, eq=False)
class TrainingRows:
    """The training table on the device."""

    table: DeviceTable
    rows: DeviceBins
    columns: Any  # bins, feature by feature
    row_id: Any
    features: Any
    rules: Any
    drawn: Any  # None: all rows
    others: Any


class TreeProgram:
    """Grows trees on the training rows, again and again."""

    def __init__(
        self, device: Device, setting: TreeSetting, train: TrainingRows, categories: NDArray[np.uint32]
    ) -> None:
        self.device, self.setting, self.train = device, setting, train
        layout, depth = setting.layout, setting.depth
        self.n_categories = len(categories)
        names = [*KERNELS, "order"] if len(categories) else KERNELS
        self.kernels = device.compile("trees.cu", self._macros(layout), names)
        self.state = device.zeros(state_bytes(depth, setting.leaf_fields))
        device.write(self.state, np.array([setting.first_tree], dtype=np.uint64))
        self.row_values = device.at(self.state, row_values_at(depth, setting.leaf_fields))
        self.nodes = device.zeros((2 ** (depth + 1) - 1) * NODE.itemsize)
        self.stat = device.zeros(setting.n * setting.record_bytes)
        self.lists = [device.zeros(setting.n_drawn * setting.record_bytes) for _ in range(min(depth - 1, 2))]
        self.slot = device.zeros(setting.n * 2)
        widest = 2 ** (depth - 1)  # nodes of the last level that is split
        self.cells = [device.zeros(8 * layout.node_words * max(widest // (1 + k), 1)) for k in self._halves()]
        self.candidates = device.zeros(CANDIDATE_BYTES * widest * layout.n_features)
        self.categories = device.upload(categories) if len(categories) else None
        self.orders = device.zeros(256 * widest * len(categories)) if len(categories) else None
        self.n_ordered = device.zeros(4 * widest * len(categories)) if len(categories) else None
        self.open = device.zeros(4 * 3 * 2 ** (depth + 1)) if setting.max_leaves else None
        quantiles = setting.quantile is not None
        self.quantiles = device.zeros(QUANTILE_BYTES * 2**depth) if quantiles else None
        self.counts = device.zeros(8 * 256 * 2**depth) if quantiles else None
        self.out_nodes = device.zeros(setting.n_trees * (2**depth - 1) * NODE.itemsize)
        self.out_values = device.zeros(setting.n_trees * 2**depth * 8)
        self.out_weights = device.zeros(setting.n_trees * 2**depth * 8)
        self.root_counts = self._count_root()

    def launches(self, gradient: Any, hessian: Any, most: Any, used: Any, raw: Any, blocks: int) -> list[Launch]:
        """Grow a tree from these gradients; `most` are the largest sizes of the gradients, used for the last time."""
        s, t, k = self.setting, self.train, self.kernels
        weight = t.table.weight
        found = [self._quantise(gradient, hessian, most, blocks)]
        for level in range(s.depth):
            found += self._level(level, used)
        if s.max_leaves:
            found.append(Launch(k["keep_best"], 1, 1, (self.nodes, self.state, t.rules, self.open)))
        finish = (
            self.nodes, self.state, t.rules, number(s.first_tree, "u8"), self.out_nodes, self.out_values,
            self.out_weights,
        )  # fmt: skip
        given = (gradient, hessian, weight, t.drawn, self.slot, number(s.n_drawn, "u4"), most)
        finishes = s.quantile is None
        found.append(Launch(k["sum_leaves"], blocks, 256, (*given, *finish, number(int(finishes), "u4"))))
        return found if finishes else [*found, *self._quantiles(raw, blocks), Launch(k["finish_tree"], 1, 256, finish)]

    def add(self, raw: Any, blocks: int) -> list[Launch]:
        """Add the last tree to `raw` of the training table."""
        s, t = self.setting, self.train
        given = (raw, t.drawn, self.slot, number(s.n_drawn, "u4"), self.state)
        return [
            Launch(self.kernels["add_values"], blocks, 256, given),
            *self.walk(raw, t.rows, t.others, s.n_others, blocks),
        ]

    def _quantise(self, gradient: Any, hessian: Any, most: Any, blocks: int) -> Launch:
        s, t, u4 = self.setting, self.train, "u4"
        rows = (gradient, hessian, t.table.weight, t.row_id, number(s.n, u4), most, self.nodes, number(s.n_drawn, u4))
        cells = (self.cells[0], number(s.layout.node_words, u4), self.root_counts)
        return Launch(self.kernels["quantise"], blocks, 256, (*rows, self.state, t.rules, self.stat, *cells))

    def _count_root(self) -> Any:
        """Rows in each cell of the root, where they are the same for every tree."""
        s, layout = self.setting, self.setting.layout
        self.root_counts = None
        if s.weighted or s.n_drawn < s.n:
            return None
        macros = {**self._macros(s.root), "ROOT_ONLY": 1}
        self.fill_root = self.device.compile("trees.cu", macros, ["fill"])["fill"]
        counts = self.device.zeros(8 * layout.n_features * layout.global_cells)
        nothing = self.device.zeros(8 * s.n)
        blocks = max(1, min(8 * self.device.n_processors, -(-s.n // 1024)))
        cells = (self.cells[0], number(layout.node_words, "u4"), counts)
        hessian = nothing if s.hessians else None
        self.device.run(
            [
                self._quantise(nothing, hessian, self.device.zeros(24), blocks),
                self._fill(0, None, counted=False),
                Launch(self.kernels["keep_counts"], blocks, 256, cells),
            ]
        )
        return counts

    def _quantiles(self, raw: Any, blocks: int) -> list[Launch]:
        """Values of leaves that are quantiles of residuals, found byte by byte."""
        s, t = self.setting, self.train
        if s.quantile is None:
            return []
        weight = (t.table.weight, number(s.weight_per_unit, "f8"))
        rows = (t.drawn, self.slot, number(s.n_drawn, "u4"), self.state, self.quantiles, self.counts)
        of_leaves = (self.nodes, self.state, self.quantiles, self.counts, number(s.quantile, "f8"))
        found = []
        for byte in range(8):
            which = number(byte, "i4")
            found.append(Launch(self.kernels["count_bytes"], blocks, 256, (t.table.y, raw, *weight, *rows, which)))
            chosen = (*of_leaves, number(int(s.weighted), "u4"), which)
            found.append(Launch(self.kernels["choose_byte"], 2**s.depth, 32, chosen))
        return found

    def walk(self, raw: Any, bins: DeviceBins, rows: Any, n: int, blocks: int) -> list[Launch]:
        """Add the last tree to rows that walk down it."""
        if n == 0:
            return []
        shape = (raw, bins.buffer, number(bins.stride, "u8"), rows, number(n, "u4"))
        return [Launch(self.kernels["walk"], blocks, 256, (*shape, self.nodes, self.train.features, self.state))]

    def _fill(self, level: int, source: Any, *, counted: bool) -> Launch:
        """Fill the histograms of a level; `counted`: its cells know how many rows they have."""
        t, u4 = self.train, "u4"
        layout = self.setting.root if counted else self.setting.layout
        shape = (self.setting.stride, layout.group_features, layout.groups, layout.lanes, layout.n_features)
        rows = (t.rows.buffer, *(number(x, u4) for x in shape), self.stat, t.drawn, source, self.nodes)
        rest = (self.state, number(level, "i4"), number(_LEAST_ROWS, u4), number(int(not counted), u4))
        return Launch(
            self.fill_root if counted else self.kernels["fill"],
            self._fill_blocks(layout.groups),
            self.device.histogram_threads,
            (*rows, self.cells[level % 2], *rest),
            layout.histogram_bytes,
        )

    def _level(self, level: int, used: Any) -> list[Launch]:
        s, t, k, u4, layout = self.setting, self.train, self.kernels, "u4", self.setting.layout
        now, before = self.cells[level % 2], self.cells[(level + 1) % 2]
        source = self.lists[(level + 1) % 2] if level else None
        target = self.lists[level % 2] if level + 1 < s.depth else None
        n_features, which = number(layout.n_features, u4), number(level, "i4")
        pairs = 1 if level == 0 else 2 ** (level - 1)
        found = [self._fill(level, source, counted=level == 0 and self.root_counts is not None)]
        categories = number(self.n_categories, u4)
        if self.n_categories:
            given = (self.nodes, before, now, t.features, self.categories, categories, n_features, self.state, which)
            n_blocks = pairs * 2 * self.n_categories
            found.append(Launch(k["order"], n_blocks, 32, (*given, self.orders, self.n_ordered)))
        given = (self.nodes, before, now, self.candidates, t.features, used, n_features, self.orders, self.n_ordered)
        per_pair = -(-layout.n_features // _SCAN_FEATURES)
        found.append(
            Launch(k["scan"], pairs * per_pair, 64 * _SCAN_FEATURES, (*given, categories, self.state, t.rules, which))
        )
        clear = layout.node_words * 2 ** (level + 1) if level + 1 < s.depth else 0
        lists = (t.columns, number(s.n, "u8"), t.drawn, source, target, self.slot, self.nodes, self.stat, t.features)
        rows = (before, number(clear, "u8"), which, number(s.n_drawn, u4))
        return [*found, Launch(k["part"], -(-s.n_drawn // _PART_ROWS), 256, (*lists, *rows))]

    def _halves(self) -> tuple[int, ...]:
        """The last level lies in one of two buffers, the level above, with half of the nodes, in the other."""
        return (0, 1) if self.setting.depth % 2 else (1, 0)

    def _fill_blocks(self, groups: int) -> int:
        wanted = min(self.device.n_processors, -(-self.setting.n_drawn // _LEAST_ROWS) * groups)
        return max(wanted // groups, 1) * groups

    def _macros(self, layout: Layout) -> dict[str, int]:
        return {
            "DEPTH": self.setting.depth,
            "SQUARES": int(self.setting.squares),
            "HESSIANS": int(self.setting.hessians),
            "WEIGHTED": int(self.setting.weighted),
            "NC": layout.n_cells,
            "GW": layout.width,
            "GAIN": self.setting.gain,
            "CATEGORIES": int(self.n_categories > 0),
            "HISTOGRAM_THREADS": self.device.histogram_threads,
            "ROOT_ONLY": 0,
        }
