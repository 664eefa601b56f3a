"""Exact: sums and means over rows that do not depend on the order of the rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood import _native

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_BITS = 62  # of the largest number


@dataclass(frozen=True, slots=True)
class ValueRange:
    """What decides the units of sums and means of values, and where a mean lies. Those of parts are merged."""

    lowest: float  # of values of rows that count; infinite where none does
    highest: float
    largest: float  # size of weight times value
    heaviest: float  # weight
    n: int  # rows that count
    finite: bool
    infinite_sum: float  # of the products that are not finite

    @classmethod
    def of(cls, values: Floats, weight: Floats) -> "ValueRange":
        """The range of values with weights; without weights each counts once."""
        return cls(*_native.value_range(values, weight))

    @classmethod
    def merged(cls, parts: "Sequence[ValueRange]") -> "ValueRange":
        """The range of the values of all parts."""
        return cls(
            lowest=min(part.lowest for part in parts),
            highest=max(part.highest for part in parts),
            largest=max(part.largest for part in parts),
            heaviest=max(part.heaviest for part in parts),
            n=sum(part.n for part in parts),
            finite=all(part.finite for part in parts),
            infinite_sum=sum((part.infinite_sum for part in parts), start=0.0),
        )

    @property
    def exponent(self) -> int:
        """Of the unit in which products of weight and value are added up."""
        return sum_exponent(self.largest)

    @property
    def weight_exponent(self) -> int:
        """Of the unit in which weights are added up."""
        return sum_exponent(self.heaviest)

    def to_sum(self, whole: int) -> float:
        """The sum of the products, from that in whole units."""
        return float(whole) * float(np.ldexp(1.0, self.exponent)) if self.finite else self.infinite_sum

    def to_mean(self, whole: int, whole_weight: int) -> float:
        """The mean, from the sums of products and of weights in whole units."""
        if self.n == 0:
            return float("nan")
        if not self.finite:
            return self.infinite_sum
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):  # weights may be lost below all units
            quotient = float(
                np.ldexp(np.divide(float(whole), float(whole_weight)), self.exponent - self.weight_exponent)
            )
        return min(max(quotient, self.lowest), self.highest)


def sum_exponent(largest: float) -> int:
    """Of the unit in which numbers up to this size are added up."""
    return _native.unit_exponent(largest, _BITS)


def in_units(values: Floats, exponent: int) -> Ints:
    """The nearest whole multiples of 2^exponent."""
    return np.asarray(np.rint(values * np.ldexp(1.0, -exponent)).astype(np.int64))


def whole_sum(values: Floats, weight: Floats, exponent: int) -> int:
    """Sum of the numbers times their weights, in units of 2^exponent; without weights each counts once."""
    high, low = _native.whole_sum(values, weight, exponent)
    return (high << 64) + low


def flat(values: Any) -> Floats:
    """Values as the kernels take them."""
    return np.ascontiguousarray(values, dtype=np.float64).ravel()


def exact_sum(values: Any) -> float:
    """Sum of all values."""
    return _native.exact_sum(flat(values))


def exact_mean(values: Any, weight: Any = ()) -> float:
    """Weighted mean of the values, never below the smallest or above the largest; without weights each counts once.

    Values without weight are ignored, even if they are NaN; NaN if no value counts.
    """
    return _native.exact_mean(flat(values), flat(weight))


def exact_column_means(values: NDArray[Any], weight: Any = ()) -> Floats:
    """Weighted mean of each column of (n_rows, n_columns)."""
    return np.array([exact_mean(column, weight) for column in values.T])


def exact_group_sums(group: NDArray[Any], values: Any, n_groups: int) -> Floats:
    """Sum of the values of each group, 0 … n_groups − 1."""
    return _native.exact_group_sums(np.ascontiguousarray(group, dtype=np.int64), flat(values), n_groups)


def whole_halves(whole: Ints) -> tuple[Ints, Ints]:
    """Upper and lower halves of whole numbers, so that sums of 2³¹ of them do not overflow."""
    return whole >> 32, whole & np.int64(2**32 - 1)


def group_halves(group: NDArray[Any], whole: Ints, n_groups: int) -> Ints:
    """Sums of the whole numbers of each group, their upper halves and their lower ones, (2, n_groups)."""
    sums = np.zeros((2, n_groups), dtype=np.int64)
    for out, half in zip(sums, whole_halves(whole), strict=True):
        np.add.at(out, group, half)
    return sums


def join_halves(sums: Ints, exponent: int) -> Floats:
    """Sums of numbers from those of the halves, (2, n), of their multiples of 2^exponent."""
    unit = float(np.ldexp(1.0, exponent))
    return np.array([float((high << 32) + low) * unit for high, low in sums.T.tolist()], dtype=np.float64)


def exact_auc(score: Floats, positive: NDArray[np.bool_], weight: Any = ()) -> float:
    """Probability that a positive row scores above a negative one, ties counted half; NaN if one side is empty."""
    return _native.exact_auc(flat(score), np.ascontiguousarray(positive), flat(weight))


def lost_weights(weight: Floats, *, as_shares: bool = False) -> str:
    """A message about weights that are lost beside much larger ones; empty if there are none.

    `as_shares`: the weights are used as shares of the largest, so weights that are all tiny are not lost.
    """
    scale = float(weight.max(initial=0.0)) if as_shares else 1.0
    whole, unit = fixed_numbers(weight / scale if scale > 0 else weight)
    unit *= scale
    lost = (whole == 0) & (weight > 0)
    if not lost.any():
        return ""
    return lost_words(weight[weight > 0].min(), weight.max(), int(np.count_nonzero(lost)), unit)


def lost_words(lightest: float, heaviest: float, n_lost: int, unit: float) -> str:
    """The message about lost weights."""
    return (
        f"sample_weight runs from {lightest:g} to {heaviest:g}: {n_lost:,} rows weigh less than {unit / 2:g}, one "
        "part in 2⁶² of all weight, and count for nothing"
    )


def fixed_numbers(values: Floats) -> tuple[Ints, float]:
    """Finite numbers as multiples of a unit, and the unit; sums of any of them are exact in 64 bits."""
    return _native.fixed_numbers(flat(values))


def largest_size(values: Floats) -> float:
    """Largest |value|, without a copy of the values; 0 without any, NaN with one."""
    return float(np.maximum(values.max(initial=0.0), -values.min(initial=0.0)))
