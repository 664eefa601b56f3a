"""Dates in the texts of the page; inside the package an instant is a number of microseconds since 1970."""

import numpy as np

from glasswood.tables import FARTHEST, date_text, date_ticks
from glasswood.web.page._text import named, signed

__all__ = ["date_between", "date_interval", "date_text", "date_ticks", "time_apart"]

_DAY = 86_400_000_000  # microseconds


def date_between(low: float, high: float, near: float) -> str:
    """A date or time that separates two instants, in as few parts as possible: at least `low`, before `high`.

    Examples
    --------
    >>> from glasswood.web.panels._dates import date_between
    >>> date_between(0.0, 86_400e6, 43_200e6), date_between(30e6, 90e6, 45e6), date_between(0.0, float("inf"), 1.5e6)
    ('1970-01-01', '1970-01-01 00:01', '1970-01-01 00:00:01')
    """
    if abs(low) < FARTHEST and abs(high) < FARTHEST and abs(near) < FARTHEST:
        for unit in (_DAY, 60_000_000, 1_000_000):
            below = near // unit * unit
            for instant in (below, below + unit):
                if low <= instant < high:
                    return date_text(instant)
    return date_text(near)


def time_apart(difference: float) -> str:
    """How far apart two instants are, as text with a sign.

    Examples
    --------
    >>> from glasswood.web.panels._dates import time_apart
    >>> time_apart(-86_400e6), time_apart(5_400e6)
    ('−1 day', '+1.5 hours')
    """
    for unit, name in ((_DAY, "day"), (3_600_000_000, "hour"), (60_000_000, "minute"), (1_000_000, "second")):
        if abs(difference) >= unit or name == "second":
            text = signed(round(difference / unit, 1), 6)
            return f"{text} {name}" if text in ("+1", "−1") else f"{text} {name}s"
    raise AssertionError


def date_interval(feature: str, lower: float, upper: float) -> str:
    """The instants of a cell as text."""
    feature = named(feature)
    if lower == -np.inf:
        return f"any {feature}" if upper == np.inf else f"{feature} until {date_text(upper)}"
    return f"{feature} after {date_text(lower)}" + ("" if upper == np.inf else f", until {date_text(upper)}")
