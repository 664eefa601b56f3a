"""counterfactuals: the nearest rows that get another prediction."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import check_at_least, check_choice, check_feature_name, whole_number
from glasswood.ensemble import Ensemble
from glasswood.errors import OptionError
from glasswood.explain.proofs._cells import FeatureCells, Value
from glasswood.explain.proofs._costs import DIRECTIONS, Costs, Reach, make_costs, reaches_of, read_row
from glasswood.explain.proofs._goals import Target, make_target
from glasswood.explain.proofs._greedy import raw_at, step_by_step
from glasswood.explain.proofs._nearest import Nearest, Point, distance_of, nearest
from glasswood.explain.proofs._pieces import cells_and_pieces
from glasswood.explain.proofs._search import Limits
from glasswood.readers import as_ensemble
from glasswood.results import Counterfactuals
from glasswood.tables import FrameKind, Table, frame_kind

_FIRST_SHARE = 0.3  # of the distance of a row found step by step: how far the first search looks
_GROWTH = 1.2  # from one search to the next


def counterfactuals(
    model: Any,
    row: Any,
    target: Any,
    *,
    fixed: Sequence[str] = (),
    directions: Mapping[str, str] | None = None,
    distance: str = "scaled_l1",
    k: int = 1,
    X: Table | None = None,
    max_nodes: int = 20_000,
    time_limit: float | None = None,
) -> Counterfactuals:
    """Find the nearest row with another prediction: which features to change, to what, and proof that none is nearer.

    The search is exact. If it ends early, the row it holds does what is wanted, and no such row is nearer than the
    bound. If no row can get the prediction, that is proved.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `glasswood.read` takes.
    row : mapping, sequence or table
        The row to start from: values by feature, values in the order of the features, or a table of one row.
    target : class, number or (low, high)
        A class of the model: the class that has the largest raw, of equal ones the first. A number: the prediction
        must reach or pass it, from the side on which it is now. A range: the prediction must lie in it, ends
        included; None means no limit.
    fixed : sequence of str
        Features that may not change.
    directions : mapping, optional
        Features that may only ``"rise"`` or ``"fall"``, such as ``{"age": "rise"}``.
    distance : {"scaled_l1"}
        Sum over the features of the change, divided by the scale of the feature: the mean distance from the median, of
        X or, without it, of the thresholds of the model. Another level costs 1.
    k : int
        How many rows to find. None of them changes all the features that a nearer one changes.
    X : table, optional
        Rows that give features their scale. Numbers then stay between the least and the largest of X, are whole if
        all of X are, and levels are those of X.
    max_nodes : int
        Number of boxes after which the search ends.
    time_limit : float, optional
        Seconds after which the search ends. The result then depends on the speed of the machine.

    Returns
    -------
    Counterfactuals

    Examples
    --------
    >>> import glasswood as gw
    >>> import numpy as np
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> tree = gw.TreeRegressor(max_depth=2).fit(X, [0.0, 1.0, 2.0, 6.0])
    >>> found = gw.counterfactuals(tree, [0.0, 0.0], 2.0, X=X)
    >>> found.changes, found.status
    (({'x1': (0.0, 1.0)},), 'proven')
    >>> gw.counterfactuals(tree, [0.0, 0.0], 7.0).status
    'impossible'
    """
    check_choice("distance", distance, ("scaled_l1",))
    k, max_nodes = whole_number("k", k, 1), whole_number("max_nodes", max_nodes, 1)
    if time_limit is not None:
        check_at_least("time_limit", time_limit)
    search = prepare_counterfactuals(as_ensemble(model, X), X)
    ways = {} if directions is None else directions
    return search(row, target, fixed=fixed, directions=ways, k=k, limits=Limits.of(max_nodes, time_limit))


@dataclass(frozen=True, slots=True, eq=False)
class CounterfactualSearch:
    """What searches from several rows of one model share."""

    ensemble: Ensemble
    cells: Sequence[FeatureCells]
    leaves: NDArray[np.int64]
    reaches: Sequence[Reach]
    kind: FrameKind | None

    def __call__(
        self,
        row: Any,
        target: Any,
        *,
        fixed: Sequence[str] = (),
        directions: Mapping[str, str] = MappingProxyType({}),
        k: int = 1,
        limits: Limits,
    ) -> Counterfactuals:
        """Search from one row; the parameters are those of `counterfactuals`."""
        ensemble, cells = self.ensemble, self.cells
        fixed = _checked_features(cells, fixed, directions)
        start = read_row(ensemble, cells, row)
        costs = make_costs(cells, start, self.reaches, frozenset(fixed), directions)
        own = np.array([costs.own], dtype=np.int64)
        wanted = make_target(ensemble, self.leaves, target, raw_at(ensemble, cells, costs, own))
        points, bound, n_nodes = _search(ensemble, cells, costs, wanted, k, limits)
        rows = [_values(costs, point) for point in points]
        every = np.array([costs.own, *points], dtype=np.int64)
        raw = raw_at(ensemble, cells, costs, every)
        known = ensemble.link.kind.value != "none"
        names = ensemble.feature_names
        return Counterfactuals(
            row=dict(zip(names, start, strict=True)),
            rows=tuple(dict(zip(names, values, strict=True)) for values in rows),
            distance=np.array([_distance(costs, point) for point in points]),
            bound=bound,
            raw=raw,
            prediction=ensemble.link.inverse(raw, objective=ensemble.source.objective, notes=ensemble.source.notes)
            if known
            else None,
            cost=tuple(
                {
                    name: float(prices[cell])
                    for name, prices, cell in zip(names, costs.cost, point, strict=True)
                    if prices[cell] > 0
                }
                for point in points
            ),
            asked=k,
            target=wanted.words,
            outputs=ensemble.outputs,
            n_nodes=n_nodes,
            kind=self.kind,
        )


def prepare_counterfactuals(ensemble: Ensemble, X: Table | None) -> CounterfactualSearch:
    """Read the cells and the scales of the features once, for searches from several rows."""
    cells, _, leaves = cells_and_pieces(ensemble)
    kind = None if X is None else frame_kind(X)
    return CounterfactualSearch(ensemble, cells, leaves, reaches_of(ensemble, cells, X), kind)


def _search(
    ensemble: Ensemble,
    cells: Sequence[FeatureCells],
    costs: Costs,
    wanted: Target,
    k: int,
    limits: Limits,
) -> tuple[tuple[Point, ...], float, int]:
    """Points, nearest first; a bound of the distance of every other that counts; boxes looked at.

    The search is limited to a distance that grows until `k` points are found, because a small limit leaves few cells
    open and is searched fast. It starts below that of a row found step by step, which is never nearer than the nearest.
    """

    def met(point: Point) -> bool:
        return bool(wanted.met(raw_at(ensemble, cells, costs, np.array([point], dtype=np.int64)))[0])

    if met(costs.own):
        return (costs.own,), 0.0, 0
    if any(goal.least == np.inf for goal in wanted.goals):  # no raw has such a prediction
        return (), np.inf, 0
    guess = step_by_step(ensemble, cells, costs, wanted)
    furthest = distance_of([prices[np.isfinite(prices)].max() for prices in costs.cost])
    known = np.inf if guess is None else _distance(costs, guess)
    reach = min(furthest, known) * _FIRST_SHARE
    spent, passed, bound = 0, 0.0, 0.0
    points: tuple[Point, ...] = ()
    while True:
        left = Limits(max(limits.max_nodes - spent, 0), limits.deadline)
        whole = reach >= furthest
        found: Nearest = nearest(ensemble, wanted.goals, costs.cost, met, left, k=k, reach=np.inf if whole else reach)
        spent += found.n_nodes
        if len(found.points) >= len(points):
            points, bound = found.points, max(found.bound, passed)
        if len(points) == k or whole or np.isfinite(found.bound):
            break
        bound = passed = reach
        further = _further(reach, costs)
        # the row found step by step is within reach at its own distance
        reach = known if reach < known <= further else further
    if not points and guess is not None:  # the search ended before it found a nearer one
        points = (guess,)
    return points, bound, spent


def _further(reach: float, costs: Costs) -> float:
    """The next distance to look at: larger even if `reach` is 0 or too small to grow by a factor."""
    ahead = min((float(prices[prices > reach].min(initial=np.inf)) for prices in costs.cost), default=np.inf)
    least = float(np.nextafter(reach, np.inf))
    return max(reach * _GROWTH, least, ahead * _FIRST_SHARE if np.isfinite(ahead) else 0.0)


def _distance(costs: Costs, point: Point) -> float:
    return distance_of([prices[cell] for prices, cell in zip(costs.cost, point, strict=True)])


def _values(costs: Costs, point: Point) -> tuple[Value, ...]:
    return tuple(values[cell] for values, cell in zip(costs.values, point, strict=True))


def _checked_features(
    cells: Sequence[FeatureCells], fixed: Iterable[str], directions: Mapping[str, str]
) -> tuple[str, ...]:
    """The names in `fixed`; raises if one of them or a direction does not fit the model."""
    if isinstance(fixed, str):
        raise OptionError(f"fixed is a sequence of names; write [{fixed!r}]")
    if not isinstance(fixed, Iterable):
        raise OptionError(f"fixed is a sequence of names; got {fixed!r}")
    if not isinstance(directions, Mapping):
        raise OptionError(f"directions is a mapping such as {{'age': 'rise'}}; got {directions!r}")
    fixed = tuple(fixed)  # an iterator can be read only once
    names = [feature.name for feature in cells]
    categories = {feature.name for feature in cells if feature.levels is not None}
    for what, given in (("fixed", fixed), ("directions", directions)):
        for name in given:
            check_feature_name(name, names, what)
    for name, way in directions.items():
        if name in categories:
            raise OptionError(f"directions: feature {name!r} is a category, which has no order")
        check_choice(f"directions[{name!r}]", way, DIRECTIONS)
    return fixed
