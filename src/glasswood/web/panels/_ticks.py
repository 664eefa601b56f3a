"""Ticks: round numbers along an axis, with their text."""

import math
from typing import Any

from glasswood.web.page._text import number

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


def ticks(low: float, high: float, most: int = 6) -> list[list[Any]]:
    """Pairs of position and text of about `most` round numbers within [low, high].

    Examples
    --------
    >>> from glasswood.web.panels._ticks import ticks
    >>> ticks(0.0, 80.0, 4)
    [[0.0, '0'], [20.0, '20'], [40.0, '40'], [60.0, '60'], [80.0, '80']]
    """
    span = high - low
    if not (math.isfinite(span) and span > 0):
        return [[low, number(low)]] if math.isfinite(low) else []
    rough = span / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * s for s in _STEPS if power * s >= rough * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    places = [float(f"{k * step:.12g}") for k in range(first, last + 1)]
    # with six digits `number` writes out whole numbers; millions are shorter where five digits are enough for all
    digits = 5 if all(float(f"{place:.5g}") == place for place in places) else 6
    return [[place, number(place, digits)] for place in places]
