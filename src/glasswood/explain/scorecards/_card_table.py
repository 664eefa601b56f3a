"""CardTable: points of the bands of one feature, or of the pairs of bands of two."""

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.results import Cells, to_json


@dataclass(frozen=True, slots=True, eq=False)
class Bands:
    """Neighbouring cells of a feature joined; bands of a category are sets of levels."""

    cells: Cells
    of_cell: NDArray[np.int64]  # (n_cells,) band of each cell

    def __len__(self) -> int:
        return int(self.of_cell.max(initial=-1)) + 1

    @property
    def feature(self) -> str:
        """Name of the feature."""
        return self.cells.feature

    def ends(self, band: int) -> tuple[float, float]:
        """The interval (lower, upper] of a band of numbers; NaN for others."""
        mine = np.flatnonzero(self.of_cell == band)
        if np.isnan(self.cells.upper[mine[0]]):
            return np.nan, np.nan
        return float(self.cells.lower[mine[0]]), float(self.cells.upper[mine[-1]])

    def label(self, band: int) -> str:
        """Name of a band: an interval, levels, ``unseen`` or ``missing``."""
        mine = np.flatnonzero(self.of_cell == band)
        lower, upper = self.ends(band)
        if np.isnan(upper):
            return ", ".join(self.cells.label(int(cell)) for cell in mine)
        if lower == -np.inf:
            return "any number" if upper == np.inf else f"≤ {upper:.6g}"
        return f"> {lower:.6g}" if upper == np.inf else f"({lower:.6g}, {upper:.6g}]"

    def labels(self) -> list[str]:
        """Names of all bands."""
        return [self.label(band) for band in range(len(self))]

    def to_dict(self, band: int) -> dict[str, Any]:
        """JSON-ready; labels alone are ambiguous, because a level may have a comma or be called ``missing``."""
        mine = np.flatnonzero(self.of_cell == band)
        lower, upper = self.ends(band)
        return {
            "label": self.label(band),
            "lower": to_json(lower),
            "upper": to_json(upper),
            "levels": [self.cells.category[cell] for cell in mine if self.cells.category[cell] is not None],
            "missing": bool(self.cells.missing[mine].any()),
            "unseen": bool(self.cells.unseen[mine].any()),
        }


@dataclass(frozen=True, slots=True, eq=False)
class CardTable:
    """What each band, or pair of bands, adds to raw."""

    bands: tuple[Bands, ...]  # one or two features
    points: NDArray[np.float64]  # (n_bands[, n_bands], n_outputs)
    weight: NDArray[np.float64]  # of the rows in it, (n_bands[, n_bands])

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the features."""
        return tuple(bands.feature for bands in self.bands)

    def at(self, cells: dict[str, NDArray[np.int64]]) -> NDArray[np.float64]:
        """Points of rows, given by their cell in every feature, (n_rows, n_outputs)."""
        places = tuple(bands.of_cell[cells[bands.feature]] for bands in self.bands)
        found: NDArray[np.float64] = self.points[places]
        return found

    def rows(self) -> list[tuple[tuple[int, ...], NDArray[np.float64], float]]:
        """Bands, points and weight of every line, the last feature fastest."""
        shape = tuple(len(bands) for bands in self.bands)
        return [(at, self.points[at], float(self.weight[at])) for at in np.ndindex(shape)]

    def named_rows(self) -> list[tuple[tuple[str, ...], NDArray[np.float64], float]]:
        """The same with the names of the bands."""
        names = product(*(bands.labels() for bands in self.bands))
        return [(name, points, weight) for name, (_, points, weight) in zip(names, self.rows(), strict=True)]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "features": list(self.features),
            "bands": [[bands.to_dict(b) for b in range(len(bands))] for bands in self.bands],
            "points": to_json(self.points),
            "weight": to_json(self.weight),
        }
