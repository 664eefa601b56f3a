"""interactions: joint tables of features, and what they do beyond fewer of them."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from glasswood._jobs import resolve_n_jobs
from glasswood.explain._grid import Grid, make_grid
from glasswood.explain._progress import Progress
from glasswood.explain._request import check_cells, resolve_method, resolve_tuples
from glasswood.explain._rows import gather, open_rows
from glasswood.explain._tables import Table as CellTable
from glasswood.explain._tables import make_tables
from glasswood.results import Interaction, Interactions, outputs_last, weighted_mean
from glasswood.tables import Table


def interactions(
    model: Any,
    X: Table | Iterator[Table] | None = None,
    *,
    features: Sequence[str | int] | None = None,
    pairs: Sequence[Sequence[str | int]] | None = None,
    degree: int = 2,
    method: str = "auto",
    sample_weight: Any = None,
    max_cells: int = 50_000_000,
    n_jobs: int | None = None,
    progress: bool = False,
) -> Interactions:
    """Joint tables of pairs of features, or of more, exact at every threshold of the model.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `glasswood.read` takes.
    X : table or iterator of tables, optional
        Rows to average over, and to weigh the cells by.
    features : list of str or int, optional
        All combinations of these features; by default of all.
    pairs : list of tuples of str or int, optional
        The combinations themselves, each of `degree` features.
    degree : int
        Number of features of a table, at least 2.
    method : str
        As in `effects`.
    sample_weight : array, or iterator of arrays, optional
        Weight of each row of X.
    max_cells : int
        Refuse, before computing, tables that have more cells than this in all.
    n_jobs : int, optional
        Threads; None is 1, −1 all cores. The result is equal to the bit for any value.
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
    n_threads = resolve_n_jobs(n_jobs)
    ensemble, rows = open_rows(model, X, sample_weight)
    tuples = resolve_tuples(features, pairs, degree, ensemble, max_cells)
    method = resolve_method(method, ensemble, rows is not None)
    grid = make_grid(ensemble)
    check_cells(grid, tuples, max_cells)
    sums = None if rows is None else gather(grid, tuples, method, rows, n_threads, progress)
    found: list[Interaction] = []
    kind = None if rows is None else rows.kind
    with Progress("interactions", len(tuples), show=progress) as bar:
        for group in make_tables(grid, tuples, method, sums, n_threads):
            found.extend(_interaction(grid, table, method, kind) for table in group)
            bar.step(len(group))
    return Interactions(
        tables=tuple(found),
        names=ensemble.feature_names,
        degree=tuples.shape[1],
        method=method,
        outputs=ensemble.outputs,
        kind=kind,
    )


def _interaction(grid: Grid, table: CellTable, method: str, kind: Any) -> Interaction:
    cells = tuple(grid.cells[f] for f in table.features.tolist())
    base = np.array([weighted_mean(v, w) for v, w in zip(table.value, table.weight, strict=True)])
    one = len(base) == 1
    return Interaction(
        features=tuple(part.feature for part in cells),
        cells=cells,
        value=outputs_last(table.value),
        spread=outputs_last(table.spread),
        weight=outputs_last(table.weight),
        baseline=float(base[0]) if one else base,
        h2=float(table.h2[0]) if one else table.h2,
        method=method,
        outputs=grid.ensemble.outputs,
        kind=kind,
    )
