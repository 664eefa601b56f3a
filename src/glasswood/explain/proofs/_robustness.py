"""robustness: how far every feature of a row may move before its class can change."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import check_at_least, whole_number
from glasswood.ensemble import Ensemble, align
from glasswood.errors import UnsupportedModelError
from glasswood.explain.proofs._cells import FeatureCells, Value
from glasswood.explain.proofs._compiled import largest_sum
from glasswood.explain.proofs._costs import Costs, Reach, make_costs, reaches_of
from glasswood.explain.proofs._goals import Target, class_at, class_target, classes_of
from glasswood.explain.proofs._greedy import raw_at
from glasswood.explain.proofs._pieces import cells_and_pieces
from glasswood.explain.proofs._search import Limits
from glasswood.readers import as_ensemble
from glasswood.results import Robustness
from glasswood.tables import Table, frame_kind


def robustness(model: Any, X: Table, *, max_nodes: int = 2_000, time_limit: float | None = None) -> Robustness:
    """Largest distance, for each row, within which its class cannot change: exact, or a true lower bound.

    Every feature may move by less than this distance times its scale, all at once. The scale of a number is the mean
    distance from its median in X; another level is at distance 1. Values do not become missing, or levels that the
    model does not know.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `glasswood.read` takes; it must predict classes.
    X : table
        Rows to ask about; they also give features their scale. Numbers may leave the range of X.
    max_nodes : int
        Number of boxes after which each search of a row ends.
    time_limit : float, optional
        Seconds after which all searches end; each row gets an equal share of what is left. The result then depends on
        the speed of the machine.

    Returns
    -------
    Robustness

    Examples
    --------
    >>> import glasswood as gw
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [3.0], [4.0]])
    >>> tree = gw.TreeClassifier(max_depth=1).fit(X, [0, 0, 1, 1])
    >>> gw.robustness(tree, X).epsilon.round(3)
    array([1.333, 0.667, 0.667, 1.333])
    """
    max_nodes = whole_number("max_nodes", max_nodes, 1)
    if time_limit is not None:
        check_at_least("time_limit", time_limit)
    ensemble = as_ensemble(model, X)
    classes = classes_of(ensemble)
    if len(classes) == 1:
        raise UnsupportedModelError(f"the model knows one class only, {classes[0]}, so no row can change its class")
    if not classes:
        raise UnsupportedModelError(
            "robustness is about classes, and this model predicts numbers; use gw.counterfactuals with a range"
        )
    cells, _, leaves = cells_and_pieces(ensemble)
    rows = align(X, ensemble.features)
    columns = [rows.column(j) for j in range(len(cells))]
    reaches = [Reach(reach.scale) for reach in reaches_of(ensemble, cells, X)] if rows.n_rows else []
    now = class_at(ensemble, ensemble._plan().predict_raw(rows.data, 1)) if rows.n_rows else np.zeros(0, dtype=np.intp)
    targets = {
        (own, other): class_target(ensemble, leaves, other, own)
        for own in np.unique(now).tolist()
        for other in range(len(classes))
        if other != own
    }
    epsilon, found = np.full(rows.n_rows, np.inf), np.full(rows.n_rows, np.inf)
    witnesses: list[dict[str, Value] | None] = []
    limits = Limits.of(max_nodes, time_limit)
    for i in range(rows.n_rows):
        values = tuple(feature.value_of(column[i].item()) for feature, column in zip(cells, columns, strict=True))
        costs = make_costs(cells, values, reaches, frozenset(), {})
        radius = _Radius(ensemble, cells, costs, limits.share(rows.n_rows - i))
        for other in range(len(classes)):
            if other != now[i]:
                radius.search(targets[int(now[i]), other])
        epsilon[i], found[i] = radius.proven, radius.reached
        witnesses.append(radius.row([feature.name for feature in cells]))
    return Robustness(
        epsilon=epsilon,
        found=found,
        rows=tuple(witnesses),
        classes=tuple(str(classes[k]) for k in now.tolist()),
        kind=frame_kind(X),
    )


class _Radius:
    """The search about one row: how far is proved, and how near a row of another class was found."""

    def __init__(self, ensemble: Ensemble, cells: list[FeatureCells], costs: Costs, limits: Limits) -> None:
        self.ensemble, self.cells, self.costs, self.limits = ensemble, cells, costs, limits
        every = np.concatenate([np.zeros(0), *(prices[np.isfinite(prices)] for prices in costs.cost)])
        # a tiny change over a large scale costs 0, like none
        free_moves = np.count_nonzero(every == 0) > len(costs.cost)
        self.radii = np.unique(every if free_moves else every[every > 0])
        self.proven = np.inf  # the class cannot change at a smaller distance
        self.reached = np.inf
        self.point: tuple[int, ...] = ()

    def search(self, target: Target) -> None:
        """Look for a nearer row of another class: at growing distances of cells, then by bisection.

        Small boxes are searched fast, so distances grow from the least; a row that is found limits them.
        """
        low, step = -1, 16  # the last that is excluded
        high = top = self._last_before(self.reached)  # the last that matters
        while low < high:
            middle = min(low + step, (low + high + 1) // 2)
            if self._excluded(target, float(self.radii[middle])):
                low = middle
                step *= 2
            else:
                high = min(middle - 1, self._last_before(self.reached))
        if low < top:
            self.proven = min(self.proven, float(self.radii[low + 1]))

    def _last_before(self, distance: float) -> int:
        return int(np.searchsorted(self.radii, distance)) - 1

    def row(self, names: list[str]) -> dict[str, Value] | None:
        """The nearest row of another class that was found."""
        if not self.point:
            return None
        there = (values[cell] for values, cell in zip(self.costs.values, self.point, strict=True))
        return dict(zip(names, there, strict=True))

    def _excluded(self, target: Target, radius: float) -> bool:
        """Whether it is proved that no row within a distance meets the target; one that does is kept."""
        (goal,) = target.goals
        domain = [prices <= radius for prices in self.costs.cost]
        # rounding may hide on which side of the goal a row is: first look for any row near it, then for a sure one
        for least in (goal.least - goal.slack, goal.least + goal.slack):
            below = float(np.nextafter(least, -np.inf))
            found = largest_sum(self.ensemble, goal.start, goal.value, domain, self.limits, enough=below)
            if found.bound <= below:
                return least == goal.least - goal.slack
            if found.value > below and self._met(target, found.point):
                distance = max(float(prices[cell]) for prices, cell in zip(self.costs.cost, found.point, strict=True))
                if distance < self.reached:
                    self.reached, self.point = distance, found.point
                return False
        return False

    def _met(self, target: Target, point: tuple[int, ...]) -> bool:
        raw: NDArray[np.float64] = raw_at(self.ensemble, self.cells, self.costs, np.array([point], dtype=np.int64))
        return bool(target.met(raw)[0])
