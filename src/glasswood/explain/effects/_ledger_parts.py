"""ledger of tables that lie in parts: each part is read where it lies, and only sums are brought together."""

from typing import Any

import numpy as np

from glasswood._checks import whole_number
from glasswood.ensemble import Ensemble
from glasswood.explain._parts import Parts, either, part_sum
from glasswood.explain.effects._cell_grid import make_grid
from glasswood.explain.effects._ledger import pairs_with_room
from glasswood.explain.effects._ledger_rows import Held, LedgerRows, share_out, singles_held
from glasswood.explain.effects._row_stream import Rows, cut
from glasswood.explain.effects._row_sums import check_total
from glasswood.explain.effects._row_terms import (
    TABLE_CELLS,
    LeafSums,
    Pairs,
    TermRows,
    leaf_sums,
    make_row_terms,
    read_part_rows,
)
from glasswood.results import Ledger
from glasswood.tables import FrameKind, Table, n_rows_of, read_weight

_NO_PAIRS = np.zeros((0, 2), dtype=np.int32)


def ledger_of_parts(
    ensemble: Ensemble,
    parts: Parts,
    *,
    unit: float | None,
    kind: FrameKind | None,
    max_cells: int = TABLE_CELLS,
    n_threads: int = 1,
) -> Ledger:
    """`ledger` of parts that are tables with weights or None; `unit` is that of all weights.

    Parts are read four times: to count rows, to add up how many reach each leaf, to see which terms are 0, and to
    compute the terms, which stay where the part lies.
    """
    max_cells = whole_number("max_cells", max_cells, 1)
    given = ensemble, unit, n_threads
    check_total(part_sum(parts, _weight))
    n_rows = sum(parts.ask(_n_counted))
    alone, others = pairs_with_room(ensemble, n_rows)
    sums = parts.merged(_add_sums, _leaf_sums, *given)
    held = parts.merged(either, _singles_held, sums, *given)
    terms = parts.keep(_ledger_rows, sums, held, n_rows, alone, others, max_cells, *given)
    return share_out(terms, make_grid(ensemble), kind)


def _weight(part: tuple[Table, Any]) -> Any:
    X, sample_weight = part
    weight = read_weight(sample_weight, n_rows_of(X))
    return np.ones(n_rows_of(X)) if weight is None else weight


def _n_counted(part: tuple[Table, Any]) -> int:
    return int(np.count_nonzero(_weight(part)))


def _rows(part: tuple[Table, Any], ensemble: Ensemble, unit: float | None, n_threads: int) -> TermRows:
    X, sample_weight = part
    pieces = cut(X, read_weight(sample_weight, n_rows_of(X)))
    return read_part_rows(make_grid(ensemble), Rows(X, None, pieces, None, unit), n_threads)


def _leaf_sums(part: tuple[Table, Any], ensemble: Ensemble, unit: float | None, n_threads: int) -> list[LeafSums]:
    return leaf_sums(_rows(part, ensemble, unit, n_threads), n_threads)


def _add_sums(one: list[LeafSums], other: list[LeafSums]) -> list[LeafSums]:
    return [(a + b, n + m) for (a, n), (b, m) in zip(one, other, strict=True)]


def _singles_held(
    part: tuple[Table, Any], sums: list[LeafSums], ensemble: Ensemble, unit: float | None, n_threads: int
) -> Held:
    rows = _rows(part, ensemble, unit, n_threads)
    return singles_held(
        make_row_terms(rows, _NO_PAIRS, _NO_PAIRS, max_cells=TABLE_CELLS, n_threads=n_threads, sums=sums)
    )


def _ledger_rows(
    part: tuple[Table, Any],
    sums: list[LeafSums],
    held: Held,
    n_rows: int,
    alone: Pairs,
    others: Pairs,
    max_cells: int,
    ensemble: Ensemble,
    unit: float | None,
    n_threads: int,
) -> LedgerRows:
    rows = _rows(part, ensemble, unit, n_threads)
    terms = make_row_terms(rows, alone, others, max_cells=max_cells, n_threads=n_threads, sums=sums)
    return LedgerRows.of(terms, n_rows, held)
