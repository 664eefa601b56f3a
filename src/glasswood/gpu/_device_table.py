"""DeviceTable: a table on the device during boosting: its targets, its raw values and the sum of its losses."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._exact import exact_sum
from glasswood.ensemble import LOG
from glasswood.gpu._device import Device, Fetched, Launch, number
from glasswood.gpu._records import LOSS_IS_INFINITE, LOSS_IS_NAN, LOSS_SUM, RAW_IS_INFINITE, RAW_IS_NAN
from glasswood.train.boosting import MAX_LOG, BoostingTable, Loss

Floats = NDArray[np.float64]

_BITS = 62  # of the largest loss in fixed point


class DeviceTable:
    """The training table or an evaluation table."""

    def __init__(
        self, device: Device, table: BoostingTable, raw: Any, n_outputs: int, loss: str, n_rounds: int
    ) -> None:
        self.device, self.table, self.raw = device, table, raw
        self.n_outputs, self.n = n_outputs, table.rows.n_rows
        self.y = device.upload(table.y)
        self.weight = device.upload(table.weight) if len(table.weight) else None
        self._in_kernels = bool(loss)  # otherwise the host computes the loss
        self.losses = device.zeros(8 * self.n) if loss else None
        self.sums = device.zeros(LOSS_SUM.itemsize * (n_rounds + 1))  # before the first round, then of every round
        self._total = exact_sum(table.weight) if len(table.weight) else float(self.n)
        self._fetched: dict[int, Fetched] = {}
        self._round = 0

    @property
    def raw_by_output(self) -> Floats:
        """Raw values, copied to the host."""
        raw: Floats = self.device.read(self.raw, np.float64, self.n_outputs * self.n)
        return raw.reshape(self.n_outputs, self.n)

    def launches(self, kernels: dict[str, Any], parameter: float, blocks: int, tree: tuple[Any, ...]) -> list[Launch]:
        """Compute the loss of every row, and its sum; `tree`: where the number of the next tree is, and the first."""
        n, outputs = number(self.n, "u4"), number(self.n_outputs, "u4")
        rows = (self.y, self.raw, self.weight, n, outputs, number(parameter, "f8"), self.losses, self.sums, *tree)
        return [Launch(kernels["losses"], blocks, 256, rows), self.sum_launch(kernels, blocks, tree)]

    def sum_launch(self, kernels: dict[str, Any], blocks: int, tree: tuple[Any, ...]) -> Launch:
        """Sum the losses."""
        shape = (number(self.n, "u4"), number(self.n_outputs, "u4"))
        return Launch(kernels["sum_losses"], blocks, 256, (self.losses, *shape, self.sums, *tree))

    def fetch(self, round_number: int) -> None:
        """Begin to copy the sums of a round, 0 for those before the first, as soon as it is done."""
        if self._in_kernels:
            sums = self.device.at(self.sums, LOSS_SUM.itemsize * round_number)
            self._fetched[round_number] = self.device.fetch(sums, LOSS_SUM, 1)

    def go_to(self, round_number: int) -> None:
        """Answer for this round from now on."""
        self._fetched.pop(self._round, None)
        self._round = round_number

    def loss(self, loss: Loss, n_threads: int) -> float:
        """Weighted mean of the loss."""
        if not self._in_kernels:
            return loss.mean(self.table.y, self.raw_by_output, self.table.weight, n_threads)
        sums = self._read()
        if sums["flags"] & LOSS_IS_NAN:
            return float("nan")
        if sums["flags"] & LOSS_IS_INFINITE:
            return float("inf")
        largest = float(sums["largest"])
        exponent = int(np.clip(np.frexp(largest)[1] - _BITS, -1021, 1021)) if largest > 0 else 0
        # Python rounds a whole number to the nearest float
        return float((int(sums["high"]) << 32) + int(sums["low"])) * 2.0**exponent / self._total

    def predicts_numbers(self, loss: Loss) -> bool:
        """Whether no prediction is infinite."""
        if not self._in_kernels:
            return bool(np.isfinite(self.raw_by_output).all())
        sums = self._read()
        if loss.link == LOG:
            return not sums["flags"] & RAW_IS_NAN and float(sums["largest_raw"]) <= MAX_LOG
        return not sums["flags"] & (RAW_IS_NAN | RAW_IS_INFINITE)

    def _read(self) -> Any:
        return self._fetched[self._round]()[0]
