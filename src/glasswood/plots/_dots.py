"""Dots: a point per row; the value of a feature gives its colour and, if there are many levels, its shape."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood._words import counted
from glasswood.plots._style import INK, PALETTE, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MISSING = "#9AA0A6"
RAMP = "viridis"  # also clear to colour-blind readers and in print, and nowhere the grey of missing values
ROUND = "o"
MARKERS = (ROUND, "s", "^", "D")  # when the colours are used up, they are used again with the next shape
_OTHER_MARKER = "P"  # for levels without a look of their own; missing values have the same grey and another shape
MISSING_MARKER = "X"  # colour-blind readers see the middle of the ramp as grey too


@dataclass(frozen=True, slots=True)
class Look:
    """How the dots of a level are drawn."""

    label: str
    colour: str
    marker: str


@dataclass(frozen=True, slots=True, eq=False)
class DotColumn:
    """Values of one feature as numbers; for a category its codes, with their labels."""

    values: NDArray[np.float64]  # (n_rows,) NaN is missing
    labels: tuple[str, ...] | None  # None for numbers
    is_date: bool = False  # the numbers are microseconds since 1970

    @property
    def is_category(self) -> bool:
        """Whether the numbers are codes."""
        return self.labels is not None

    @property
    def is_whole(self) -> bool:
        """Whether all values are whole numbers; their axes then have no fractions."""
        known = self.values[np.isfinite(self.values)]
        return bool(len(known)) and not self.is_category and not self.is_date and bool((known == np.round(known)).all())

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

    def looks(self) -> tuple[list[Look], NDArray[np.intp]]:
        """Looks of the levels that occur, and the position of each row's look (−1 for missing).

        All looks differ in colour or shape. If there are too many levels, the most frequent have a look each and all
        others share the last one.
        """
        most = len(PALETTE) * len(MARKERS)
        few = self.with_few_levels(most)
        assert few.labels is not None
        looks = [
            Look(label, PALETTE[k % len(PALETTE)], MARKERS[k // len(PALETTE)])
            for k, label in enumerate(few.labels[:most])
        ]
        looks += [Look(label, MISSING, _OTHER_MARKER) for label in few.labels[most:]]
        return looks, np.where(np.isnan(few.values), -1, few.values).astype(np.intp)

    def with_few_levels(self, most: int) -> "DotColumn":
        """The column with new codes for the levels that occur; only the `most` most frequent stay separate levels."""
        if self.labels is None:
            return self
        known = ~np.isnan(self.values)
        codes, place, count = np.unique(self.values[known], return_inverse=True, return_counts=True)
        own = np.sort(np.argsort(-count, kind="stable")[:most])
        number = np.full(len(codes), len(own), dtype=np.float64)
        number[own] = np.arange(len(own))
        values = self.values.copy()
        values[known] = number[place]
        labels = [self.labels[int(code)] for code in codes[own].tolist()]
        if len(own) < len(codes):
            n_rows = int(count.sum() - count[own].sum())
            labels.append(f"{counted(len(codes) - len(own), 'other level')} ({counted(n_rows, 'row')})")
        return DotColumn(values=values, labels=tuple(labels))

    def colours(self) -> Any:
        """An RGBA colour per row: by rank for numbers, by look for categories, grey for missing."""
        from matplotlib import colormaps
        from matplotlib.colors import to_rgba

        if self.is_category:
            looks, of_row = self.looks()
            pool = np.array([to_rgba(colour) for colour in (*(look.colour for look in looks), MISSING)])
            return pool[of_row]  # −1 is the last colour, that of missing values
        out = np.tile(np.array(to_rgba(MISSING)), (len(self.values), 1))
        known = ~np.isnan(self.values)
        out[known] = colormaps[RAMP](self.ranks()[known])
        return out

    def markers(self) -> list[tuple[str, NDArray[np.bool_]]]:
        """Every shape, and the rows that have it."""
        if self.is_category:
            looks, of_row = self.looks()
            shape = np.array([*(look.marker for look in looks), MISSING_MARKER])[of_row]  # −1 is the last
        else:
            shape = np.where(np.isnan(self.values), MISSING_MARKER, ROUND)
        used = (MISSING_MARKER, *MARKERS, _OTHER_MARKER)
        return [(marker, shape == marker) for marker in used if (shape == marker).any()]


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
