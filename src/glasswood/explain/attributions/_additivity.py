"""Additivity: check that baseline and attributions of a row add up to raw."""

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from glasswood.errors import AdditivityError
from glasswood.explain.effects import largest_change

_ROUNDING = 1e-12


def check_additivity(
    ensemble: Ensemble,
    values: NDArray[np.float64],
    baseline: NDArray[np.float64],
    raw: NDArray[np.float64],
    first_row: int,
) -> None:
    """Raise unless baseline + Σ values equals raw for every row, up to rounding.

    `values` is (n_rows, n_features, n_outputs), `raw` (n_rows, n_outputs); `first_row` is the number of the first row.
    """
    if not raw.size:
        return
    with np.errstate(invalid="ignore"):  # two infinities
        miss = np.abs(np.einsum("rfo->ro", values) + baseline - raw)
    bound = _ROUNDING * max(1.0, float(np.abs(raw).max()), largest_change(ensemble))
    if not bool(((miss <= bound) & np.isfinite(miss)).all()):
        row, output = np.unravel_index(int(np.argmax(np.where(np.isnan(miss), np.inf, miss))), miss.shape)
        raise AdditivityError(
            f"the attributions of row {first_row + int(row)} miss raw of output {ensemble.outputs[output]!r} by "
            f"{miss[row, output]:.3g}, more than rounding explains ({bound:.1g}); please report this model"
        )
