"""interactions: joint tables of features, and what remains of them beyond fewer features."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import whole_number
from glasswood._jobs import resolve_n_jobs
from glasswood._progress import Progress
from glasswood.errors import OptionError
from glasswood.explain.effects._cell_grid import CellGrid, make_grid
from glasswood.explain.effects._coarse_pairs import CoarsePairs
from glasswood.explain.effects._purify import purify_outputs
from glasswood.explain.effects._request import check_cells, resolve_method, resolve_resolution, resolve_tuples
from glasswood.explain.effects._row_stream import RowCounter, Rows, open_rows
from glasswood.explain.effects._row_terms import TABLE_CELLS, make_row_terms, read_term_rows
from glasswood.explain.effects.estimands import CellTable, Tuples, make_estimand
from glasswood.results import Interaction, Interactions, LazyTable, outputs_last
from glasswood.tables import Table

_MAX_VALUES = 64_000_000  # terms of pairs at the rows that are in memory at the same time: 8 bytes each


def interactions(
    model: Any,
    X: Table | Iterator[Table] | RowCounter | None = None,
    *,
    features: Sequence[str | int] | None = None,
    pairs: Iterable[Sequence[str | int]] | None = None,
    degree: int = 2,
    method: str = "auto",
    resolution: int | None = None,
    max_cells: int = 50_000_000,
    sample_weight: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> Interactions:
    """Joint tables of two or more features, exact at every threshold of the model.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `glasswood.read` takes.
    X : table or iterator of tables, optional
        Rows to average over; they also give the weights of the cells.
    features : list of str or int, optional
        All combinations of these features; by default of all features.
    pairs : list of tuples of str or int, optional
        The combinations to compute, each of `degree` features.
    degree : int
        Number of features of a table, at least 2.
    method : str
        As in `effects`.
    resolution : int, optional
        For models with too many cells: join the intervals of each feature at quantiles of the rows, so that at most
        this many are left. A cell then has the mean of the exact joint effect over its rows (NaN without rows), and
        `kept` of each table says how much of the variance of the exact term over the rows these means keep. Needs X,
        pairs and the method ``"interventional"``. Categories keep their levels. None: the model's own cells.
    max_cells : int
        Largest total number of cells; more are refused before anything is computed.
    sample_weight : array, or iterator of arrays, optional
        Weight of each row of X.
    n_jobs : int, optional
        Threads; None is 1, −1 all cores. The result has the same bits for any number.
    progress : bool
        Show a bar on stderr.

    Returns
    -------
    Interactions

    Examples
    --------
    >>> import glasswood as gw
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> tree = DecisionTreeRegressor().fit(X, [0.0, 0.0, 0.0, 4.0])
    >>> gw.interactions(tree, X)["x0", "x1"].interaction[:2, :2]
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    n_threads, max_cells = resolve_n_jobs(n_jobs), whole_number("max_cells", max_cells, 1)
    ensemble, rows = open_rows(model, X, sample_weight)
    chosen = resolve_tuples(features, pairs, degree, ensemble, max_cells)
    method = resolve_method(method, ensemble, rows is not None)
    grid = make_grid(ensemble)
    if resolution is not None:
        most = resolve_resolution(resolution, method, chosen.shape[1])
        if not isinstance(rows, Rows):
            raise OptionError("resolution= needs X in the memory of the host")
        check_cells(grid, chosen, max_cells, most)
        return _coarse(grid, chosen, rows, most, n_threads, progress=progress)
    check_cells(grid, chosen, max_cells)
    tuples = Tuples(grid, chosen, n_threads)
    estimand = make_estimand(method, tuples, rows, progress=progress)
    found: list[Interaction] = []
    kind = None if rows is None else rows.kind
    with Progress("interactions", len(tuples), show=progress) as bar:
        is_pairs = tuples.degree == 2
        margins = {f: outputs_last(effect) for f, effect in estimand.margins().items()} if is_pairs else {}
        make_tables = estimand.pairs if is_pairs else estimand.joint
        for some in tuples.groups():
            group, buffers = make_tables(some), _buffers(grid, tuples[some].features)
            found.extend(
                _interaction(grid, table, method, kind, margins, buffer)
                for table, buffer in zip(group, buffers, strict=True)
            )
            bar.step(len(group))
    return Interactions(
        tables=tuple(found),
        names=ensemble.feature_names,
        degree=tuples.degree,
        method=method,
        outputs=ensemble.outputs,
        kind=kind,
    )


def _coarse(
    grid: CellGrid, pairs: NDArray[np.int32], rows: Rows, resolution: int, n_threads: int, *, progress: bool
) -> Interactions:
    """Tables on coarse cells; as many pairs at a time as their terms at the rows fit in memory."""
    term_rows = read_term_rows(grid, rows, n_threads, progress=progress)
    coarse = CoarsePairs(term_rows, resolution)
    at_once = max(1, _MAX_VALUES // term_rows.raw.size)
    none = np.zeros((0, 2), dtype=np.int32)
    found: list[Interaction] = []
    for first in range(0, len(pairs), at_once):
        some = pairs[first : first + at_once]
        terms = make_row_terms(term_rows, some, none, max_cells=TABLE_CELLS, n_threads=n_threads, progress=progress)
        found.extend(coarse.tables(terms))
    return coarse.result(found)


def _buffers(grid: CellGrid, tuples: NDArray[np.int32]) -> list[NDArray[np.float64]]:
    """Memory for the effects of a group of tables, which costs nothing until they are asked for.

    It is allocated in one piece because the system then uses large pages.
    """
    n_outputs = grid.ensemble.n_outputs
    return grid.split(np.empty(int(grid.n_cells(tuples).sum()) * n_outputs), tuples, n_outputs)


def _interaction(
    grid: CellGrid,
    table: CellTable,
    method: str,
    kind: Any,
    margins: dict[int, NDArray[np.float64]],
    buffer: NDArray[np.float64],
) -> Interaction:
    features = table.features.tolist()
    cells = tuple(grid.cells[f] for f in features)
    one = len(table.baseline) == 1
    value, weight = outputs_last(table.value), outputs_last(table.weight)
    baseline = float(table.baseline[0]) if one else table.baseline
    return Interaction(
        features=tuple(part.feature for part in cells),
        cells=cells,
        value=value,
        spread=outputs_last(table.spread),
        weight=weight,
        baseline=baseline,
        h2=float(table.h2[0]) if one else table.h2,
        term_sd=float(table.term_sd[0]) if one else table.term_sd,
        alone=tuple(margins[f] for f in features) if margins else (),
        method=method,
        outputs=grid.ensemble.outputs,
        kind=kind,
        _effect=LazyTable(partial(np.subtract, value, baseline, outputs_last(buffer))),
        _interaction=LazyTable(partial(purify_outputs, value, weight, len(table.baseline))),
    )
