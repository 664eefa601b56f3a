"""Nested shares: how much of raw sums of terms reproduce if each term has the coefficient that fits best."""

from copy import copy
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from glasswood._exact import whole_halves
from glasswood.explain._parts import Parts, add_each, largest_of, part_means, part_sum

Array = NDArray[np.float64]
Wholes = NDArray[np.int64]

_MAX_BYTES = 256 * 2**20  # of the terms at the rows
_MIN_COLUMNS = 8
_MAX_COLUMNS = 600  # the time of a fit is proportional to the square of this number
_RANK = 1e-10  # a column of which less than this share remains is rounding error
_LIMB_BITS = 20  # of each half of a number, so that products are exact
_EXACT_ROWS = 1024
_SAFE_ROWS = 2**22


def term_room(n_rows: int, n_outputs: int) -> int:
    """How many terms get a column of their own."""
    fit = _MAX_BYTES // max(8 * n_rows * n_outputs, 1)
    return int(np.clip(fit, _MIN_COLUMNS, _MAX_COLUMNS))


class TermColumns:
    """Terms at the rows, (n_rows, n_outputs) each, and their sum; terms beyond the limit share one column."""

    def __init__(self, n_rows: int, n_outputs: int, of_all: int | None = None) -> None:
        """Columns of `n_rows` rows, which are all rows or a part of `of_all`."""
        self._max_columns = term_room(n_rows if of_all is None else of_all, n_outputs)
        self._columns: list[Array] = []
        self._rest: Array | None = None
        self.sum: Array = np.zeros((n_rows, n_outputs))

    @property
    def n_free(self) -> int:
        """How many more terms get a column of their own."""
        return max(self._max_columns - len(self._columns), 0)

    def copy(self) -> "TermColumns":
        """The same columns, to which other terms can be added."""
        other = copy(self)
        other._columns = list(self._columns)
        return other

    def add(self, term: Array, held: bool | None = None) -> None:
        """Add a term; a term that is 0 at all rows, also those of other parts, is left out (`held` is False)."""
        if not (term.any() if held is None else held):
            return
        self.sum = self.sum + term
        if self.n_free:
            self._columns.append(term)
        else:
            self._rest = term if self._rest is None else self._rest + term

    def close(self) -> None:
        """Keep the shared column as it is, so that later terms get columns of their own."""
        if self._rest is not None:
            self._columns.append(self._rest)
            self._rest = None
        self._max_columns = max(self._max_columns, len(self._columns) + 1)

    def of_output(self, o: int) -> Array:
        """All columns of one output, (n_columns, n_rows)."""
        columns = self._columns + ([] if self._rest is None else [self._rest])
        return np.array([column[:, o] for column in columns]).reshape(len(columns), len(self.sum))


@dataclass(frozen=True, slots=True, eq=False)
class FitRows:
    """Rows of which raw is fitted: all of them or a part."""

    raw: Array  # (n_rows,) then its distance from the mean, by the root of the share, and what is left of it
    columns: Array  # (n_columns, n_rows) then likewise
    share: Array  # (n_rows,) weights; those of all parts add up to 1
    limbs: tuple[Array, Array] | None = None  # upper and lower halves of the columns, in whole units


def left_by_fit(parts: Parts) -> float:
    """Variance of raw that no linear combination of the columns reproduces.

    Parts are `FitRows`; the result does not depend on the cut.
    """
    parts = parts.keep(_centre_raw, *part_means(parts, _raw_of))
    most = part_sum(parts, _squares)
    if not parts.ask(_n_columns)[0] or most == 0.0:
        return most
    parts = parts.keep(_centre_columns, part_means(parts, _columns_of))
    parts, unit = _with_limbs(parts)
    gram = _joined(parts.merged(add_each, _products), unit, unit)
    size = np.sqrt(np.diag(gram))
    scale = np.where(size > 0, size, 1.0)
    factor = PivotedCholesky(gram / scale[:, None] / scale)
    for _ in range(2):  # fitted twice, because one solution is exact only to the rank tolerance
        power = np.frexp(parts.merged(largest_of, _reach_of_raw))[1]
        right = _joined(parts.merged(add_each, _products_with_raw, power), unit, _unit(power))[:, 0] / scale
        parts = parts.keep(_subtract, factor.solve(right) / scale)
    return min(most, part_sum(parts, _squares))


def _raw_of(rows: FitRows) -> tuple[Array, Array]:
    return rows.raw[None], rows.share


def _columns_of(rows: FitRows) -> tuple[Array, Array]:
    return rows.columns, rows.share


def _squares(rows: FitRows) -> Array:
    return rows.raw * rows.raw


def _n_columns(rows: FitRows) -> int:
    return len(rows.columns)


def _centre_raw(rows: FitRows, mean: float) -> FitRows:
    return replace(rows, raw=(rows.raw - mean) * np.sqrt(rows.share))


def _centre_columns(rows: FitRows, means: Array) -> FitRows:
    root, centred = np.sqrt(rows.share), np.empty_like(rows.columns)
    for mean, column, out in zip(means, rows.columns, centred, strict=True):  # one by one they stay in the cache
        np.multiply(column - mean, root, out=out)
    return replace(rows, columns=centred)


def _subtract(rows: FitRows, coefficients: Array) -> FitRows:
    left = rows.raw
    for coefficient, column in zip(coefficients, rows.columns, strict=True):
        left = left - coefficient * column
    return replace(rows, raw=left)


def _with_limbs(parts: Parts) -> tuple[Parts, Array]:
    """Columns as whole multiples of a unit each, and the units."""
    power = np.frexp(parts.merged(largest_of, _reach))[1]
    return parts.keep(_cut_into_limbs, power), _unit(power)


def _unit(power: NDArray[np.intc]) -> Array:
    return np.asarray(np.ldexp(1.0, power - 2 * _LIMB_BITS))


def _reach(rows: FitRows) -> Array:
    return _reach_of(rows.columns)


def _reach_of_raw(rows: FitRows) -> Array:
    return _reach_of(rows.raw[None])


def _reach_of(columns: Array) -> Array:
    """Largest size in each column."""
    return np.asarray(np.maximum(columns.max(axis=1, initial=0.0), -columns.min(axis=1, initial=0.0)))


def _cut_into_limbs(rows: FitRows, power: NDArray[np.intc]) -> FitRows:
    return replace(rows, limbs=_limbs(rows.columns, power))


def _limbs(columns: Array, power: NDArray[np.intc]) -> tuple[Array, Array]:
    """Columns as whole multiples of a unit each: upper and lower half of 40 bits."""
    # powers of two, so that multiplying is exact and faster than dividing; in two steps, because one could overflow
    half = (2 * _LIMB_BITS - power) // 2
    first, second = np.ldexp(1.0, half), np.ldexp(1.0, 2 * _LIMB_BITS - power - half)
    upper, lower = np.empty_like(columns), np.empty_like(columns)
    for k, column in enumerate(columns):  # one by one they stay in the cache
        whole = column * first[k]
        whole *= second[k]
        np.rint(whole, out=whole)
        np.floor(whole * 2.0**-_LIMB_BITS, out=upper[k])
        np.subtract(whole, upper[k] * 2.0**_LIMB_BITS, out=lower[k])
    return upper, lower


def _products(rows: FitRows) -> tuple[Wholes, ...]:
    """Products of the columns with one another, summed over the rows: of upper halves, of unlike ones, of lower ones.

    They depend neither on the order of the rows nor on the threads of BLAS.
    """
    assert rows.limbs is not None
    upper, lower = rows.limbs
    across = _whole_products(upper, lower)
    return _whole_products(upper, upper), across, across.transpose(0, 2, 1), _whole_products(lower, lower)


def _products_with_raw(rows: FitRows, power: NDArray[np.intc]) -> tuple[Wholes, ...]:
    """Products of the columns with raw, summed over the rows."""
    assert rows.limbs is not None
    raw = _limbs(rows.raw[None], power)
    return tuple(_whole_products(half, of_raw) for half in rows.limbs for of_raw in raw)


def _joined(products: tuple[Wholes, ...], unit: Array, other_unit: Array) -> Array:
    upper, one, other, lower = (np.ldexp(part[0].astype(np.float64), 32) + part[1] for part in products)
    total = np.ldexp(upper, 2 * _LIMB_BITS) + np.ldexp(one + other, _LIMB_BITS) + lower
    return np.asarray(total * unit[:, None] * other_unit)


def _whole_products(one: Array, other: Array) -> Wholes:
    """Upper and lower half of each sum of products, (2, n, n_other): a sum over many rows needs more than 63 bits."""
    halves = np.zeros((2, len(one), len(other)), dtype=np.int64)
    for first in range(0, one.shape[1], _SAFE_ROWS):
        rows = slice(first, first + _SAFE_ROWS)
        halves += whole_halves(_safe_products(one[:, rows], other[:, rows]))
    return halves


def _safe_products(one: Array, other: Array) -> Wholes:
    # whole numbers of at most 2^20: sums of _EXACT_ROWS products are at most 2^50, so every order of additions gives
    # the same result, and sums of _SAFE_ROWS products fit into 63 bits
    total = np.zeros((len(one), len(other)), dtype=np.int64)
    for first in range(0, one.shape[1], _EXACT_ROWS):
        rows = slice(first, first + _EXACT_ROWS)
        total += (one[:, rows] @ other[:, rows].T).astype(np.int64)
    return total


class PivotedCholesky:
    """Factor of a symmetric matrix with 1 on its diagonal, without directions that are only rounding error.

    Every step multiplies and subtracts element by element, so that no library decides the order of additions.
    """

    def __init__(self, matrix: Array) -> None:
        rest = matrix.copy()
        self._pivots: list[int] = []
        self._columns: list[Array] = []  # of the lower factor, one per pivot
        while len(self._pivots) < len(matrix):
            diagonal = rest.diagonal().copy()
            diagonal[self._pivots] = -np.inf
            k = int(np.argmax(diagonal))
            if diagonal[k] <= _RANK:
                break
            column = rest[:, k] / np.sqrt(diagonal[k])
            column[self._pivots] = 0.0
            rest -= column[:, None] * column
            self._pivots.append(k)
            self._columns.append(column)

    def solve(self, right: Array) -> Array:
        """Solution with 0 for variables without a pivot."""
        rest, below = right.copy(), np.zeros(len(self._pivots))
        for i, (k, column) in enumerate(zip(self._pivots, self._columns, strict=True)):
            below[i] = rest[k] / column[k]
            rest -= below[i] * column
        out = np.zeros(len(right))
        for i in reversed(range(len(self._pivots))):
            k, column = self._pivots[i], self._columns[i]
            out[k] = below[i] / column[k]
            for j in range(i):
                below[j] -= self._columns[j][k] * out[k]
        return out
