"""The slow, obvious version of sums that do not depend on an order: with Python integers."""

import math
from collections.abc import Sequence
from fractions import Fraction


def exponent_of(largest: float, bits: int) -> int:
    """Exponent of the power of two in which `largest` has at most `bits` bits."""
    return max(-1021, min(1021, math.frexp(largest)[1] - bits)) if largest > 0 else 0


def whole(x: float, exponent: int) -> int:
    """Return x in units of 2^exponent, rounded to the nearest, ties to the even one."""
    return round(Fraction(x * 2.0**-exponent))


def exact_sum(values: Sequence[float]) -> float:
    """Find the largest value, then add every value as a whole number."""
    exponent = exponent_of(max(map(abs, values), default=0.0), 62)
    return float(sum(whole(x, exponent) for x in values)) * 2.0**exponent


def fixed_numbers(weight: Sequence[float]) -> tuple[list[int], float]:
    """Weights whose sum has at most 62 bits, and the unit."""
    exponent = exponent_of(exact_sum(weight), 61)
    return [whole(w, exponent) for w in weight], 2.0**exponent


def auc(score: Sequence[float], positive: Sequence[bool], weight: Sequence[int]) -> Fraction:
    """Share of correctly ordered pairs of a positive and a negative row, ties counted half."""
    rows = list(zip(score, positive, weight, strict=True))
    pairs = [(a - b, v * w) for a, up, v in rows if up for b, other, w in rows if not other]
    return Fraction(sum(w * (2 if d > 0 else 1 if d == 0 else 0) for d, w in pairs), 2 * sum(w for _, w in pairs))
