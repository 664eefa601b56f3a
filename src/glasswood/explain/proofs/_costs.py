"""Costs: what it costs to bring each feature of a row into each cell, and the value that is then nearest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import did_you_mean
from glasswood._exact import exact_mean
from glasswood.ensemble import ZERO, Ensemble, align
from glasswood.errors import OptionError, TableError
from glasswood.explain.proofs._cells import FeatureCells, Value
from glasswood.tables import Table

_BEYOND_ZERO = float(np.nextafter(ZERO, np.inf))
_LARGEST = float(np.finfo(np.float64).max)
DIRECTIONS = ("rise", "fall")


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """What is known about one feature from a table: its scale, its range, its levels, whether it is whole."""

    scale: float
    low: float = -np.inf
    high: float = np.inf
    whole: bool = False
    codes: frozenset[int] | None = None  # levels that occur; None: all


@dataclass(frozen=True, slots=True, eq=False)
class Costs:
    """Per feature: cost of every cell, infinite where it is not allowed, and the value to take there."""

    cost: tuple[NDArray[np.float64], ...]
    values: tuple[dict[int, Value], ...]  # by cell
    numbers: tuple[NDArray[np.float64], ...]  # the same over all cells of a number, NaN for none; else empty
    own: tuple[int, ...]  # cell of the row


def make_costs(
    cells: Sequence[FeatureCells],
    row: Sequence[Value],
    reaches: Sequence[Reach],
    fixed: frozenset[str],
    directions: Mapping[str, str],
) -> Costs:
    """Costs of a row; a value may not become missing, nor a level that the model does not know."""
    cost, values, numbers, own_cells = [], [], [], []
    for feature, value, reach in zip(cells, row, reaches, strict=True):
        prices = np.full(len(feature), np.inf)
        taken: dict[int, Value] = {}
        own = feature.cell_of(value)
        if feature.name not in fixed:
            there, price = _moves(feature, value, reach, directions.get(feature.name))
            open_cells = np.flatnonzero(np.isfinite(price))
            prices[open_cells] = price[open_cells]
            taken = dict(zip(open_cells.tolist(), (there[cell] for cell in open_cells.tolist()), strict=True))
        prices[own], taken[own] = 0.0, value
        cost.append(prices)
        values.append(taken)
        numbers.append(_as_numbers(feature, taken))
        own_cells.append(own)
    return Costs(tuple(cost), tuple(values), tuple(numbers), tuple(own_cells))


def _as_numbers(feature: FeatureCells, taken: dict[int, Value]) -> NDArray[np.float64]:
    if feature.levels is not None:
        return np.zeros(0)
    found = np.full(len(feature), np.nan)
    found[list(taken)] = [np.nan if value is None else float(value) for value in taken.values()]
    return found


def _moves(
    feature: FeatureCells, value: Value, reach: Reach, direction: str | None
) -> tuple[Sequence[Value], NDArray[np.float64]]:
    """The nearest value in every cell of a feature, and its cost, infinite where the feature may not go."""
    price = np.full(len(feature), np.inf)
    if feature.levels is not None:
        known = range(feature.n_known) if reach.codes is None else sorted(reach.codes)
        price[list(known)] = 1.0
        return feature.levels, price
    number = None if value is None or value != value else float(value)
    low, high = reach.low, reach.high
    if number is not None:
        low = max(low, number) if direction == "rise" else low
        high = min(high, number) if direction == "fall" else high
    there = _nearest_in_all(feature, number, low, high, reach.whole)
    with np.errstate(over="ignore", invalid="ignore"):
        away = np.ones(len(there)) if number is None else np.abs(there - number) / reach.scale
    price[: len(there)] = np.where(np.isfinite(there) & np.isfinite(away), away, np.inf)
    values: list[Value] = [*there.tolist(), None]
    if feature.zero_is_missing and number is not None and low <= ZERO and high >= -ZERO:
        zero = float(np.clip(0.0 if reach.whole else np.clip(number, -ZERO, ZERO), low, high))
        values[feature.missing] = zero
        price[feature.missing] = abs(zero - number) / reach.scale
    return values, price


def _nearest_in_all(
    feature: FeatureCells, number: float | None, low: float, high: float, whole: bool
) -> NDArray[np.float64]:
    """What `_nearest_in` gives for every interval of a feature, NaN for none."""
    lower = np.append(-np.inf, feature.thresholds)
    least = np.append(-np.inf, np.nextafter(feature.thresholds, np.inf))
    least, most = np.maximum(least, max(low, -_LARGEST)), np.minimum(np.append(feature.thresholds, np.inf), high)
    most = np.minimum(most, _LARGEST)
    if whole:
        least, most = np.ceil(least), np.floor(most)
    there: NDArray[np.float64] = np.minimum(np.maximum(0.0 if number is None else number, least), most)
    there[(least > most) | (lower == np.inf)] = np.nan
    special = np.zeros(len(there), dtype=bool)
    if whole:
        special |= there != np.floor(there)
    if feature.zero_is_missing:
        special |= np.abs(there) <= ZERO
    for cell in np.flatnonzero(special & ~np.isnan(there)).tolist():
        one = _nearest_in(feature, cell, number, low, high, whole)
        there[cell] = np.nan if one is None else one
    return there


def _nearest_in(
    feature: FeatureCells, cell: int, number: float | None, low: float, high: float, whole: bool
) -> float | None:
    """The allowed value of a cell that is nearest to a number, or to 0 if that is missing; None if there is none."""
    lower, upper = feature.bounds_of(cell)
    if cell and lower == np.inf:
        return None
    least = max(lower if cell == 0 else float(np.nextafter(lower, np.inf)), low)
    most = min(upper, high)
    least, most = max(least, -_LARGEST), min(most, _LARGEST)
    if whole:
        least, most = float(np.ceil(least)), float(np.floor(most))
    if least > most:
        return None
    there = min(max(0.0 if number is None else number, least), most)
    if whole and there != np.floor(there):
        return None if number is None else _nearest_whole(there, least, most)
    if feature.zero_is_missing and abs(there) <= ZERO:
        sides = [side for side in (_BEYOND_ZERO, -_BEYOND_ZERO) if least <= side <= most and not whole]
        sides += [side for side in (1.0, -1.0) if least <= side <= most and whole]
        return min(sides, key=lambda side: abs(side - (number or 0.0)), default=None)
    return there


def _nearest_whole(number: float, least: float, most: float) -> float | None:
    sides = [float(side) for side in (np.floor(number), np.ceil(number)) if least <= side <= most]
    return min(sides, key=lambda side: abs(side - number), default=None)


def reaches_of(ensemble: Ensemble, cells: Sequence[FeatureCells], X: Table | None) -> list[Reach]:
    """Scale of each feature: the mean distance from the median, of the rows of X or else of the model's thresholds."""
    if X is None:
        return [Reach(_scale(feature.thresholds)) for feature in cells]
    rows = align(X, ensemble.features)
    if not rows.n_rows:
        raise TableError("X has no rows, so it gives features no scale; leave it out or pass rows")
    found = []
    for j, feature in enumerate(cells):
        column = rows.column(j)
        if feature.levels is not None:
            known = np.unique(column[(column >= 0) & (column < feature.n_known)]) if feature.levels else np.zeros(0)
            found.append(Reach(1.0, codes=frozenset(known.astype(np.int64).tolist())))
            continue
        numbers = column[np.isfinite(column)].astype(np.float64)
        if not len(numbers):
            found.append(Reach(1.0, low=np.inf, high=-np.inf))
            continue
        whole = bool(np.all(numbers == np.floor(numbers)))
        found.append(Reach(_scale(numbers), float(numbers.min()), float(numbers.max()), whole))
    return found


def _scale(numbers: NDArray[np.float64]) -> float:
    finite = numbers[np.isfinite(numbers)]
    if not len(finite):
        return 1.0
    middle = float(np.sort(finite)[len(finite) // 2])
    with np.errstate(over="ignore"):
        away = np.abs(finite - middle)
    found = exact_mean(away) if np.isfinite(away).all() else 0.0
    return found if found > 0 else abs(middle) or 1.0


def read_row(ensemble: Ensemble, cells: Sequence[FeatureCells], given: Any) -> tuple[Value, ...]:
    """One row as values in the order of the features: from a mapping, a list of values, or a table of one row."""
    names = ensemble.feature_names
    if isinstance(given, Mapping):
        lost = [name for name in names if name not in given]
        extra = [str(name) for name in given if name not in names]
        if lost or extra:
            what = f"row lacks {lost[0]!r}" if lost else f"row: the model has no feature {extra[0]!r}"
            raise OptionError(what + did_you_mean(*((lost[0], extra) if lost else (extra[0], names))))
        given = [given[name] for name in names]
    if isinstance(given, list | tuple) or (isinstance(given, np.ndarray) and given.ndim == 1):
        items = given.tolist() if isinstance(given, np.ndarray) else list(given)
        if len(items) != len(names):
            raise OptionError(f"row has {len(items)} values, the model has {len(names)} features")
        return tuple(feature.read(item, "row") for feature, item in zip(cells, items, strict=True))
    rows = align(given, ensemble.features)
    if rows.n_rows != 1:
        raise OptionError(f"row must be one row, the table has {rows.n_rows:,}; pass X[i : i + 1]")
    return tuple(feature.value_of(rows.column(j)[0].item()) for j, feature in enumerate(cells))
