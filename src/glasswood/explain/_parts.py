"""Parts: rows that lie in parts, and exact sums and means over the rows of all parts.

A computation over rows is a function of one part whose results are merged. Rows of one table are one part.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from operator import add
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._exact import ValueRange, group_halves, in_units, join_halves, largest_size, sum_exponent, whole_sum

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Columns = Callable[[Any], tuple[NDArray[Any], Floats]]  # of a part: values, (n_columns, n_rows), and weights or none
ValueSums = tuple[Floats, Ints, Ints]  # distinct values, ascending, and two sums of whole numbers for each

_NONE = np.empty(0)


class Parts(ABC):
    """Parts of rows; what is computed of a part stays where the part lies, unless it is merged.

    Functions run where the part lies, so they can be sent there: functions of a module, methods of what can be sent,
    or `functools.partial` of them.
    """

    @abstractmethod
    def keep(self, function: Callable[..., Any], *given: Any) -> "Parts":
        """What the function of a part and of `given` returns, in the place of each part."""

    def then(self, function: Callable[..., Any], *given: Any) -> "Parts":
        """The same, but made anew for each use where keeping it takes memory."""
        return self.keep(function, *given)

    @abstractmethod
    def merged(self, merge: Callable[[Any, Any], Any], function: Callable[..., Any], *given: Any) -> Any:
        """What the function returns of each part, merged in the order of the parts."""

    def ask(self, function: Callable[..., Any], *given: Any) -> list[Any]:
        """What the function returns of each part, in the order of the parts."""
        found: list[Any] = self.merged(add, _listed, function, given)
        return found


class OnePart(Parts):
    """One part in this process."""

    def __init__(self, part: Any) -> None:
        self.part = part

    def keep(self, function: Callable[..., Any], *given: Any) -> "OnePart":
        """What the function returns."""
        return OnePart(function(self.part, *given))

    def merged(self, merge: Callable[[Any, Any], Any], function: Callable[..., Any], *given: Any) -> Any:
        """What the function returns."""
        return function(self.part, *given)


def part_means(parts: Parts, columns: Columns) -> Floats:
    """Weighted mean of each column, as `exact_mean` of all rows."""
    ranges = parts.merged(_merge_ranges, _ranges, columns)
    if not ranges:
        return np.empty(0)
    *wholes, below = parts.merged(_add_lists, _whole_columns, columns, _units(ranges), ranges[0].weight_exponent)
    return np.array([found.to_mean(whole, below) for found, whole in zip(ranges, wholes, strict=True)])


def part_sums(parts: Parts, columns: Columns) -> Floats:
    """Sum of weight times value of each column, as `exact_sum` of all rows."""
    ranges = parts.merged(_merge_ranges, _ranges, columns)
    wholes = parts.merged(_add_lists, _whole_columns, columns, _units(ranges), None)
    return np.array([found.to_sum(whole) for found, whole in zip(ranges, wholes, strict=True)])


def part_sum(parts: Parts, numbers: Callable[[Any], Floats]) -> float:
    """Sum of one number of each row."""
    return float(part_sums(parts, partial(_column, numbers=numbers))[0])


def part_group_sums(parts: Parts, groups: Columns, n_groups: int) -> Floats:
    """Sum of the values of each group, as `exact_group_sums` of all rows; `groups` gives them and then the values."""
    exponent = sum_exponent(float(parts.merged(largest_of, _largest_value, groups)))
    return join_halves(parts.merged(np.add, _group_halves, groups, n_groups, exponent), exponent)


def as_given(part: Any) -> Any:
    """The part itself."""
    return part


def sums_by_value(values: Floats, one: Ints, other: Ints) -> ValueSums:
    """Sums of two whole numbers of each row, over the rows with equal values."""
    distinct, which = np.unique(values, return_inverse=True)
    sums = np.zeros((2, len(distinct)), dtype=np.int64)
    np.add.at(sums[0], which, one)
    np.add.at(sums[1], which, other)
    return distinct, sums[0], sums[1]


def join_values(one: ValueSums, other: ValueSums) -> ValueSums:
    """The sums over the rows of two parts."""
    values, first, second = (np.concatenate(both) for both in zip(one, other, strict=True))
    return sums_by_value(values, first, second)


def largest_of(one: Any, other: Any) -> Any:
    """The larger of two numbers or of each entry of two arrays."""
    return np.maximum(one, other)


def either(one: Any, other: Any) -> Any:
    """Whether one of two is true, entry by entry."""
    return one | other


def add_each(one: tuple[Any, ...], other: tuple[Any, ...]) -> tuple[Any, ...]:
    """Sums of the entries of two tuples."""
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _listed(part: Any, function: Callable[..., Any], given: tuple[Any, ...]) -> list[Any]:
    return [function(part, *given)]


def _column(part: Any, *, numbers: Callable[[Any], Floats]) -> tuple[Floats, Floats]:
    return numbers(part)[None], _NONE


def _ranges(part: Any, columns: Columns) -> list[ValueRange]:
    values, weight = columns(part)
    return [ValueRange.of(np.ascontiguousarray(column), weight) for column in values]


def _merge_ranges(one: list[ValueRange], other: list[ValueRange]) -> list[ValueRange]:
    return [ValueRange.merged(both) for both in zip(one, other, strict=True)]


def _largest_value(part: Any, groups: Columns) -> float:
    return largest_size(groups(part)[1])


def _group_halves(part: Any, groups: Columns, n_groups: int, exponent: int) -> Ints:
    group, values = groups(part)
    return group_halves(group, in_units(values, exponent), n_groups)


def _units(ranges: list[ValueRange]) -> list[int | None]:
    """Exponents of the units of the columns; None for a column that is not finite, whose sum is known."""
    return [found.exponent if found.finite else None for found in ranges]


def _whole_columns(part: Any, columns: Columns, exponents: list[int | None], of_weight: int | None) -> list[int]:
    """Sums of the columns in whole units, and of the weights unless they have no unit."""
    values, weight = columns(part)
    wholes = [
        0 if exponent is None else whole_sum(np.ascontiguousarray(column), weight, exponent)
        for column, exponent in zip(values, exponents, strict=True)
    ]
    if of_weight is None:
        return wholes
    return [*wholes, whole_sum(weight if len(weight) else np.ones(values.shape[1]), _NONE, of_weight)]


def _add_lists(one: list[int], other: list[int]) -> list[int]:
    return [a + b for a, b in zip(one, other, strict=True)]
