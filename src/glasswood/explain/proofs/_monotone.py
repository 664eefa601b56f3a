"""monotone: whether raw rises or falls with a feature, proved or refuted by two rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import check_at_least, feature_position, whole_number
from glasswood.ensemble import Ensemble
from glasswood.errors import OptionError, UnsupportedModelError
from glasswood.explain.proofs._bounds import pieces_of_output
from glasswood.explain.proofs._cells import as_columns
from glasswood.explain.proofs._domain import Domain, make_domain
from glasswood.explain.proofs._pieces import cells_and_pieces
from glasswood.explain.proofs._search import Found, Limits, largest
from glasswood.explain.proofs._steps import ChangedTree, StepPieces, most_of_trees, step_pieces, whole_values
from glasswood.readers import as_ensemble
from glasswood.results import MonotoneProof, output_index


def monotone(
    model: Any,
    feature: str | int,
    domain: Any = None,
    *,
    output: str | int | None = None,
    max_nodes: int = 20_000,
    time_limit: float | None = None,
) -> MonotoneProof:
    """Prove that raw never falls, or never rises, when a numeric feature grows and all others stay; or show two rows.

    Proofs hold for the exact sum of the leaf values; a prediction, which is rounded, may differ in its last digits.
    Missing values have no order and are left out.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `glasswood.read` takes.
    feature : str or int
        Name or position of a number.
    domain : mapping or table, optional
        The rows about which something is proved, as in `bounds`; by default all.
    output : str or int, optional
        Which output, if the model has several.
    max_nodes : int
        Number of boxes after which the search ends, for each direction.
    time_limit : float, optional
        Seconds after which the search ends; each step from an interval to the next gets an equal part of the time that
        is left, and once it is over a step is bounded by the sum of what each tree can add. Reading the leaves of the
        model, once, comes first and is not cut short. The result then depends on the speed of the machine.

    Returns
    -------
    MonotoneProof
        Its `verdict` is ``"rises"``, ``"falls"``, ``"constant"``, ``"neither"`` or ``"undecided"``. ``"rises"`` says
        that raw never falls; if the search ended early, it may never rise either (`rows_rise` is then None).

    Examples
    --------
    >>> import glasswood as gw
    >>> import numpy as np
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> tree = gw.TreeRegressor(max_depth=2).fit(X, [0.0, 3.0, 4.0, 2.0])
    >>> gw.monotone(tree, "x0").verdict, gw.monotone(tree, "x0", {"x1": 0}).verdict
    ('neither', 'rises')
    >>> gw.monotone(tree, "x0").rows_fall
    ({'x0': 0.5, 'x1': 1.5}, {'x0': 1.5, 'x1': 1.5})
    """
    max_nodes = whole_number("max_nodes", max_nodes, 1)
    if time_limit is not None:
        check_at_least("time_limit", time_limit)
    ensemble = as_ensemble(model)
    if ensemble.n_outputs > 1 and output is None:
        raise OptionError(f"the model has the outputs {', '.join(ensemble.outputs)}; choose one with output=")
    chosen = output_index(output, ensemble.outputs)[0]
    at = feature_position(feature, ensemble.feature_names)
    cells, _, _ = cells_and_pieces(ensemble)
    if cells[at].levels is not None:
        raise OptionError(f"feature {cells[at].name!r} is a category, which has no order; ask about a number")
    if cells[at].zero_is_missing:
        raise UnsupportedModelError(f"the model takes 0 of feature {cells[at].name!r} for missing, which has no order")
    space = make_domain(ensemble, cells, domain)
    limits = Limits.of(max_nodes, time_limit)
    falls, rises = _steps(ensemble, chosen, space, at, limits)
    verdict = {
        (True, True): "constant",
        (True, False): "rises",
        (False, True): "falls",
    }.get((falls.refuted, rises.refuted), "neither" if falls.points and rises.points else "undecided")
    names = [feature.name for feature in cells]
    shown = [_rows(space, names, way) for way in (rises, falls)]
    return MonotoneProof(
        feature=cells[at].name,
        verdict=verdict,
        rows_rise=shown[0],
        rows_fall=shown[1],
        raw_rise=_raw(ensemble, space, rises, chosen),
        raw_fall=_raw(ensemble, space, falls, chosen),
        largest_rise=rises.bound,
        largest_fall=falls.bound,
        output=ensemble.outputs[chosen],
        n_nodes=falls.n_nodes + rises.n_nodes,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Way:
    """What was found about steps in one direction."""

    refuted: bool  # it is proved that no step goes this way
    points: tuple[tuple[int, ...], ...]  # two points that go this way, or none
    bound: float  # no step goes further this way
    n_nodes: int


def _steps(ensemble: Ensemble, output: int, space: Domain, feature: int, limits: Limits) -> tuple[_Way, _Way]:
    """Search for a step to the next cell at which raw falls, and for one at which it rises."""
    _, pieces, leaves = cells_and_pieces(ensemble)
    some = pieces_of_output(ensemble, pieces, leaves, output)
    whole, unit = whole_values(some.value)
    steps = StepPieces(some, feature)
    missing = space.cells[feature].missing
    order = [cell for cell in np.flatnonzero(space.allowed[feature]).tolist() if cell != missing]
    ways = []
    n_left = 2 * (len(order) - 1)  # searches
    for sign in (1, -1):
        signed = [sign * value for value in whole]
        points: tuple[tuple[int, ...], ...] = ()
        most, n_nodes = 0, 0
        for before, after in pairwise(order):
            trees = steps.changed(before, after)
            at_most = most_of_trees(trees, signed)
            n_left -= 1
            if at_most <= (most if points else 0):  # a search would find nothing more
                continue
            share = limits.share(n_left + 1)
            left = Limits(max(limits.max_nodes - n_nodes, 0), share.deadline)
            found = _search_step(steps, trees, signed, space, left)
            if found is None:
                most = max(most, at_most)
                continue
            n_nodes += found.n_nodes
            most = max(most, int(found.bound))
            if found.point and found.value > 0 and not points:
                points = tuple((*found.point[:feature], cell, *found.point[feature + 1 :]) for cell in (before, after))
        ways.append(_Way(most == 0, points, _rounded_up(most, unit), n_nodes))
    return ways[0], ways[1]


def _search_step(
    steps: StepPieces, trees: Sequence[ChangedTree], whole: Sequence[int], space: Domain, limits: Limits
) -> Found | None:
    """What the trees lose at most in a step; None if the time is over before the search can begin."""
    if limits.seconds_left <= 0:
        return None
    step = step_pieces(steps, trees, whole, lambda: limits.seconds_left <= 0)
    return None if step is None else largest(step, 0, space.bits, limits, total=_exact_sum, enough=0)


def _exact_sum(start: float, parts: NDArray[Any]) -> int:
    whole: list[int] = parts.tolist()
    return sum(whole, int(start))


def _rounded_up(above: int, below: int) -> float:
    """A float that is at least the fraction."""
    nearest = above / below
    return nearest if not above else float(np.nextafter(nearest, np.inf))


def _rows(space: Domain, names: Sequence[str], way: _Way) -> Any:
    if not way.points:
        return None
    return tuple(dict(zip(names, space.row(point), strict=True)) for point in way.points)


def _raw(ensemble: Ensemble, space: Domain, way: _Way, output: int) -> tuple[float, float] | None:
    if not way.points:
        return None
    columns = as_columns(space.cells, [space.row(point) for point in way.points])
    raw = ensemble._plan().predict_raw(columns, 1)[:, output]
    return float(raw[0]), float(raw[1])
