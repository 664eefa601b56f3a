"""ledger: how much of raw the effects reproduce, and effects and pairs together."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood._checks import whole_number
from glasswood._exact import exact_column_means
from glasswood._jobs import resolve_n_jobs
from glasswood._native import FREE
from glasswood._powers import times_power
from glasswood._progress import Progress
from glasswood.ensemble import Ensemble, align
from glasswood.errors import TableError
from glasswood.explain._grid import Grid, make_grid
from glasswood.explain._rows import Rows, open_rows
from glasswood.explain._sums import check_total, largest_change, roles
from glasswood.explain._usage import count_usage
from glasswood.results import Ledger
from glasswood.tables import Table

_ROUNDING = 1e-13
_GROUP_LEAVES = 4_000_000  # leaves of the pairs that are worked on together: 32 bytes each


def ledger(
    model: Any,
    X: Table | Iterator[Table],
    *,
    sample_weight: Any = None,
    max_cells: int = 50_000_000,
    n_jobs: int | None = None,
    progress: bool = False,
) -> Ledger:
    """Share of the variance of raw that sums of simple terms reproduce over the rows of X.

    The terms are those of exact partial dependence: f_j = PD_j − PD_∅ and f_jk = PD_jk − PD_j − PD_k + PD_∅. A model of
    depth 2 is reproduced completely.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `glasswood.read` takes.
    X : table or iterator of tables
        The rows. They are kept as cells, one or two bytes a value.
    sample_weight : array, or iterator of arrays, optional
        Weight of each row.
    max_cells : int
        Tables of pairs with more cells than this are not made: their terms are computed at the rows alone, which is
        slower and gives the same shares.
    n_jobs : int, optional
        Threads; None is 1, −1 all cores. The result is equal to the bit for any value.
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
    failing = _native.Failing(grid.paths, roles(grid, singles, FREE), 2)
    failing.add(codes, 0, codes.n_rows, n_threads)
    shares = failing.shares()
    mean, variance = _moments(raw, weight)
    left = raw.ravel()
    codes.subtract(singles, _native.effect_terms(grid.paths, shares, singles), left, n_threads)
    after_effects = _moments(raw, weight)[1]
    with Progress("ledger", len(pairs), show=progress) as bar:
        for group in _groups(pairs, n_leaves):
            _native.subtract_pairs(grid.paths, shares, group, codes, left, max_cells, n_threads)
            bar.step(len(group))
    after_pairs = _moments(raw, weight)[1]
    noise = (_ROUNDING * _largest_raw(grid.ensemble)) ** 2
    return Ledger(
        mean=times_power(mean, grid.value_power),
        variance=times_power(variance, 2 * grid.value_power),
        effects=_share(after_effects, variance, noise),
        effects_and_pairs=_share(after_pairs, variance, noise),
        outputs=ensemble.outputs,
        n_rows=codes.n_rows,
        kind=rows.kind,
    )


def _read_rows(grid: Grid, rows: Rows, n_threads: int, progress: bool) -> tuple[_native.Codes, NDArray[np.float64]]:
    """All rows as cells, and raw of those with weight, (n_rows, n_outputs)."""
    codes = _native.Codes(grid.paths)
    parts = [np.zeros((0, grid.ensemble.n_outputs))]
    with Progress("rows", rows.n_parts, show=progress) as bar:
        for table, weight in rows.parts:
            aligned = align(table, grid.ensemble.features)
            codes.append(aligned.data, weight, n_threads)
            raw = grid.ensemble.plan().predict_raw(aligned.data, n_threads)
            parts.append(raw if weight is None else raw[weight != 0])
            bar.step()
    return codes, np.concatenate(parts)


def _groups(pairs: NDArray[np.int32], n_leaves: NDArray[np.int64]) -> Iterator[NDArray[np.int32]]:
    """Pairs in pieces that do not hold too many leaves."""
    piece = np.cumsum(n_leaves) // _GROUP_LEAVES
    return (pairs[piece == i] for i in np.unique(piece))


def _moments(raw: NDArray[np.float64], weight: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weighted mean and variance of each output."""
    mean = exact_column_means(raw, weight)
    return mean, exact_column_means((raw - mean) ** 2, weight)


def _share(left: NDArray[np.float64], variance: NDArray[np.float64], noise: float) -> NDArray[np.float64]:
    constant = variance <= noise
    return np.where(constant, 1.0, 1.0 - left / np.where(constant, 1.0, variance))


def _largest_raw(ensemble: Ensemble) -> float:
    """Largest |baseline| and |leaf value| of each tree, added up: no raw is larger."""
    return float(np.abs(ensemble.baseline).max(initial=0.0)) + largest_change(ensemble)
