"""ledger: how much of the variance of raw the effects reproduce, alone and with pairs."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood._checks import whole_number
from glasswood._exact import exact_column_means, exact_sum
from glasswood._jobs import resolve_n_jobs
from glasswood._native import FREE
from glasswood._powers import times_power
from glasswood._progress import Progress
from glasswood.ensemble import Ensemble, align
from glasswood.errors import TableError
from glasswood.explain.effects._cell_grid import CellGrid, make_grid
from glasswood.explain.effects._nested_shares import TermColumns, left_by_fit
from glasswood.explain.effects._row_stream import Rows, open_rows
from glasswood.explain.effects._row_sums import check_total, largest_change, roles
from glasswood.explain.effects._usage import count_usage
from glasswood.results import Ledger
from glasswood.tables import Table

_ROUNDING = 1e-13
_GROUP_LEAVES = 4_000_000  # leaves of the pairs that are processed together: 32 bytes each


def ledger(
    model: Any,
    X: Table | Iterator[Table],
    *,
    max_cells: int = 50_000_000,
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
    n_threads, max_cells = resolve_n_jobs(n_jobs), whole_number("max_cells", max_cells, 1)
    if X is None:
        raise TableError("ledger compares with rows: pass X")
    ensemble, rows = open_rows(model, X, sample_weight)
    assert rows is not None
    grid = make_grid(ensemble)
    pairs, n_leaves = count_usage(ensemble, 2)
    codes, raw = _read_rows(grid, rows, n_threads, progress)
    weight = codes.weight() if len(codes.weight()) else np.ones(codes.n_rows)
    check_total(weight)
    codes.fix(None)
    singles = np.arange(len(ensemble.features), dtype=np.int32)[:, None]
    row_shares = _native.RowShares(grid.paths, roles(grid, singles, FREE), 2)
    row_shares.add(codes, 0, codes.n_rows, n_threads)
    shares = row_shares.shares()
    mean, variance = _moments(raw, weight)
    noise = (_ROUNDING * _largest_raw(grid.ensemble)) ** 2
    columns = TermColumns(codes.n_rows, ensemble.n_outputs)
    tables = grid.split(_native.effect_terms(grid.paths, shares, singles), singles, ensemble.n_outputs)
    for feature, table in zip(singles, tables, strict=True):
        left = np.zeros(raw.size)
        codes.subtract(feature[None], table.ravel(), left, n_threads)
        columns.add(-left.reshape(raw.shape))
    columns.close()
    effects = _fitted(raw, columns, weight, variance, noise)
    with Progress("ledger", len(pairs), show=progress) as bar, ThreadPoolExecutor(n_threads) as pool:

        def term(group: NDArray[np.int32]) -> NDArray[np.float64]:
            left = np.zeros(raw.size)
            _native.subtract_pairs(grid.paths, shares, group, codes, left, max_cells, 1)
            return -left.reshape(raw.shape)

        groups = _groups(pairs, n_leaves, columns.n_free)
        for first in range(0, len(groups), 2 * n_threads):
            some = groups[first : first + 2 * n_threads]
            for group, found in zip(some, pool.map(term, some), strict=True):
                columns.add(found)
                bar.step(len(group))
    both = _fitted(raw, columns, weight, variance, noise)
    return Ledger(
        mean=times_power(mean, grid.value_power),
        variance=times_power(variance, 2 * grid.value_power),
        effects=effects,
        effects_and_pairs=np.maximum(effects, both),
        as_they_stand=_share(_moments(raw - columns.sum, weight)[1], variance, noise),
        outputs=ensemble.outputs,
        n_rows=codes.n_rows,
        kind=rows.kind,
    )


def _fitted(
    raw: NDArray[np.float64],
    columns: TermColumns,
    weight: NDArray[np.float64],
    variance: NDArray[np.float64],
    noise: float,
) -> NDArray[np.float64]:
    """Share that the terms reproduce, each with its own coefficient."""
    share = weight / exact_sum(weight)
    fitted = [left_by_fit(raw[:, o], columns.of_output(o), share) for o in range(raw.shape[1])]
    # if the plain sum of terms already reproduces raw, rounding errors of a fit must not lower the share
    plain = _moments(raw - columns.sum, weight)[1]
    return _share(np.minimum(np.minimum(fitted, plain), variance), variance, noise)


def _read_rows(grid: CellGrid, rows: Rows, n_threads: int, progress: bool) -> tuple[_native.Codes, NDArray[np.float64]]:
    """All rows as cells, and raw of those with weight, (n_rows, n_outputs)."""
    codes = _native.Codes(grid.paths)
    parts = [np.zeros((0, grid.ensemble.n_outputs))]
    with Progress("rows", rows.n_parts, show=progress) as bar:
        for table, weight in rows.parts:
            aligned = align(table, grid.ensemble.features)
            codes.append(aligned.data, weight, n_threads)
            raw = grid.ensemble._plan().predict_raw(aligned.data, n_threads)
            parts.append(raw if weight is None else raw[weight != 0])
            bar.step()
    return codes, np.concatenate(parts)


def _groups(pairs: NDArray[np.int32], n_leaves: NDArray[np.int64], alone: int) -> list[NDArray[np.int32]]:
    """The pairs that most leaves use one by one; the others in groups with a limited number of leaves."""
    order = np.argsort(-n_leaves, kind="stable")
    rest = np.sort(order[alone:])
    piece = np.cumsum(n_leaves[rest]) // _GROUP_LEAVES
    return [*pairs[order[:alone], None], *(pairs[rest[piece == i]] for i in np.unique(piece))]


def _moments(raw: NDArray[np.float64], weight: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weighted mean and variance of each output."""
    mean = exact_column_means(raw, weight)
    return mean, exact_column_means((raw - mean) ** 2, weight)


def _share(left: NDArray[np.float64], variance: NDArray[np.float64], noise: float) -> NDArray[np.float64]:
    constant = variance <= noise
    return np.where(constant, 1.0, 1.0 - left / np.where(constant, 1.0, variance))


def _largest_raw(ensemble: Ensemble) -> float:
    """Upper bound of |raw|: the sum of the largest |leaf value| of each tree and |baseline|."""
    return float(np.abs(ensemble.baseline).max(initial=0.0)) + largest_change(ensemble)
