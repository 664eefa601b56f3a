"""DeviceCodes: rows on a device as cells of a model's features, a byte each."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from glasswood.errors import UnsupportedModelError
from glasswood.gpu._bin_kernel import BinKernel
from glasswood.gpu._device import Device
from glasswood.gpu._device_matrix import DeviceMatrix

MAX_CELLS = 256


@dataclass(frozen=True, slots=True, eq=False)
class CellAxes:
    """The cells of every feature: intervals between thresholds, and where missing values fall."""

    thresholds: tuple[NDArray[np.float64], ...]
    missing: NDArray[np.uint8]


def make_axes(ensemble: Ensemble, cells: dict[str, NDArray[Any]]) -> CellAxes:
    """Axes from what `Paths.cells` says, or an error that names the feature a device cannot take."""
    features = ensemble.features
    for refused, why in (
        (features.is_category, "is a category"),
        (features.zero_is_missing, "takes 0 for missing"),
        (cells["size"] > MAX_CELLS, f"has more than {MAX_CELLS} cells"),
    ):
        if refused.any():
            name = features.names[int(np.argmax(refused))]
            raise UnsupportedModelError(
                f"a GPU explains models of numbers with up to {MAX_CELLS} cells each; feature {name!r} {why}: give X "
                "in the memory of the host"
            )
    start = cells["start"]
    thresholds = tuple(cells["thresholds"][start[f] : start[f + 1]] for f in range(len(features)))
    return CellAxes(thresholds, cells["missing"].astype(np.uint8))


class CodeKernel:
    """Encodes rows, row by row, in whole words."""

    def __init__(self, device: Device, axes: CellAxes, dtype: Any) -> None:
        source = np.arange(len(axes.thresholds), dtype=np.uint32)
        self._kernel = BinKernel(device, dtype, axes.thresholds, axes.missing, source)
        self.device, self.stride = device, -(-len(axes.thresholds) // 4) * 4

    def encode(self, rows: DeviceMatrix, out: Any) -> None:
        """Write the codes of rows."""
        self.device.run([self._kernel.launch(rows.array, rows.shape, rows.steps, out, self.stride)])
