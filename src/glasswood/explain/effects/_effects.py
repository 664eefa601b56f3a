"""effects: how raw depends on each feature, cell by cell."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from glasswood._jobs import resolve_n_jobs
from glasswood._progress import Progress
from glasswood.explain.effects._cell_grid import CellGrid, make_grid
from glasswood.explain.effects._request import resolve_features, resolve_method
from glasswood.explain.effects._row_stream import RowCounter, open_rows
from glasswood.explain.effects.estimands import CellTable, Tuples, make_estimand
from glasswood.results import Effects, FeatureEffect, outputs_last
from glasswood.tables import Table


def effects(
    model: Any,
    X: Table | Iterator[Table] | RowCounter | None = None,
    *,
    features: Sequence[str | int] | None = None,
    method: str = "auto",
    sample_weight: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> Effects:
    """Effect of each feature on raw, exact at every threshold of the model.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `glasswood.read` takes.
    X : table or iterator of tables, optional
        Rows to average over; they also give the weights of the cells.
    features : list of str or int, optional
        Names or positions; by default all.
    method : str
        ``"interventional"``: partial dependence over the rows of X (the default with X). ``"path"``: with training
        weights instead of rows (the default without). ``"observed"``: mean prediction of the rows in each cell.
        ``"shared"``, ``"leafmean"`` and ``"treemind"`` are published interval formulas.
    sample_weight : array, or iterator of arrays, optional
        Weight of each row of X.
    n_jobs : int, optional
        Threads; None is 1, −1 all cores. The result has the same bits for any number.
    progress : bool
        Show a bar on stderr.

    Returns
    -------
    Effects

    Examples
    --------
    >>> import glasswood as gw
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> tree = DecisionTreeRegressor(max_depth=1).fit(X, [1.0, 1.0, 5.0, 5.0])
    >>> gw.effects(tree, X)["x0"].effect[:2]
    array([-2.,  2.])
    """
    n_threads = resolve_n_jobs(n_jobs)
    ensemble, rows = open_rows(model, X, sample_weight)
    chosen = resolve_features(features, ensemble)
    method = resolve_method(method, ensemble, rows is not None)
    grid = make_grid(ensemble)
    tuples = Tuples(grid, np.array(chosen, dtype=np.int32).reshape(-1, 1), n_threads)
    estimand = make_estimand(method, tuples, rows, progress=progress)
    found: list[FeatureEffect] = []
    kind = None if rows is None else rows.kind
    with Progress("effects", len(tuples), show=progress) as bar:
        for some in tuples.groups():
            group = estimand.singles(some)
            found.extend(_feature_effect(grid, table, method, kind) for table in group)
            bar.step(len(group))
    return Effects(
        features=tuple(found), names=ensemble.feature_names, method=method, outputs=ensemble.outputs, kind=kind
    )


def _feature_effect(grid: CellGrid, table: CellTable, method: str, kind: Any) -> FeatureEffect:
    cells = grid.cells[int(table.features[0])]
    base = table.baseline
    return FeatureEffect(
        feature=cells.feature,
        cells=cells,
        value=outputs_last(table.value),
        effect=outputs_last(table.value - base[:, None]),
        spread=outputs_last(table.spread),
        weight=outputs_last(table.weight),
        baseline=float(base[0]) if len(base) == 1 else base,
        method=method,
        outputs=grid.ensemble.outputs,
        kind=kind,
    )
