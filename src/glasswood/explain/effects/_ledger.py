"""ledger: how much of the variance of raw the effects reproduce, alone and with pairs."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from glasswood._checks import whole_number
from glasswood._jobs import resolve_n_jobs
from glasswood.ensemble import Ensemble
from glasswood.errors import TableError
from glasswood.explain._parts import OnePart
from glasswood.explain.effects._cell_grid import make_grid
from glasswood.explain.effects._ledger_rows import LedgerRows, share_out
from glasswood.explain.effects._nested_shares import term_room
from glasswood.explain.effects._row_stream import Rows, open_rows
from glasswood.explain.effects._row_terms import TABLE_CELLS, Pairs, RowTerms, make_row_terms, read_term_rows
from glasswood.explain.effects._usage import count_usage
from glasswood.results import Ledger
from glasswood.tables import Table


def ledger(
    model: Any,
    X: Table | Iterator[Table],
    *,
    max_cells: int = TABLE_CELLS,
    sample_weight: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> Ledger:
    """Variance decomposition: the share of the variance of raw that sums of simple terms reproduce over the rows of X.

    The terms are those of exact partial dependence: f_j = PD_j − PD_∅ and f_jk = PD_jk − PD_j − PD_k + PD_∅. Raw is
    fitted by least squares over the rows, first to the effects, then to effects and pairs, with one coefficient for
    each feature and each pair. Therefore no share is negative and the shares add up to 1. A model of depth 2 is
    reproduced completely. With more than 600 terms, or more than 256 MB of them, the pairs that the fewest leaves use
    share one coefficient.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `glasswood.read` takes.
    X : table or iterator of tables
        The rows. They are stored as cells, one or two bytes per value.
    max_cells : int
        Tables of pairs with more cells than this are not computed. Their terms are computed only at the rows, which is
        slower and gives the same shares.
    sample_weight : array, or iterator of arrays, optional
        Weight of each row.
    n_jobs : int, optional
        Threads; None is 1, −1 all cores. The result has the same bits for any number.
    progress : bool
        Show a bar on stderr.

    Returns
    -------
    Ledger

    Examples
    --------
    >>> import glasswood as gw
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> tree = DecisionTreeRegressor().fit(X, [0.0, 1.0, 1.0, 2.0])
    >>> gw.ledger(tree, X).effects
    array([1.])
    """
    if X is None:
        raise TableError("ledger compares with rows: pass X")
    terms = find_terms(model, X, max_cells=max_cells, sample_weight=sample_weight, n_jobs=n_jobs, progress=progress)
    return ledger_of(terms)


def find_terms(
    model: Any,
    X: Table | Iterator[Table],
    *,
    max_cells: int = TABLE_CELLS,
    sample_weight: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> RowTerms:
    """Terms of all features and pairs; the pairs that most leaves use have a column each, as far as there is room."""
    n_threads, max_cells = resolve_n_jobs(n_jobs), whole_number("max_cells", max_cells, 1)
    ensemble, given = open_rows(model, X, sample_weight)
    assert isinstance(given, Rows)
    rows = read_term_rows(make_grid(ensemble), given, n_threads, progress=progress)
    alone, others = pairs_with_room(ensemble, len(rows.raw))
    return make_row_terms(rows, alone, others, max_cells=max_cells, n_threads=n_threads, progress=progress)


def ledger_of(terms: RowTerms) -> Ledger:
    """Fit raw to the terms of all features and pairs."""
    rows = terms.rows
    return share_out(OnePart(LedgerRows.of(terms, len(rows.raw), None)), rows.grid, rows.kind)


def pairs_with_room(ensemble: Ensemble, n_rows: int) -> tuple[Pairs, Pairs]:
    """The pairs that have a column each, those that most leaves use, and all others."""
    pairs, n_leaves = count_usage(ensemble, 2)
    order = np.argsort(-n_leaves, kind="stable")
    room = max(term_room(n_rows, ensemble.n_outputs) - len(np.unique(pairs)), 1)
    return pairs[order[:room]], pairs[np.sort(order[room:])]
