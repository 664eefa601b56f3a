"""Made-up rows: rows that together reach every leaf that a row can reach, for checks without a table."""

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble._boxes import boxes
from glasswood.ensemble._category_set import unpack_set
from glasswood.ensemble._ensemble import Ensemble
from glasswood.ensemble._schema import ZERO


def made_up_rows(ensemble: Ensemble) -> list[NDArray[np.generic]]:
    """Columns that kernels take: one row in the box of each leaf, and one without any value.

    Features off the path of a leaf are missing and 0 in turn.
    """
    found = boxes(ensemble)
    n_levels = ensemble.features.n_levels
    n = len(found.leaf) + 1
    columns: list[NDArray[np.generic]] = []
    free = np.arange(n) % 2 == 0  # rows whose free features are missing
    for j, levels in enumerate(n_levels):
        is_category = levels > 0
        column = np.where(free, -1.0 if is_category else np.nan, 0.0)
        for side in np.flatnonzero(found.feature == j):
            row = int(np.searchsorted(found.start, side, side="right")) - 1
            if is_category:
                column[row] = _code(found.set_start, found.set_bits, int(found.category_set[side]), int(levels))
                if column[row] < 0 and found.unseen[side]:
                    column[row] = levels
            else:
                zero_is_missing = bool(ensemble.features.zero_is_missing[j])
                column[row] = _number(float(found.lower[side]), float(found.upper[side]), zero_is_missing)
        columns.append(column.astype(np.int32) if is_category else column)
    return columns


def _code(start: NDArray[np.int64], bits: NDArray[np.uint64], which: int, n_levels: int) -> int:
    members = np.flatnonzero(unpack_set(bits[start[which] : start[which + 1]])[:n_levels])
    return int(members[0]) if len(members) else -1


def _number(lower: float, upper: float, zero_is_missing: bool) -> float:
    if not lower < upper:
        return float("nan")  # no number is in the box; a missing value may be
    tried = (upper, float(np.nextafter(lower, np.inf)), 0.0, 2 * ZERO, -2 * ZERO)
    for number in tried:
        inside = lower < number <= upper and np.isfinite(number)
        if inside and not (zero_is_missing and abs(number) <= ZERO):
            return number
    return float("nan")
