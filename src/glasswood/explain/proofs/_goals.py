"""Goals: what a prediction must become, as sums over the trees that must reach a number."""

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble, Label, LinkKind, holds_shares
from glasswood.errors import OptionError, UnsupportedModelError

Floats = NDArray[np.float64]
_LARGEST = float(np.finfo(np.float64).max)


@dataclass(frozen=True, slots=True, eq=False)
class Goal:
    """A sum over the trees that must reach a number: raw of an output, its negative, or a difference of two raws."""

    value: Floats  # (n_pieces,) what each piece adds
    start: float
    least: float  # the sum must be at least this
    slack: float = 0.0  # how far rounding may take a prediction from the sum


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """What is wanted: all goals, the test of raw that decides, and words for it."""

    goals: tuple[Goal, ...]
    met: Callable[[Floats], NDArray[np.bool_]]  # (n_rows, n_outputs) → (n_rows,)
    margin: Callable[[Floats], Floats]  # (n_rows, n_outputs) → (n_rows,) how far it is met; only a guide
    words: str


def classes_of(ensemble: Ensemble) -> tuple[Label, ...]:
    """The classes that a model tells apart, in the order of its outputs; empty if it predicts numbers."""
    if not (ensemble.link.gives_shares or holds_shares(ensemble)) or ensemble.source.n_targets > 1:
        return ()
    if ensemble.source.classes:
        return ensemble.source.classes
    return (0, 1) if ensemble.n_outputs == 1 else ensemble.outputs


def class_at(ensemble: Ensemble, raw: Floats) -> NDArray[np.intp]:
    """Position of the class with the largest raw in each row; of equal ones the first."""
    if ensemble.n_outputs == 1:
        return (raw[:, 0] > _middle(ensemble)).astype(np.intp)
    return np.asarray(raw.argmax(axis=1))


def class_target(ensemble: Ensemble, leaves: NDArray[np.int64], chosen: int, against: int | None = None) -> Target:
    """A class is predicted; with `against`, it only has to beat that one."""
    classes = classes_of(ensemble)
    words = f"class {classes[chosen]}"
    if ensemble.n_outputs == 1:
        middle = _middle(ensemble)
        value, start = leaf_values(ensemble, leaves, 0), float(ensemble.baseline[0])
        goal = Goal(value, start, float(np.nextafter(middle, np.inf))) if chosen else Goal(-value, -start, -middle)
        sign = 1.0 if chosen else -1.0
        return Target((goal,), lambda raw: class_at(ensemble, raw) == chosen, lambda raw: sign * raw[:, 0], words)
    others = [k for k in range(ensemble.n_outputs) if k != chosen and (against is None or k == against)]
    goals = tuple(_ahead(ensemble, leaves, chosen, k) for k in others)

    def margin(raw: Floats) -> Floats:
        ahead: Floats = raw[:, chosen] - raw[:, others].max(axis=1)
        return ahead

    if against is None:
        return Target(goals, lambda raw: class_at(ensemble, raw) == chosen, margin, words)
    first = chosen < against  # of equal ones the first is predicted
    return Target(
        goals,
        lambda raw: raw[:, chosen] >= raw[:, against] if first else raw[:, chosen] > raw[:, against],
        margin,
        words,
    )


def range_target(ensemble: Ensemble, leaves: NDArray[np.int64], low: float, high: float) -> Target:
    """The prediction of the only output lies between two numbers, both included."""
    first = -np.inf if low == -np.inf else _least_raw(ensemble, low)
    last = np.inf if high == np.inf else float(np.nextafter(_least_raw(ensemble, np.nextafter(high, np.inf)), -np.inf))
    value, start = leaf_values(ensemble, leaves, 0), float(ensemble.baseline[0])
    goals = []
    if first > -np.inf:
        goals.append(Goal(value, start, first))
    if last < np.inf:
        goals.append(Goal(-value, -start, -last))
    # with few digits, "at least 0.9999999" would read "at least 1"
    words = f"a prediction from {low:.15g} to {high:.15g}"
    if low == -np.inf and high == np.inf:
        words = "any prediction"
    elif high == np.inf:
        words = f"a prediction of at least {low:.15g}"
    elif low == -np.inf:
        words = f"a prediction of at most {high:.15g}"
    return Target(
        tuple(goals),
        lambda raw: (raw[:, 0] >= first) & (raw[:, 0] <= last),
        lambda raw: np.minimum(raw[:, 0] - first, last - raw[:, 0]),
        words,
    )


def make_target(ensemble: Ensemble, leaves: NDArray[np.int64], given: Any, raw: Floats) -> Target:
    """Resolve what the caller wants; `raw` is that of the row now, (1, n_outputs)."""
    classes = classes_of(ensemble)
    given = given.item() if isinstance(given, np.generic) else given
    for k, label in enumerate(classes):
        equal = isinstance(given, str | Real) and given == label
        if equal or (type(given) is not tuple and str(given) == str(label)):
            return class_target(ensemble, leaves, k)
    if ensemble.n_outputs > 1:
        known = f"one of its classes ({', '.join(map(str, classes))})" if classes else "one output"
        raise OptionError(f"target must be {known}, because the model has {ensemble.n_outputs} outputs; got {given!r}")
    if isinstance(given, tuple):
        ends = [bound if end is None else _number(end) for end, bound in zip(given, (-np.inf, np.inf), strict=False)]
        if len(given) != 2 or not ends[0] <= ends[1]:
            raise OptionError(f"target: a range is (low, high) with low <= high, or None at an end; got {given!r}")
        return range_target(ensemble, leaves, *ends)
    wanted = _number(given)
    if not np.isfinite(wanted):
        known = f", one of its classes ({', '.join(map(str, classes))})" if classes else ""
        raise OptionError(f"target must be a number, a range (low, high){known}; got {given!r}")
    now = float(ensemble.link.inverse(raw, objective=ensemble.source.objective, notes=ensemble.source.notes)[0, 0])
    return range_target(ensemble, leaves, *((wanted, np.inf) if now <= wanted else (-np.inf, wanted)))


def _number(given: Any) -> float:
    """A number as float64; NaN for anything else, and for an integer too large for one."""
    try:
        return float(given) if isinstance(given, Real) else np.nan
    except OverflowError:
        return np.nan


def leaf_values(ensemble: Ensemble, leaves: NDArray[np.int64], output: int) -> Floats:
    """What each leaf adds to an output; 0 if its tree adds to others. Kept with the model."""
    return ensemble._cached(f"leaf values of output {output}", lambda model: _leaf_values(model, leaves, output))


def _leaf_values(ensemble: Ensemble, leaves: NDArray[np.int64], output: int) -> Floats:
    width = ensemble.value.shape[1]
    tree = np.searchsorted(ensemble.tree_start, leaves, side="right") - 1
    column = output - ensemble.tree_output[tree]
    inside = (column >= 0) & (column < width)
    found: Floats = np.where(inside, ensemble.value[leaves, np.clip(column, 0, width - 1)], 0.0)
    return found


def _ahead(ensemble: Ensemble, leaves: NDArray[np.int64], chosen: int, other: int) -> Goal:
    """Raw of a class is at least that of another one."""
    one, two = (leaf_values(ensemble, leaves, k) for k in (chosen, other))
    first = np.searchsorted(leaves, ensemble.tree_start[:-1])
    size = np.abs(one) + np.abs(two)
    largest = np.maximum.reduceat(size, first) if len(first) else np.zeros(0)
    total = float(np.add.accumulate(np.append(np.abs(ensemble.baseline[[chosen, other]]), largest))[-1])
    # each of the three sums is off by at most the number of its terms × 2⁻⁵³ × the sum of their sizes
    slack = 8.0 * (len(first) + 3) * 2.0**-53 * total
    return Goal(one - two, float(ensemble.baseline[chosen] - ensemble.baseline[other]), 0.0, slack)


def _middle(ensemble: Ensemble) -> float:
    """Raw above which the second of two classes is predicted."""
    return 0.0 if ensemble.link.kind in (LinkKind.LOGIT, LinkKind.OVA) else 0.5


def _least_raw(ensemble: Ensemble, wanted: float) -> float:
    """The least raw whose prediction is at least a number; infinity if there is none."""
    kind = ensemble.link.kind
    if kind is LinkKind.IDENTITY:
        return float(wanted)
    if kind is LinkKind.NONE:
        raise UnsupportedModelError(
            f"how {ensemble.source.objective!r} turns raw into a prediction is not known, so none can be the target"
        )

    def reaches(key: int) -> bool:
        raw = np.array([[_from_key(key)]])
        return bool(
            ensemble.link.inverse(raw, objective=ensemble.source.objective, notes=ensemble.source.notes)[0, 0] >= wanted
        )

    low, high = _to_key(-_LARGEST), _to_key(_LARGEST)
    if reaches(low):
        return -np.inf
    if not reaches(high):
        return np.inf
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return _from_key(high)


def _to_key(value: float) -> int:
    """Integers in the order of the floats."""
    bits = int(np.float64(value).view(np.int64))
    return bits if bits >= 0 else -(bits + 2**63)


def _from_key(key: int) -> float:
    return float(np.int64(key if key >= 0 else -key - 2**63).view(np.float64))
