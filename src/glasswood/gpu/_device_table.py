"""DeviceTable: a table on the device during boosting: its targets, its raw values and the sum of its losses."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._exact import exact_sum
from glasswood.ensemble import LOG
from glasswood.gpu._device import Device, Launch, number
from glasswood.gpu._records import LOSS_IS_INFINITE, LOSS_IS_NAN, LOSS_SUM, RAW_IS_INFINITE, RAW_IS_NAN
from glasswood.train.boosting import MAX_LOG, BoostingTable, Loss

Floats = NDArray[np.float64]

_BITS = 62  # of the largest loss in fixed point


class DeviceTable:
    """The training table or an evaluation table."""

    def __init__(self, device: Device, table: BoostingTable, raw_by_output: Floats, loss: str) -> None:
        self.device, self.table = device, table
        self.n_outputs, self.n = raw_by_output.shape
        self.raw = device.upload(raw_by_output)
        self.y = device.upload(table.y)
        self.weight = device.upload(table.weight) if len(table.weight) else None
        self._in_kernels = bool(loss)  # otherwise the host computes the loss
        self._losses = device.zeros(8 * self.n) if loss else None
        self._sums = device.zeros(LOSS_SUM.itemsize)
        self._total = exact_sum(table.weight) if len(table.weight) else float(self.n)
        self._latest: Any = None

    @property
    def raw_by_output(self) -> Floats:
        """Raw values, copied to the host."""
        raw: Floats = self.device.read(self.raw, np.float64, self.n_outputs * self.n)
        return raw.reshape(self.n_outputs, self.n)

    def launches(self, kernels: dict[str, Any], parameter: float, blocks: int) -> list[Launch]:
        """Compute the loss of every row, and its sum."""
        n, outputs = number(self.n, "u4"), number(self.n_outputs, "u4")
        rows = (self.y, self.raw, self.weight, n, outputs, number(parameter, "f8"), self._losses, self._sums)
        return [
            Launch(kernels["start_losses"], 1, 1, (self._sums,)),
            Launch(kernels["losses"], blocks, 256, rows),
            Launch(kernels["sum_losses"], blocks, 256, (self._losses, n, self._sums)),
        ]

    def change(self) -> None:
        """Forget the sums of the round before."""
        self._latest = None

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
        if self._latest is None:
            self._latest = self.device.read(self._sums, LOSS_SUM, 1)[0]
        return self._latest
