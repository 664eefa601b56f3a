"""Seen: the distinct numbers in a column of the rows, and the weight of the rows with each."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble, align
from glasswood.tables import Table, n_rows_of, read_weight

_FEW = 24  # up to so many distinct numbers, each has its own bar and tick
_NARROWEST = 80  # the bar of a single number is at least 1/80 of the axis wide


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """Distinct numbers of a feature in ascending order, and the weight of the rows with each."""

    value: NDArray[np.float64]  # (n,) finite, increasing
    weight: NDArray[np.float64]  # (n,)

    @property
    def few(self) -> bool:
        """Whether each number is drawn separately: there are few, and they are far enough apart."""
        if len(self.value) > _FEW:
            return False
        return len(self.value) < 2 or self._gap() * _NARROWEST >= float(self.value[-1] - self.value[0])

    @property
    def reach(self) -> tuple[float, float]:
        """Range of an axis that contains all rows."""
        margin = 0.5 * self._gap() if self.few else 0.0
        return float(self.value[0]) - margin, float(self.value[-1]) + margin

    def bars(self, steps: int = 40) -> list[tuple[float, float, float]]:
        """Start, end and weight of each bar; many distinct numbers get about `steps` bars of equal width."""
        if self.few:
            half = 0.3 * self._gap()
            return [(v - half, v + half, w) for v, w in zip(self.value.tolist(), self.weight.tolist(), strict=True)]
        low, high = float(self.value[0]), float(self.value[-1])
        if bool((self.value == np.round(self.value)).all()) and high - low < 2**52:
            # whole steps for whole numbers; otherwise bars would contain different counts of them
            step = np.ceil((high - low + 1) / steps)
            ends = low - 0.5 + step * np.arange(np.ceil((high - low + 1) / step) + 1)
        else:
            ends = np.linspace(low, high, steps + 1)
        mass, _ = np.histogram(self.value, ends, weights=self.weight)
        return list(zip(ends[:-1].tolist(), ends[1:].tolist(), mass.tolist(), strict=True))

    def centred(self, upper: NDArray[np.float64]) -> NDArray[np.float64]:
        """Thresholds as they are drawn: with few numbers, a threshold between two of them is moved to their middle."""
        if not self.few:
            return upper
        drawn = upper.copy()
        finite = np.flatnonzero(np.isfinite(upper))
        gap = np.searchsorted(self.value, upper[finite], side="right")
        for g in range(1, len(self.value)):
            here = finite[gap == g]
            if len(here) == 1:
                drawn[here] = (self.value[g - 1] + self.value[g]) / 2
        return drawn

    def _gap(self) -> float:
        """Smallest distance between two numbers."""
        if len(self.value) < 2:
            return max(0.1 * abs(float(self.value[0])), 1.0)
        return float(np.diff(self.value).min())


def seen_numbers(ensemble: Ensemble, X: Table, sample_weight: Any = None) -> dict[str, Seen]:
    """Numbers in the rows for every numeric feature; features without any numbers are left out."""
    weight = read_weight(sample_weight, n_rows_of(X))
    rows = align(X, ensemble.features)
    found = {}
    for k, name in enumerate(ensemble.feature_names):
        if ensemble.features.categories[k] is not None:
            continue
        column = np.asarray(rows.column(k), dtype=np.float64)
        held = np.isfinite(column) if weight is None else np.isfinite(column) & (weight > 0)
        value, inverse = np.unique(column[held], return_inverse=True)
        if len(value):
            found[name] = Seen(value, np.bincount(inverse, None if weight is None else weight[held]).astype(np.float64))
    return found
