"""Nested shares: how much of raw sums of terms reproduce if each term has the coefficient that fits best."""

import numpy as np
from numpy.typing import NDArray

from glasswood._exact import exact_column_means, exact_mean, exact_sum

Array = NDArray[np.float64]

_MAX_BYTES = 256 * 2**20  # of the terms at the rows
_MIN_COLUMNS = 8
_MAX_COLUMNS = 600  # the time of a fit is proportional to the square of this number
_RANK = 1e-10  # a column of which less than this share remains is rounding error
_LIMB_BITS = 20  # of each half of a number, so that products are exact
_EXACT_ROWS = 1024


def term_room(n_rows: int, n_outputs: int) -> int:
    """How many terms get a column of their own."""
    fit = _MAX_BYTES // max(8 * n_rows * n_outputs, 1)
    return int(np.clip(fit, _MIN_COLUMNS, _MAX_COLUMNS))


class TermColumns:
    """Terms at the rows, (n_rows, n_outputs) each, and their sum; terms beyond the limit share one column."""

    def __init__(self, n_rows: int, n_outputs: int) -> None:
        self._max_columns = term_room(n_rows, n_outputs)
        self._columns: list[Array] = []
        self._rest: Array | None = None
        self.sum: Array = np.zeros((n_rows, n_outputs))

    @property
    def n_free(self) -> int:
        """How many more terms get a column of their own."""
        return max(self._max_columns - len(self._columns), 0)

    def add(self, term: Array) -> None:
        """Add a term; a term that is 0 everywhere is left out."""
        if not term.any():
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
        return np.array([column[:, o] for column in columns]).reshape(-1, len(self.sum))


def left_by_fit(raw: Array, columns: Array, share: Array) -> float:
    """Variance of raw (n_rows,) that no linear combination of the columns (n_columns, n_rows) reproduces.

    `share` is the weight of each row; all add up to 1.
    """
    root = np.sqrt(share)
    target = (raw - exact_mean(raw, share)) * root
    most = exact_sum(target * target)
    if not len(columns) or most == 0.0:
        return most
    means = exact_column_means(columns.T, share)
    centred = np.empty_like(columns)
    for mean, column, out in zip(means, columns, centred, strict=True):  # one by one they stay in the cache
        np.multiply(column - mean, root, out=out)
    left = _residual(target, centred)
    return min(most, exact_sum(left * left))


def _residual(target: Array, centred: Array) -> Array:
    """Residual of the target after the fit; fitted twice, because one solution is exact only to the rank tolerance."""
    limbs = _limbs(centred)
    gram = _products(limbs)
    size = np.sqrt(np.diag(gram))
    scale = np.where(size > 0, size, 1.0)
    factor = PivotedCholesky(gram / scale[:, None] / scale)
    left = target
    for _ in range(2):
        right = _products(limbs, _limbs(left[None]))[:, 0] / scale
        for coefficient, column in zip(factor.solve(right) / scale, centred, strict=True):
            left = left - coefficient * column
    return left


def _limbs(columns: Array) -> tuple[Array, Array, Array]:
    """Columns as whole multiples of a unit each: upper and lower half of 40 bits, and the units."""
    power = np.frexp(np.maximum(columns.max(axis=1, initial=0.0), -columns.min(axis=1, initial=0.0)))[1]
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
    return upper, lower, np.ldexp(1.0, power - 2 * _LIMB_BITS)


def _products(one: tuple[Array, Array, Array], other: tuple[Array, Array, Array] | None = None) -> Array:
    """Products of columns, summed over the rows; independent of the order of rows and of the threads of BLAS.

    Without `other`, the columns are multiplied with one another.
    """
    (a, b, unit), (c, d, other_unit) = one, one if other is None else other
    across = _whole_products(a, d)
    middle = across + (across.T if other is None else _whole_products(b, c))
    total = np.ldexp(_whole_products(a, c), 2 * _LIMB_BITS) + np.ldexp(middle, _LIMB_BITS) + _whole_products(b, d)
    return np.asarray(total * unit[:, None] * other_unit)


def _whole_products(one: Array, other: Array) -> Array:
    # whole numbers below 2^21: sums of _EXACT_ROWS products stay below 2^53, so every order gives the same result
    total = np.zeros((len(one), len(other)), dtype=np.int64)
    for first in range(0, one.shape[1], _EXACT_ROWS):
        rows = slice(first, first + _EXACT_ROWS)
        total += (one[:, rows] @ other[:, rows].T).astype(np.int64)
    return total.astype(np.float64)


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
