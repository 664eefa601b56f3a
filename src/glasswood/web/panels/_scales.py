"""Scales: how the numbers of a feature are spread over its axis: by value, by logarithm, or by the rows."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._elementary import log
from glasswood.web.page._text import number, rounded
from glasswood.web.panels._dates import date_text
from glasswood.web.panels._seen_values import Seen

_CROWDED = 0.1  # if four of five rows lie within this share of the axis, most of the axis is empty
_ROOMY = 0.2  # a logarithm helps if the same rows then take this share
_DECADES = 20.0  # largest number over small ones, from which on a logarithm makes a difference
_SMALLEST = 1e-200  # ratios of smaller numbers may be infinite
_KNOTS = 24  # of the axis by rows
_TICKS = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
_ROUND = (1.0, 2.0, 5.0)

Bars = list[tuple[float, float, float]]


@dataclass(frozen=True, slots=True, eq=False)
class Scales:
    """Axes that the page offers for the numbers of a feature; `first` is the one it begins with."""

    seen: Seen
    first: str  # "value", "log" or "rows"
    shift: float | None  # the logarithm is that of x + shift; None: it is not offered
    is_date: bool = False

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        found: dict[str, Any] = {"first": self.first, "rows": {"knots": self._knots(), "ticks": self._row_ticks()}}
        if self.shift is not None:
            low, high = self._ends()
            found["log"] = {"low": low, "high": high, "shift": self.shift, "ticks": _log_ticks(low, high)}
        return found

    def log_bars(self, steps: int) -> Bars:
        """Start, end and weight of bars that have equal widths on the axis of logarithms."""
        if self.shift is None:
            return []
        low, high = self._ends()
        place = log(self.seen.value + self.shift)
        step = np.minimum(((place - place[0]) / (place[-1] - place[0]) * steps).astype(np.int64), steps - 1)
        mass = np.bincount(step, self.seen.weight, minlength=steps)
        ratio = (high + self.shift) / (low + self.shift)
        ends = [low, *((low + self.shift) * ratio ** (k / steps) - self.shift for k in range(1, steps)), high]
        return list(zip(ends[:-1], ends[1:], mass.tolist(), strict=True))

    def _ends(self) -> tuple[float, float]:
        return float(self.seen.value[0]), float(self.seen.value[-1])

    def _knots(self) -> list[list[float | None]]:
        """Numbers and their places on the axis by rows, from 0 to 1; between two knots the axis is straight."""
        place = _places(self.seen)
        wanted = np.searchsorted(place, np.linspace(0.0, 1.0, _KNOTS), side="left")
        kept = np.unique(np.concatenate([[0], np.minimum(wanted, len(place) - 1), [len(place) - 1]]))
        low, high = self._ends()
        knots = {self._rough(k): rounded(float(place[k])) for k in kept.tolist()}
        return [[value, share] for value, share in sorted((knots | {low: 0.0, high: 1.0}).items())]

    def _rough(self, k: int) -> float:
        """A number to a thousandth of the range: the page may hold no value of a single row."""
        low, high = self._ends()
        if k in (0, len(self.seen.value) - 1):
            return float(self.seen.value[k])
        step = 10.0 ** np.floor(np.log10((high - low) / 1000))
        return min(max(float(f"{round(float(self.seen.value[k]) / step) * step:.12g}"), low), high)

    def _row_ticks(self) -> list[list[Any]]:
        text = date_text if self.is_date else number
        values = [self._rough(_quantile_place(self.seen, share)) for share in _TICKS]
        return [[value, text(value)] for value in dict.fromkeys(values)]


def scales_of(seen: Seen, *, is_date: bool = False) -> Scales | None:
    """Choose the axes that make sense for the numbers in the rows; None if they are few and stand side by side."""
    if len(seen.value) < 3 or seen.few:
        return None
    low, high = float(seen.value[0]), float(seen.value[-1])
    tenth, ninth = _quantile(seen, 0.1), _quantile(seen, 0.9)
    shift = None if is_date else _shift(seen, low, high)
    first = "value"
    if not is_date and (ninth - tenth) < _CROWDED * (high - low):
        first = "rows"
        if shift is not None:
            at = log(np.array([low, tenth, ninth, high]) + shift)
            first = "log" if at[2] - at[1] >= _ROOMY * (at[3] - at[0]) else "rows"
    return Scales(seen, first, shift, is_date)


def _shift(seen: Seen, low: float, high: float) -> float | None:
    """What is added before the logarithm is taken: nothing to positive numbers; None if no logarithm makes sense."""
    if low < 0:
        return None
    positive = seen.value > 0
    small = _quantile(Seen(seen.value[positive], seen.weight[positive]), 0.05)
    if not (high > _DECADES * small and small > _SMALLEST):
        return None
    return small if low == 0 else 0.0


def _quantile_place(seen: Seen, share: float) -> int:
    """Position of the smallest number with at least this share of the rows at or below it."""
    run = seen.weight.cumsum()
    return min(int(np.searchsorted(run, share * run[-1])), len(run) - 1)


def _quantile(seen: Seen, share: float) -> float:
    return float(seen.value[_quantile_place(seen, share)])


def _places(seen: Seen) -> NDArray[np.float64]:
    """Place of each number on the axis by rows: half of its own rows and all below it, stretched to [0, 1]."""
    middle = seen.weight.cumsum() - 0.5 * seen.weight
    return np.asarray((middle - middle[0]) / (middle[-1] - middle[0]))


def _log_ticks(low: float, high: float) -> list[list[Any]]:
    """Round numbers on an axis of logarithms: powers of ten, with 2 and 5 between them if there are few powers."""
    start = low if low > 0 else high * 1e-9
    powers = range(int(np.floor(np.log10(start))), int(np.ceil(np.log10(high))) + 1)
    within = [10.0**power for power in powers if start <= 10.0**power <= high]
    if len(within) < 4:
        within = [m * 10.0**power for power in powers for m in _ROUND if start <= m * 10.0**power <= high]
    zero = [[0.0, "0"]] if low == 0 else []
    return zero + [[float(f"{value:.6g}"), number(value)] for value in within]
