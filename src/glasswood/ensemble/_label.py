"""Labels: splits, numbers and lists of names as people read them."""

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal

_MAX_LEVELS = 4  # levels a label lists before it counts the rest


def short_number(low: float, high: float, near: float) -> str:
    """Decimal number with the fewest digits strictly between `low` and `high`, the one closest to `near`.

    `low` itself if no number of 17 digits lies between them.

    Examples
    --------
    >>> from glasswood.ensemble import short_number
    >>> short_number(3.0, 4.0, 3.5), short_number(0.652, 0.731, 0.6915), short_number(1234.0, 5678.0, 3456.0)
    ('3.5', '0.7', '3000')
    """
    if not math.isfinite(near):
        return shown_number(near)
    lower, upper = (Decimal(x) if math.isfinite(x) else None for x in (low, high))
    exact = Decimal(near)
    top = exact.adjusted() if exact else 0
    for exponent in range(top, top - 17, -1):
        candidate = round(exact.scaleb(-exponent)) * Decimal(1).scaleb(exponent)
        if (lower is None or lower < candidate) and (upper is None or candidate < upper):
            return _plain(candidate)
    return shown_number(low)


def shown_number(value: float) -> str:
    """Shortest text that is read back as this number."""
    return _plain(Decimal(repr(value))) if math.isfinite(value) else {math.inf: "∞", -math.inf: "−∞"}.get(value, "?")


def rough_number(value: float, width: float = math.inf) -> str:
    """Number with six digits, or with as many as are needed to tell it from another that is only `width` away.

    A whole number keeps all its digits, because it may be a date or a code.

    Examples
    --------
    >>> from glasswood.ensemble import rough_number
    >>> rough_number(-0.10257528408332377), rough_number(0.10257528408332377, 1e-6)
    ('-0.102575', '0.10257528408332377')
    """
    if not math.isfinite(value) or value.is_integer():
        return shown_number(value)
    short = float(f"{value:.6g}")
    coarse = math.isfinite(width) and abs(short - value) > 0.01 * abs(width)
    return shown_number(value if coarse else short)


def number_label(feature: str, threshold: str, *, missing_left: bool) -> str:
    """Condition of a split on a number; it holds for rows that go left."""
    if threshold == "∞":
        return f"{feature} is not missing" if not missing_left else f"any {feature}"
    return f"{feature} <= {threshold}" + (" or missing" if missing_left else "")


def category_label(feature: str, levels: Sequence[object], *, missing_left: bool) -> str:
    """Condition of a split on a category; it holds for rows that go left."""
    listed = [str(level) for level in levels[:_MAX_LEVELS]]
    rest = len(levels) - len(listed)
    inside = ", ".join([*listed, *([f"… {rest} more"] if rest else [])])
    return f"{feature} in {{{inside}}}" + (" or missing" if missing_left else "")


def join_names(items: Iterable[str], most: int = 8) -> str:
    """The first items, and the number of the others.

    Examples
    --------
    >>> from glasswood.ensemble import join_names
    >>> join_names("abc", 2)
    'a, b and 1 more'
    """
    named = list(items)
    rest = len(named) - most
    return ", ".join(named[:most]) + (f" and {rest:,} more" if rest > 0 else "")


def _plain(number: Decimal) -> str:
    """Plain digits if there are few, otherwise powers of ten."""
    number = number.normalize()
    if number == 0:
        return "0"
    if -6 < number.adjusted() < 12:
        return f"{number:f}"
    return f"{number:e}".replace("e+", "e")
