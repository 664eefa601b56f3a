"""DeviceRounds: rounds of boosting on a device. Rows and features are drawn on the host, all else is on the device."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._exact import exact_sum
from glasswood.errors import OptionError
from glasswood.gpu._bin_kernel import PLAIN
from glasswood.gpu._device import Device, Launch, Replay, number
from glasswood.gpu._device_bins import columns_of, make_device_bins
from glasswood.gpu._device_raw import start_device_raw
from glasswood.gpu._device_table import DeviceTable
from glasswood.gpu._joined import join_nodes
from glasswood.gpu._layout import make_layout
from glasswood.gpu._needed import bytes_of_fit
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
)

_AHEAD = 3  # rounds that the device may begin before the host has seen the loss of the one before
_EVERY_GROUP = 2**64 - 1


class DeviceRounds:
    """Grows the trees of a round on a device."""

    threads = 1  # of the host

    def __init__(self, plan: FitPlan, done: int, device: Device) -> None:
        self.plan, self.device = plan, device
        self._loss = plan.loss.name if isinstance(plan.loss, KernelLoss) else ""
        self._parameter = plan.loss.parameter if isinstance(plan.loss, KernelLoss) else 0.0
        self.n_outputs, self.n = len(plan.baseline), plan.train.rows.n_rows
        self.draws = Draws(plan.train, len(plan.binning.features), plan.options, plan.seed)
        setting = self._setting(done)
        device.expect(bytes_of_fit(plan, setting))
        self._blocks = max(1, min(8 * device.n_processors, -(-max(table.rows.n_rows for table in plan.tables) // 512)))
        self._kernels = device.compile("gradients.cu", {**PLAIN, "LOSS": LOSSES[self._loss]}, self._names())
        n_rounds = plan.options.n_estimators - done
        self.tables = [
            DeviceTable(device, table, start_device_raw(device, plan, table), self.n_outputs, self._loss, n_rounds)
            for table in plan.tables
        ]
        self._gradient = device.zeros(8 * self.n_outputs * self.n)
        self._hessian = device.zeros(8 * self.n_outputs * self.n) if setting.hessians else None
        self._most = device.zeros(8 * 3 * self.n_outputs)
        self._used = device.upload(np.ones((self.n_outputs, setting.layout.n_features), dtype=np.uint8))
        self._drawn, self._others = self._lists(setting)
        self._program = TreeProgram(device, setting, self._training_rows(setting), self._categories())
        words = -(-setting.layout.n_features // 4)
        self._evaluated = [
            make_device_bins(device, plan.binning, table.whole_rows, 4 * words, plan.n_threads)
            for table in plan.tables[1:]
        ]
        self._done = self._begun = done
        # a loss of the host and metrics ask for raw after every round
        self._ahead = _AHEAD if self._loss and not plan.options.metrics else 0
        device.run(self._end_launches(add=False))
        for table in self.tables:
            table.fetch(0)
        self._round: Replay = device.record([*self._round_launches(), *self._end_launches(add=True)])

    def grow(self, number: int) -> list[int]:
        """Grow one tree per output; returns their numbers."""
        while self._begun < min(number + 1 + self._ahead, self.plan.options.n_estimators):
            self._begin(self._begun)
            self._begun += 1
            for table in self.tables:
                table.fetch(self._begun - self._done)
        for table in self.tables:
            table.go_to(number + 1 - self._done)
        first = (number - self._done) * self.n_outputs
        return [first + k for k in range(self.n_outputs)]

    def _begin(self, number: int) -> None:
        """Start a round."""
        if self.draws.n_drawn < len(self.draws.counted):
            drawn, others = self.draws.rows(number)
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

    def record(self, trees: Sequence[Any]) -> None:
        """Nothing: a fit on a device keeps no rounds of an attempt that was lost."""

    def replay(self, trees: Mapping[str, NDArray[Any]]) -> Sequence[Any]:
        """Refuse: trees of a lost attempt are not brought to the device."""
        raise OptionError('a fit with device="cuda" cannot go on after a lost attempt; set device="cpu"')

    def stop(self) -> None:
        """Wait for the rounds under way: they must not work on memory that others have by then."""
        self.device.finish()

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

    def _names(self) -> list[str]:
        """Kernels of the loss."""
        if not self._loss:
            return ["largest"]
        return ["slopes" if self._loss == "softmax" else "end_round", "losses", "sum_losses"]

    def _round_launches(self) -> list[Launch]:
        """Trees from gradients."""
        device, train, found = self.device, self.tables[0], []
        if not self._loss:
            given = (self._gradient, self._hessian, number(self.n, "u4"), self._most)
            found.append(Launch(self._kernels["largest"], self._blocks, 256, given))
        for k in range(self.n_outputs):
            at = 8 * k * self.n
            hessian = None if self._hessian is None else device.at(self._hessian, at)
            used = device.at(self._used, k * len(self.plan.binning.features))
            raw = device.at(train.raw, at)
            most = device.at(self._most, 24 * k)
            found += self._program.launches(device.at(self._gradient, at), hessian, most, used, raw, self._blocks)
            if not self._step_adds:
                found += self._program.add(raw, self._blocks)
            for table, bins in zip(self.tables[1:], self._evaluated, strict=True):
                raw = device.at(table.raw, 8 * k * table.n)
                found += self._program.walk(raw, bins, None, table.n, self._blocks)
        return found

    @property
    def _step_adds(self) -> bool:
        """Whether the kernel that finds the next gradients adds the tree to raw, too."""
        return bool(self._loss) and self._loss != "softmax" and self._program.setting.n_others == 0

    def _end_launches(self, *, add: bool) -> list[Launch]:
        """Losses of all tables, and the gradients of the next round; `add` the last tree to raw first."""
        if not self._loss:
            return []
        train, kernels, blocks = self.tables[0], self._kernels, self._blocks
        tree = (self._program.state, number(self._program.setting.first_tree, "u8"))
        n, outputs, parameter = number(self.n, "u4"), number(self.n_outputs, "u4"), number(self._parameter, "f8")
        slopes = (self._gradient, self._hessian, self._most)
        if self._loss == "softmax":
            given = (train.y, train.raw, train.weight, n, outputs, parameter, *slopes)
            found = [Launch(kernels["slopes"], blocks, 256, given)]
            found += train.launches(kernels, self._parameter, blocks, tree)
        else:
            slot = self._program.slot if add and self._step_adds else None
            leaves = (self._program.row_values, number(2**self._program.setting.depth, "u4"), slot)
            rows = (train.y, train.raw, train.weight, n, parameter)
            found = [
                Launch(kernels["end_round"], blocks, 256, (*rows, *leaves, *slopes, train.losses, train.sums, *tree)),
                train.sum_launch(kernels, blocks, tree),
            ]
        for table in self.tables[1:]:
            found += table.launches(kernels, self._parameter, blocks, tree)
        return found

    def _setting(self, done: int) -> TreeSetting:
        options, device = self.plan.options, self.device
        # newton needs squares only to tell which means of categories are credible
        squares = options.gain != "newton" or bool(self.plan.binning.features.is_category.any())
        hessians = not self.plan.loss.unit_hessian
        weighted = len(self.plan.train.weight) > 0
        slim = not (squares or hessians or weighted)  # a row has a gradient, all else is counted
        layout_of = partial(
            make_layout,
            len(self.plan.binning.features),
            int(self.plan.binning.n_bins.max()) + 1,
            words=2 if slim else 5 if squares and hessians and weighted else 4,
            shared_bytes=device.shared_bytes,
            threads=device.histogram_threads,
        )
        powered = options.gain == "welch" and options.rho != 1.0
        assert options.max_depth is not None
        return TreeSetting(
            layout=layout_of(fields=2 + squares + hessians),
            root=layout_of(fields=1 + squares + hessians),
            depth=options.max_depth,
            squares=squares,
            hessians=hessians,
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
        device, plan, layout = self.device, self.plan, setting.layout
        bins = make_device_bins(device, plan.binning, plan.train.whole_rows, setting.stride, plan.n_threads)
        row_id = self.plan.train.row_id
        return TrainingRows(
            table=self.tables[0],
            rows=bins,
            columns=columns_of(device, bins, self.n, layout.n_features),
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
    try:
        return DeviceRounds(plan, done, device)
    except BaseException:  # Ctrl-C too: nothing may work on memory that goes back
        device.finish()
        raise


def _units_of_weight(weight: NDArray[np.float64]) -> float:
    """Units in a weight of 1, for sums of 61 bits, as on the CPU."""
    total = exact_sum(weight)
    return 2.0 ** -int(np.clip(np.frexp(total)[1] - 61, -1021, 1021)) if total > 0 else 1.0
