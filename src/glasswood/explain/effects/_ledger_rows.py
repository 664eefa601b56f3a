"""LedgerRows: raw and the terms of some of the rows, from which the ledger of all rows is made part by part."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from glasswood._powers import times_power
from glasswood.explain._parts import Parts, either, part_means, part_sum
from glasswood.explain.effects._cell_grid import CellGrid
from glasswood.explain.effects._nested_shares import FitRows, TermColumns, left_by_fit
from glasswood.explain.effects._row_terms import RowTerms, rounding_noise
from glasswood.results import Ledger
from glasswood.tables import FrameKind

Array = NDArray[np.float64]
Held = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class LedgerRows:
    """Rows with weight, and the terms at these rows."""

    raw: Array  # (n_rows, n_outputs)
    weight: Array  # (n_rows,)
    columns: TermColumns  # of the features; then of the pairs too
    pairs: Sequence[Array]  # (n_rows, n_outputs) of each pair, and of all others together

    @classmethod
    def of(cls, terms: RowTerms, n_rows: int, held: Held | None) -> "LedgerRows":
        """Terms of a part of `n_rows` rows; `held`: which features have a term that is not 0 at all of them."""
        rows = terms.rows
        columns = TermColumns(len(rows.raw), rows.raw.shape[1], n_rows)
        for feature, table in enumerate(terms.singles):
            columns.add(rows.at_rows(feature, table), None if held is None else bool(held[feature]))
        columns.close()
        return cls(rows.raw, rows.weight, columns, [*terms.columns, terms.others])


def share_out(parts: Parts, grid: CellGrid, kind: FrameKind | None) -> Ledger:
    """The ledger of rows in parts; it does not depend on the cut."""
    mean, variance = _moments(parts, _raw_of)
    noise = rounding_noise(grid)
    effects = _fitted(parts, variance, noise)
    parts = parts.keep(_with_pairs, parts.merged(either, _pairs_held))
    both = _fitted(parts, variance, noise)
    power = grid.value_power
    return Ledger(
        mean=times_power(mean, power),
        variance=times_power(variance, 2 * power),
        effects=effects,
        effects_and_pairs=np.maximum(effects, both),
        as_they_stand=_share(_moments(parts, _rest_of)[1], variance, noise),
        outputs=grid.ensemble.outputs,
        n_rows=sum(parts.ask(_n_rows)),
        kind=kind,
    )


def singles_held(terms: RowTerms) -> Held:
    """Which features have a term that is not 0 at all of these rows."""
    return np.array([terms.rows.at_rows(f, table).any() for f, table in enumerate(terms.singles)], dtype=bool)


def _n_rows(rows: LedgerRows) -> int:
    return len(rows.raw)


def _weight(rows: LedgerRows) -> Array:
    return rows.weight


def _raw_of(rows: LedgerRows) -> tuple[Array, Array]:
    return rows.raw.T, rows.weight


def _rest_of(rows: LedgerRows) -> tuple[Array, Array]:
    return (rows.raw - rows.columns.sum).T, rows.weight


def _moments(parts: Parts, values: Callable[[LedgerRows], tuple[Array, Array]]) -> tuple[Array, Array]:
    """Weighted mean and variance of each output."""
    mean = part_means(parts, values)
    return mean, part_means(parts, partial(_scatter, values=values, mean=mean))


def _scatter(
    rows: LedgerRows, *, values: Callable[[LedgerRows], tuple[Array, Array]], mean: Array
) -> tuple[Array, Array]:
    found, weight = values(rows)
    return (found - mean[:, None]) ** 2, weight


def _pairs_held(rows: LedgerRows) -> Held:
    return np.array([column.any() for column in rows.pairs], dtype=bool)


def _with_pairs(rows: LedgerRows, held: Held) -> LedgerRows:
    columns = rows.columns.copy()
    for column, is_held in zip(rows.pairs, held, strict=True):
        columns.add(column, bool(is_held))
    return replace(rows, columns=columns, pairs=[])


def _fitted(parts: Parts, variance: Array, noise: float) -> Array:
    """Share that the terms reproduce, each with its own coefficient."""
    total = part_sum(parts, _weight)
    fitted = [left_by_fit(parts.keep(_fit_rows, o, total)) for o in range(len(variance))]
    # if the plain sum of terms already reproduces raw, rounding errors of a fit must not lower the share
    plain = _moments(parts, _rest_of)[1]
    return _share(np.minimum(np.minimum(fitted, plain), variance), variance, noise)


def _fit_rows(rows: LedgerRows, o: int, total: float) -> FitRows:
    return FitRows(rows.raw[:, o], rows.columns.of_output(o), rows.weight / total)


def _share(left: Array, variance: Array, noise: float) -> Array:
    constant = variance <= noise
    return np.where(constant, 1.0, 1.0 - left / np.where(constant, 1.0, variance))
