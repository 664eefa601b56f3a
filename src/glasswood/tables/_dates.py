"""Dates as text and as ticks of an axis; inside the package an instant is a number of microseconds since 1970."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

_DAY = 86_400_000_000  # microseconds
_CLOCK_STEPS = (60_000_000, 300_000_000, 900_000_000, 3_600_000_000, 10_800_000_000, 21_600_000_000, 43_200_000_000)
_DAY_STEPS = (_DAY, 2 * _DAY, 7 * _DAY, 14 * _DAY)
_MONTH_STEPS = (1, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 12_000, 120_000)
FARTHEST = 2.0**62  # beyond it no calendar date can be written


def date_text(value: float, *, exact: bool = False) -> str:
    """An instant as text: the date, with the time of day unless it is midnight; `exact` keeps parts of a second.

    Examples
    --------
    >>> from glasswood.tables import date_text
    >>> date_text(86_400e6), date_text(90_000e6)
    ('1970-01-02', '1970-01-02 01:00')
    """
    if not abs(value) < FARTHEST:
        return "–"
    at = np.datetime64(round(value), "us")
    day = at.astype("datetime64[D]")
    if at == day:
        return str(day)
    minute, second = at.astype("datetime64[m]"), at.astype("datetime64[s]")
    shown = minute if at == minute else at if exact and at != second else second
    return str(shown).replace("T", " ")


def date_ticks(low: float, high: float, most: int = 6) -> list[list[Any]]:
    """Pairs of position and text of about `most` instants within [low, high]: years, months, days or times of day.

    Examples
    --------
    >>> from glasswood.tables import date_ticks
    >>> [text for _, text in date_ticks(0.0, 3.2e13)]
    ['1970-01', '1970-04', '1970-07', '1970-10', '1971-01']
    """
    span = high - low
    if not (span > 0 and abs(low) < FARTHEST and abs(high) < FARTHEST):
        return [[low, date_text(low)]] if abs(low) < FARTHEST else []
    rough = span / most
    for step in (*_CLOCK_STEPS, *_DAY_STEPS):
        if step >= rough:
            first = int(np.ceil(low / step))
            return [[float(k * step), date_text(k * step)] for k in range(first, int(high // step) + 1)]
    step = next((months for months in _MONTH_STEPS if months * 30.4 * _DAY >= rough), _MONTH_STEPS[-1])
    return _month_ticks(low, high, step)


def _month_ticks(low: float, high: float, step: int) -> list[list[Any]]:
    ends = np.array([low, high]).round().astype("datetime64[us]").astype("datetime64[M]").astype(np.int64)
    months = np.arange(-(-ends[0] // step), ends[1] // step + 1) * step
    places: NDArray[np.int64] = months.astype("datetime64[M]").astype("datetime64[us]").astype(np.int64)
    unit = "Y" if step % 12 == 0 else "M"
    texts = months.astype("datetime64[M]").astype(f"datetime64[{unit}]").astype(str).tolist()
    return [[float(place), text] for place, text in zip(places.tolist(), texts, strict=True) if low <= place <= high]
