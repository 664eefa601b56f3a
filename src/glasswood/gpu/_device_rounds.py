"""DeviceRounds: rounds of boosting on a device. Rows and features are drawn on the host, all else is on the device."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._exact import exact_sum
from glasswood.gpu._device import Device, Launch, Replay, number
from glasswood.gpu._device_table import DeviceTable
from glasswood.gpu._joined import join_nodes
from glasswood.gpu._layout import make_layout
from glasswood.gpu._records import FEATURE, NODE, RULES
from glasswood.gpu._refusals import refuse
from glasswood.gpu._sources import GAINS, LOSSES, POWERED_WELCH
from glasswood.gpu._tree_program import TrainingRows, TreeProgram, TreeSetting
from glasswood.train.boosting import (
    ROUNDING_STREAM,
    Draws,
    FitPlan,
    KernelLoss,
    largest_step,
    min_weight_of_leaf,
    start_raw,
)

_NO_HESSIAN = ("squared_error", "absolute_error", "quantile")  # their hessian is the weight
_PLAIN = {"DEPTH": 1, "FIELDS": 3, "WEIGHTED": 0, "NC": 33}  # what kernels need not know that grow no trees
_EVERY_GROUP = 2**64 - 1


class DeviceRounds:
    """Grows the trees of a round on a device."""

    threads = 1  # of the host

    def __init__(self, plan: FitPlan, done: int, device: Device) -> None:
        self.plan, self.device = plan, device
        self._loss = plan.loss.name if isinstance(plan.loss, KernelLoss) else ""
        self._parameter = plan.loss.parameter if isinstance(plan.loss, KernelLoss) else 0.0
        raws = [start_raw(table, plan.baseline, plan.grown, plan.n_threads) for table in plan.tables]
        self.n_outputs, self.n = raws[0].shape
        self.draws = Draws(plan.train, len(plan.binning.features), plan.options, plan.seed)
        self._blocks = max(1, min(8 * device.n_processors, -(-max(map(_n_rows, raws)) // 1024)))
        losses = ("start_losses", "losses", "sum_losses", "slopes") if self._loss else ("largest",)
        self._kernels = device.compile("gradients.cu", {**_PLAIN, "LOSS": LOSSES[self._loss]}, ["start_round", *losses])
        self.tables = [
            DeviceTable(device, table, raw, self._loss) for table, raw in zip(plan.tables, raws, strict=True)
        ]
        setting = self._setting(done)
        self._gradient = device.zeros(8 * self.n_outputs * self.n)
        self._hessian = device.zeros(8 * self.n_outputs * self.n) if setting.layout.fields == 4 else None
        self._most = device.zeros(8 * 3 * self.n_outputs)
        self._used = device.upload(np.ones((self.n_outputs, setting.layout.n_features), dtype=np.uint8))
        self._drawn, self._others = self._lists(setting)
        self._program = TreeProgram(device, setting, self._training_rows(setting), self._categories())
        self._evaluated = [device.upload(_bins(plan, table)) for table in plan.tables[1:]]
        self._first_tree = setting.first_tree
        device.run(self._metric_launches())
        self._round: Replay = device.record([*self._round_launches(), *self._metric_launches()])

    def grow(self, number: int) -> list[int]:
        """Grow one tree per output; returns their numbers."""
        drawn, others = self.draws.rows(number)
        if self.draws.n_drawn < len(self.draws.counted):
            self.device.write(self._drawn, drawn)
            self.device.write(self._others, others)
        first = number * self.n_outputs
        if self.plan.options.colsample < 1:
            used = np.zeros((self.n_outputs, len(self.plan.binning.features)), dtype=np.uint8)
            for k in range(self.n_outputs):
                used[k, self.draws.columns(first + k)] = 1
            self.device.write(self._used, used)
        if not self._loss:
            self._fill_on_host()
        self._round()
        for table in self.tables:
            table.change()
        return [first + k - self._first_tree for k in range(self.n_outputs)]

    def join(self, trees: Sequence[Any]) -> dict[str, NDArray[Any]]:
        """Copy the trees to the host."""
        depth, n = self._program.setting.depth, len(trees)
        read = self.device.read
        nodes = read(self._program.out_nodes, NODE, n * (2**depth - 1)).reshape(n, -1)
        values = read(self._program.out_values, np.float64, n * 2**depth).reshape(n, -1)
        weights = read(self._program.out_weights, np.float64, n * 2**depth).reshape(n, -1)
        return join_nodes(nodes, values, weights)

    def _fill_on_host(self) -> None:
        """Gradients of a loss that only the host can compute."""
        table = self.plan.train
        raw = self.tables[0].raw_by_output
        gradient, hessian = np.empty_like(raw), np.empty_like(raw)
        self.plan.loss.fill(table.y, raw, table.weight, gradient, hessian, self.plan.n_threads)
        self.device.write(self._gradient, gradient)
        self.device.write(self._hessian, hessian)

    def _round_launches(self) -> list[Launch]:
        device, train, n = self.device, self.tables[0], number(self.n, "u4")
        found = [Launch(self._kernels["start_round"], 1, 256, (self._most, number(3 * self.n_outputs, "u4")))]
        if self._loss:
            rows = (train.y, train.raw, train.weight, n, number(self.n_outputs, "u4"), number(self._parameter, "f8"))
            slopes = (*rows, self._gradient, self._hessian, self._most)
            found.append(Launch(self._kernels["slopes"], self._blocks, 256, slopes))
        else:
            found.append(
                Launch(self._kernels["largest"], self._blocks, 256, (self._gradient, self._hessian, n, self._most))
            )
        for k in range(self.n_outputs):
            at = 8 * k * self.n
            hessian = None if self._hessian is None else device.at(self._hessian, at)
            used = device.at(self._used, k * len(self.plan.binning.features))
            found += self._program.launches(
                device.at(self._gradient, at), hessian, device.at(self._most, 24 * k), used, device.at(train.raw, at),
                self._blocks,
            )  # fmt: skip
            for table, bins in zip(self.tables[1:], self._evaluated, strict=True):
                raw = device.at(table.raw, 8 * k * table.n)
                found += self._program.walk(raw, bins, len(self.plan.binning.features), None, table.n, self._blocks)
        return found

    def _metric_launches(self) -> list[Launch]:
        if not self._loss:
            return []
        return [
            launch for table in self.tables for launch in table.launches(self._kernels, self._parameter, self._blocks)
        ]

    def _setting(self, done: int) -> TreeSetting:
        options, device = self.plan.options, self.device
        fields = 3 if self._loss in _NO_HESSIAN else 4
        weighted = len(self.plan.train.weight) > 0
        layout = make_layout(
            len(self.plan.binning.features),
            int(self.plan.binning.n_bins.max()) + 1,
            fields,
            five=fields == 4 and weighted,
            shared_bytes=device.shared_bytes,
            threads=device.histogram_threads,
        )
        powered = options.gain == "welch" and options.rho != 1.0
        assert options.max_depth is not None
        return TreeSetting(
            layout=layout,
            depth=options.max_depth,
            weighted=weighted,
            gain=POWERED_WELCH if powered else GAINS[options.gain],
            max_leaves=options.max_leaf_nodes or 0,
            n_trees=(options.n_estimators - done) * self.n_outputs,
            first_tree=done * self.n_outputs,
            n=self.n,
            n_drawn=self.draws.n_drawn,
            n_others=self.n - self.draws.n_drawn,
            quantile=self.plan.loss.leaf_quantile,
            weight_per_unit=_units_of_weight(self.plan.train.weight),
        )

    def _lists(self, setting: TreeSetting) -> tuple[Any, Any]:
        if setting.n_others == 0:
            return None, None
        drawn, others = self.draws.rows(0)
        return self.device.upload(drawn), self.device.upload(others)

    def _training_rows(self, setting: TreeSetting) -> TrainingRows:
        device, layout, n = self.device, setting.layout, number(self.n, "u4")
        kernels = device.compile("tables.cu", _PLAIN, ["pack_rows", "to_columns"])
        n_features, stride = number(layout.n_features, "u4"), number(layout.stride, "u4")
        plain = device.upload(_bins(self.plan, self.plan.train))
        rows, columns = plain, device.zeros(self.n * layout.n_features)
        launches = []
        if layout.stride != layout.n_features:
            rows = device.zeros(self.n * layout.stride)
            shape = (number(layout.n_features, "u8"), n_features, rows, number(layout.stride // 4, "u4"), n)
            launches.append(Launch(kernels["pack_rows"], self._blocks, 256, (plain, *shape)))
        tiles = -(-self.n // 128) * -(-layout.n_features // 32)
        given = (rows, stride, n_features, columns, number(self.n, "u8"), n)
        launches.append(Launch(kernels["to_columns"], tiles, 256, given))
        device.run(launches)
        row_id = self.plan.train.row_id
        return TrainingRows(
            table=self.tables[0],
            rows=rows,
            columns=columns,
            row_id=device.upload(row_id) if len(row_id) else None,
            features=device.upload(self._features()),
            rules=device.upload(self._rules()),
            drawn=self._drawn,
            others=self._others,
        )

    def _categories(self) -> NDArray[np.uint32]:
        return np.flatnonzero(self.plan.binning.features.is_category).astype(np.uint32)

    def _features(self) -> NDArray[Any]:
        features = np.zeros(len(self.plan.binning.features), dtype=FEATURE)
        features["n_bins"] = self.plan.binning.n_bins
        features["is_category"] = self.plan.binning.features.is_category
        features["monotone"] = self.plan.constraints.monotone
        features["category"][self._categories()] = np.arange(len(self._categories()))
        features["groups"] = _EVERY_GROUP
        for f, own in enumerate(self.plan.constraints.groups):
            features["groups"][f] = sum(1 << group for group in own)
        return features

    def _rules(self) -> NDArray[Any]:
        options, loss = self.plan.options, self.plan.loss
        weight = self.plan.train.weight
        rules = np.zeros(1, dtype=RULES)
        rules["l2"], rules["rho"], rules["min_gain"] = options.l2, options.rho, options.min_gain
        rules["min_weight"] = min_weight_of_leaf(options, weighted=len(weight) > 0)
        rules["power"], rules["largest_step"] = loss.variance_power, largest_step(loss)
        rules["rate"], rules["max_leaves"] = options.learning_rate, options.max_leaf_nodes or 0
        rules["most_weight"] = weight.max() if len(weight) else 1.0
        rules["seed"], rules["first_stream"] = self.plan.seed, ROUNDING_STREAM
        rules["groups"], rules["n_table"] = _EVERY_GROUP, self.n
        return rules


def start_device_rounds(plan: FitPlan, done: int, device: Device | None = None) -> DeviceRounds:
    """Move a fit to a device; without one given, to the current CUDA device."""
    refuse(plan)
    if device is None:
        from glasswood.gpu._cuda_device import CudaDevice

        device = CudaDevice()
    return DeviceRounds(plan, done, device)


def _units_of_weight(weight: NDArray[np.float64]) -> float:
    """Units in a weight of 1, for sums of 61 bits, as on the CPU."""
    total = exact_sum(weight)
    return 2.0 ** -int(np.clip(np.frexp(total)[1] - 61, -1021, 1021)) if total > 0 else 1.0


def _bins(plan: FitPlan, table: Any) -> NDArray[np.uint8]:
    return np.ascontiguousarray(plan.binning.apply(table.rows, plan.n_threads))


def _n_rows(raw: NDArray[np.float64]) -> int:
    return len(raw[0])
