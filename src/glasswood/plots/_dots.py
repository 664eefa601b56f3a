"""Dots: rows as points, coloured by the value of a feature."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood.plots._style import INK, PALETTE, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MISSING = "#9AA0A6"
RAMP = "cividis"  # also clear to colour-blind readers and in print


@dataclass(frozen=True, slots=True, eq=False)
class DotColumn:
    """Values of one feature as numbers; for a category its codes, with their labels."""

    values: NDArray[np.float64]  # (n_rows,) NaN is missing
    labels: tuple[str, ...] | None  # None for numbers

    @property
    def is_category(self) -> bool:
        """Whether the numbers are codes."""
        return self.labels is not None

    def shown(self) -> NDArray[Any]:
        """Values to show: labels for categories, otherwise the numbers."""
        if self.labels is None:
            return self.values.astype(object)
        return np.array([None if np.isnan(v) else self.labels[int(v)] for v in self.values], dtype=object)

    def ranks(self) -> NDArray[np.float64]:
        """Rank of each value, from 0 for the smallest to 1 for the largest; NaN stays NaN."""
        out = np.full(len(self.values), np.nan)
        known = ~np.isnan(self.values)
        distinct, place = np.unique(self.values[known], return_inverse=True)
        out[known] = place / max(1, len(distinct) - 1)
        return out

    def colours(self) -> Any:
        """An RGBA colour per row: by rank for numbers, one colour per category, grey for missing."""
        from matplotlib import colormaps
        from matplotlib.colors import to_rgba

        grey = np.array(to_rgba(MISSING))
        known = ~np.isnan(self.values)
        out = np.tile(grey, (len(self.values), 1))
        if self.is_category:
            pool = np.array([to_rgba(colour) for colour in PALETTE])
            out[known] = pool[self.values[known].astype(int) % len(pool)]
        else:
            out[known] = colormaps[RAMP](self.ranks()[known])
        return out


def rank_bar(ax: "Axes", label: str) -> None:
    """Colour bar from low to high values of the feature that a dot belongs to."""
    from matplotlib.cm import ScalarMappable

    bar = ax.figure.colorbar(ScalarMappable(cmap=RAMP), ax=ax, pad=0.02, fraction=0.03, ticks=[0, 1], aspect=40)
    bar.set_ticklabels(["low", "high"], fontsize="small")
    bar.set_label(plain(label), color=INK, fontsize="small", labelpad=-8)
    bar.outline.set_visible(False)


def spread_rows(n_rows: int, most: int) -> NDArray[np.int64]:
    """At most `most` row numbers, evenly spaced."""
    if n_rows <= most:
        return np.arange(n_rows, dtype=np.int64)
    return np.linspace(0, n_rows - 1, most).round().astype(np.int64)
