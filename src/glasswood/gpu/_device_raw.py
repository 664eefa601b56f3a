"""Raw on the device before the first round, or after the rounds of an earlier fit."""

from typing import Any

import numpy as np

from glasswood.gpu._device import Device, Launch, number
from glasswood.gpu._device_bins import PACKING
from glasswood.gpu._device_matrix import DeviceMatrix
from glasswood.gpu._predict import predict_into
from glasswood.train.boosting import BoostingTable, FitPlan, start_raw


def start_device_raw(device: Device, plan: FitPlan, table: BoostingTable) -> Any:
    """Raw of a table, (n_outputs, n), as `start_raw` has it; rows on the device stay there."""
    rows = table.whole_rows
    on_device = isinstance(rows.data, DeviceMatrix)
    if not on_device and (plan.grown is not None or table.offset is not None):
        return device.upload(start_raw(table, plan.baseline, plan.grown, plan.n_threads))
    n, n_outputs = rows.n_rows, len(plan.baseline)
    raw = device.zeros(8 * n_outputs * n)
    if plan.grown is None:
        kernel = device.compile("tables.cu", PACKING, ["start_raw"])["start_raw"]
        baseline = device.upload(plan.baseline)
        blocks = max(1, min(8 * device.n_processors, -(-n // 1024)))
        device.run([Launch(kernel, blocks, 256, (baseline, number(n_outputs, "u4"), number(n, "u8"), raw))])
    else:
        assert isinstance(rows.data, DeviceMatrix)
        predict_into(device, plan.grown, rows.data, raw, (1, n))
    if table.offset is not None:
        device.write(raw, device.read(raw, np.float64, n_outputs * n) + table.offset.reshape(-1))
    return raw
