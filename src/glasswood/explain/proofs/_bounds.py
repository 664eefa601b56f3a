"""bounds: the least and the largest raw of a model, proved."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import check_at_least, whole_number
from glasswood.ensemble import Ensemble, LinkKind
from glasswood.explain.proofs._compiled import largest_sum
from glasswood.explain.proofs._domain import Domain, make_domain
from glasswood.explain.proofs._goals import leaf_values
from glasswood.explain.proofs._pieces import Pieces, cells_and_pieces
from glasswood.explain.proofs._search import Found, Limits, ordered_sum
from glasswood.readers import as_ensemble
from glasswood.results import Bounds
from glasswood.tables import frame_kind

_ONE_BY_ONE = (LinkKind.IDENTITY, LinkKind.LOG, LinkKind.LOGIT, LinkKind.OVA)  # links that rise with raw, per output


def bounds(model: Any, domain: Any = None, *, max_nodes: int = 20_000, time_limit: float | None = None) -> Bounds:
    """Least and largest raw that the model can give, and rows that have them: exact, or a true bound.

    A branch and bound search over the boxes of the leaves. If it ends before it has proved its answer, the bounds it
    holds are still true for every row.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `glasswood.read` takes.
    domain : mapping or table, optional
        The rows about which something is proved; by default all. A mapping limits features: ``{"age": (18, 65)}`` to a
        range that includes its ends, ``{"sex": ["female"]}`` to values (None is missing), ``{"pclass": 3}`` to one.
        A table limits every feature to its range, or its levels, in the table. A feature that is not limited may have
        any value, also an unseen level, and may be missing if the model has learnt where missing values go.
    max_nodes : int
        Number of boxes after which each search ends.
    time_limit : float, optional
        Seconds after which all searches end; each gets an equal part of the time that is left, and one that has none
        left gives the sum of the best leaves. Reading the leaves of the model, once, and merging its trees, once for
        each search, come first and are not cut short: about a second each for 20,000 leaves. The result then depends
        on the speed of the machine.

    Returns
    -------
    Bounds

    Examples
    --------
    >>> import glasswood as gw
    >>> import numpy as np
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> tree = gw.TreeRegressor(max_depth=2).fit(X, [0.0, 1.0, 2.0, 6.0])
    >>> found = gw.bounds(tree)
    >>> found.low, found.high, found.proven
    (array([0.]), array([6.]), True)
    >>> gw.bounds(tree, {"x1": 0}).high
    array([1.])
    """
    max_nodes = whole_number("max_nodes", max_nodes, 1)
    if time_limit is not None:
        check_at_least("time_limit", time_limit)
    ensemble = as_ensemble(model)
    return find_bounds(ensemble, domain, Limits.of(max_nodes, time_limit))


def find_bounds(ensemble: Ensemble, domain: Any, limits: Limits) -> Bounds:
    """Bounds of every output."""
    cells, _, leaves = cells_and_pieces(ensemble)
    space = make_domain(ensemble, cells, domain)
    ends: dict[str, list[Found]] = {"low": [], "high": []}
    for output in range(ensemble.n_outputs):
        value = leaf_values(ensemble, leaves, output)
        start = float(ensemble.baseline[output])
        left = 2 * (ensemble.n_outputs - output)  # searches
        ends["high"].append(_largest(ensemble, space, start, value, limits.share(left)))
        ends["low"].append(_largest(ensemble, space, -start, -value, limits.share(left - 1)))
    low, high = (-np.array([found.bound for found in ends["low"]]), np.array([found.bound for found in ends["high"]]))
    return Bounds(
        low=low + 0.0,
        high=high + 0.0,
        found_low=-np.array([found.value for found in ends["low"]]) + 0.0,
        found_high=np.array([found.value for found in ends["high"]]) + 0.0,
        row_low=tuple(_row(space, found) for found in ends["low"]),
        row_high=tuple(_row(space, found) for found in ends["high"]),
        prediction_low=_prediction(ensemble, low),
        prediction_high=_prediction(ensemble, high),
        outputs=ensemble.outputs,
        n_nodes=sum(found.n_nodes for side in ends.values() for found in side),
        kind=None if domain is None or isinstance(domain, Mapping) else frame_kind(domain),
    )


def _largest(ensemble: Ensemble, space: Domain, start: float, value: NDArray[np.float64], limits: Limits) -> Found:
    """The largest sum, searched; without a search if no time is left."""
    if limits.seconds_left > 0:
        return largest_sum(ensemble, start, value, space.allowed, limits)
    _, pieces, _ = cells_and_pieces(ensemble)
    best = np.maximum.reduceat(value, pieces.start) if len(pieces) else value
    point = tuple(int(np.argmax(flags)) for flags in space.allowed)
    reached = pieces.at(np.ones(len(pieces), dtype=bool), point)
    return Found(ordered_sum(start, value[reached]), point, ordered_sum(start, best), 0)


def pieces_of_output(ensemble: Ensemble, pieces: Pieces, leaves: NDArray[np.int64], output: int) -> Pieces:
    """Pieces of the trees that add to an output, with what they add."""
    width = ensemble.value.shape[1]
    column = output - ensemble.tree_output
    trees = np.flatnonzero((column >= 0) & (column < width))
    of_leaf = np.repeat(column, pieces.end - pieces.start)
    value: NDArray[np.float64] = ensemble.value[leaves, np.clip(of_leaf, 0, width - 1)]
    return pieces.with_value(value).of_trees(trees)


def _row(space: Domain, found: Found) -> dict[str, Any]:
    return dict(zip((cells.name for cells in space.cells), space.row(found.point), strict=True))


def _prediction(ensemble: Ensemble, raw: NDArray[np.float64]) -> NDArray[np.float64] | None:
    if ensemble.link.kind not in _ONE_BY_ONE:
        return None
    found: NDArray[np.float64] = ensemble.link.inverse(
        raw[None, :], objective=ensemble.source.objective, notes=ensemble.source.notes
    )[0]
    return found
