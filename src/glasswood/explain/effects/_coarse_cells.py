"""Coarse cells: neighbouring cells of a feature joined at quantiles of the rows."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from glasswood.explain._quantiles import cut_positions
from glasswood.results import Cells


@dataclass(frozen=True, slots=True, eq=False)
class CoarseCells:
    """Fewer cells of a feature, and which of them each of its own cells is part of."""

    cells: Cells
    owner: NDArray[np.int64]  # (n_cells of the model,)


def coarse_cells(cells: Cells, mass: NDArray[np.float64], resolution: int) -> CoarseCells:
    """Join intervals so that at most `resolution` are left, each with about the same weight of rows.

    `mass` is the weight of the rows in each cell. The cells of categories and of missing values stay as they are.
    """
    is_interval = ~np.isnan(cells.upper)
    n = int(is_interval.sum())  # they come first
    if n <= resolution:
        return CoarseCells(cells, np.arange(len(cells)))
    last = np.append(cut_positions(mass[:n], resolution), n - 1)
    owner = np.concatenate([np.searchsorted(last, np.arange(n)), len(last) + np.arange(len(cells) - n)])
    first = np.concatenate([[0], last[:-1] + 1])
    keep = np.concatenate([last, np.arange(n, len(cells))])
    joined = replace(
        cells,
        lower=np.concatenate([cells.lower[first], cells.lower[n:]]),
        upper=cells.upper[keep],
        category=tuple(cells.category[k] for k in keep),
        missing=cells.missing[keep],
    )
    return CoarseCells(joined, owner)
