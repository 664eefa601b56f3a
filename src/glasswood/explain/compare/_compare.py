"""compare: two models and rows → Comparison."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._exact import exact_column_means, exact_sum
from glasswood._jobs import resolve_n_jobs
from glasswood.ensemble import Ensemble, align, one_output
from glasswood.errors import TableError
from glasswood.explain.compare._agreement import class_changes, correlations, losses, quantiles
from glasswood.explain.compare._comparison import Comparison
from glasswood.explain.compare._difference import difference, open_model
from glasswood.explain.compare._model_columns import columns_for
from glasswood.explain.effects import count_usage, effects, interactions, ledger, make_grid
from glasswood.explain.proofs import Limits, find_bounds
from glasswood.explain.rules import RuleSet, find_rules
from glasswood.results import Ranking
from glasswood.tables import Table, frame_kind, read_weight, replayable

_ROWS, _PAIRS, _RULES = 10, 10, 8  # shown at most
_PAIR_CELLS = 2_000_000  # tables of pairs with more cells are left out
_NODES = 2_000  # boxes of the search for the largest difference; fewer if a box takes long
_WORK = 5_000_000  # leaves that this search may visit; a feature costs a box as much as 200 leaves
_MIN_NODES = 20


def compare(
    a: Any,
    b: Any,
    X: Table,
    y: Any = None,
    *,
    scale: str = "auto",
    sample_weight: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> Comparison:
    """Compare two models: how far they agree, which is closer to y, and what the difference runs through.

    Everything but the losses is about raw of a minus raw of b, the raw of `difference(a, b)`.

    Parameters
    ----------
    a, b : fitted model, path or Ensemble
        Anything `glasswood.read` takes; they may come from different libraries.
    X : table
        Rows with the columns of both models.
    y : array, (n_rows,), optional
        Their targets, for the loss of both models: log loss for classes, else squared error.
    scale : str
        ``"raw"`` compares models with different links, which ``"auto"`` refuses.
    sample_weight : array, (n_rows,), optional
    n_jobs : int, optional
        Threads; None is 1, −1 all cores. The result has the same bits for any number.
    progress : bool
        Show bars on stderr.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import glasswood as gw
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> y = [0.0, 0.0, 4.0, 6.0]
    >>> small, large = (gw.TreeRegressor(max_depth=d).fit(X, y) for d in (1, 2))
    >>> found = gw.compare(large, small, X, y)
    >>> found.mean, found.sd, found.loss.difference
    (array([0.]), array([0.70710678]), -0.5)
    """
    return compare_models(
        a, b, X, y, scale=scale, sample_weight=sample_weight, n_jobs=n_jobs, progress=progress, with_rules=True
    )


def compare_models(
    a: Any,
    b: Any,
    X: Table,
    y: Any,
    *,
    scale: str,
    sample_weight: Any,
    n_jobs: int | None,
    progress: bool,
    with_rules: bool,
) -> Comparison:
    """`compare`; the search for rules can be left to the caller."""
    n_threads = resolve_n_jobs(n_jobs)
    X = replayable(X)
    change = difference(a, b, X, scale=scale)
    models = open_model(a, X), open_model(b, X)
    rows = columns_for(X, change.features)
    raws = tuple(_raw(model, columns_for(X, model.features), n_threads) for model in models)
    moved = _raw(change, rows, n_threads)
    if not len(moved):
        raise TableError("compare needs rows: X has none")
    given = read_weight(sample_weight, len(moved))
    weight = np.ones(len(moved)) if given is None else given
    if not exact_sum(weight) > 0:
        raise TableError("sample_weight is 0 in every row")
    same_order = raws[1] if change.n_outputs == 1 else raws[1][:, [models[1].outputs.index(o) for o in change.outputs]]
    mean = exact_column_means(moved, weight)
    sd = np.sqrt(exact_column_means((moved - mean) ** 2, weight))
    shared: dict[str, Any] = {"sample_weight": given, "n_jobs": n_jobs, "progress": progress}
    largest = np.argsort(-np.where(weight > 0, np.abs(moved).max(axis=1), -1.0), kind="stable")[:_ROWS]
    return Comparison(
        n_rows=len(moved),
        outputs=change.outputs,
        correlation=correlations(raws[0], same_order, weight),
        mean=mean,
        sd=sd,
        quantiles=quantiles(moved, weight),
        class_changes=class_changes(*models, (raws[0], raws[1]), weight),
        loss=None if y is None else losses(*models, (raws[0], raws[1]), y, weight),
        importance=effects(change, rows, **shared).importance(),
        pairs=_pairs(change, rows, shared),
        ledger=ledger(change, rows, **shared),
        rules=_rules(change, rows, moved, sd, shared) if with_rules else None,
        rows=largest,
        row_raw=np.stack([raws[0][largest], same_order[largest]]),
        bounds=find_bounds(change, None, Limits.of(_boxes(change), None)),
        difference=change,
        kind=frame_kind(X),
    )


def _boxes(change: Ensemble) -> int:
    """Boxes to look at: the bounds hold for any number of them, and more boxes make them narrower."""
    box = int(np.count_nonzero(change.feature < 0)) + 200 * len(change.features)
    return int(np.clip(_WORK // box, _MIN_NODES, _NODES))


def _raw(model: Ensemble, X: Table, n_threads: int) -> NDArray[np.float64]:
    return model._plan().predict_raw(align(X, model.features).data, n_threads)


def _pairs(change: Ensemble, rows: Table, shared: dict[str, Any]) -> Ranking | None:
    """Interactions of the pairs that most leaves use."""
    pairs, n_leaves = count_usage(change, 2)
    order = np.argsort(-n_leaves, kind="stable")
    chosen = pairs[order[n_leaves[order] > 0]]
    if not len(chosen):
        return None
    fits = make_grid(change).n_cells(chosen) * change.n_outputs <= _PAIR_CELLS
    chosen = chosen[fits][:_PAIRS]
    if not len(chosen):
        return None
    return interactions(change, rows, pairs=chosen.tolist(), **shared).ranking()


def _rules(
    change: Ensemble, rows: Table, moved: NDArray[np.float64], sd: NDArray[np.float64], shared: dict[str, Any]
) -> RuleSet | None:
    """Where the models differ: rules for the output that differs most; None if nothing differs."""
    output = int(np.argmax(sd))
    if not sd[output] > 0:
        return None
    return find_rules(one_output(change, output), rows, moved[:, output], max_rules=_RULES, **shared)
