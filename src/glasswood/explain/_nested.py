"""Nested shares: how much of raw sums of terms reproduce, each term with the coefficient that fits the rows best."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_MOST_BYTES = 256 * 2**20  # of the terms at the rows
_LEAST_COLUMNS = 8
_MOST_COLUMNS = 600  # the time of a fit grows with their square
_RANK = 1e-11  # directions of less than this share of the largest are rounding


class TermColumns:
    """Terms at the rows, (n_rows, n_outputs) each, and their sum; those beyond the room there is share one column."""

    def __init__(self, n_rows: int, n_outputs: int) -> None:
        fit = _MOST_BYTES // max(8 * n_rows * n_outputs, 1)
        self._room = int(np.clip(fit, _LEAST_COLUMNS, _MOST_COLUMNS))
        self._columns: list[Array] = []
        self._rest: Array | None = None
        self.sum: Array = np.zeros((n_rows, n_outputs))

    @property
    def room(self) -> int:
        """How many more terms get a column of their own."""
        return max(self._room - len(self._columns), 0)

    def add(self, term: Array) -> None:
        """Take one more term; one that is 0 everywhere is left out."""
        if not term.any():
            return
        self.sum = self.sum + term
        if self.room:
            self._columns.append(term)
        else:
            self._rest = term if self._rest is None else self._rest + term

    def close(self) -> None:
        """Let what shares a column so far keep it for itself, and make room for what comes."""
        if self._rest is not None:
            self._columns.append(self._rest)
            self._rest = None
        self._room = max(self._room, len(self._columns) + 1)

    def of_output(self, o: int) -> Array:
        """All columns of one output, (n_columns, n_rows)."""
        columns = self._columns + ([] if self._rest is None else [self._rest])
        return np.array([column[:, o] for column in columns]).reshape(-1, len(self.sum))


def left_by_fit(raw: Array, columns: Array, share: Array) -> float:
    """Variance of raw (n_rows,) that no multiples of the columns (n_columns, n_rows) reproduce.

    `share` is the weight of each row; all add up to 1.
    """
    target = raw - np.einsum("r,r->", share, raw)
    most = float(np.einsum("r,r,r->", share, target, target))
    if not len(columns) or most == 0.0:
        return most
    centred = columns - np.einsum("r,kr->k", share, columns)[:, None]
    # einsum, not @: BLAS adds in an order that depends on its threads
    weighted = centred * share
    gram = np.array([np.einsum("r,kr->k", row, centred) for row in weighted])
    left = _residual(target, centred, weighted, gram)
    return min(most, float(np.einsum("r,r,r->", share, left, left)))


def _residual(target: Array, centred: Array, weighted: Array, gram: Array) -> Array:
    """Rest of the target after the fit; fitted twice, since one solution is exact only to the bound of the rank."""
    size = np.sqrt(np.diag(gram))
    scale = np.where(size > 0, size, 1.0)
    value, vector = np.linalg.eigh(gram / scale[:, None] / scale)
    held = value > _RANK * max(float(value[-1]), 0.0)
    left = target
    for _ in range(2):
        right = np.einsum("kr,r->k", weighted, left) / scale
        along = np.einsum("kh,k->h", vector[:, held], right) / value[held]
        left = left - np.einsum("kr,k->r", centred, np.einsum("kh,h->k", vector[:, held], along) / scale)
    return left
