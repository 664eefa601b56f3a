"""Domain: the rows about which something is proved, as the cells of each feature that are allowed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import check_feature_name, did_you_mean
from glasswood.ensemble import ZERO, AlignedRows, Ensemble, align
from glasswood.errors import OptionError
from glasswood.explain.proofs._cells import FeatureCells, Value
from glasswood.tables import Table


@dataclass(frozen=True, slots=True, eq=False)
class Domain:
    """Per feature the cells that are allowed, and an allowed value in each of them."""

    cells: tuple[FeatureCells, ...]
    allowed: tuple[NDArray[np.bool_], ...]
    values: tuple[dict[int, Value], ...]  # per feature, by cell

    @property
    def bits(self) -> tuple[NDArray[np.uint8], ...]:
        """The allowed cells, packed."""
        return tuple(np.packbits(flags) for flags in self.allowed)

    def row(self, point: Sequence[int]) -> tuple[Value, ...]:
        """The row of a point, given by its cell in every feature."""
        return tuple(values[cell] for values, cell in zip(self.values, point, strict=True))


def make_domain(ensemble: Ensemble, cells: Sequence[FeatureCells], given: Any) -> Domain:
    """Resolve what the caller allows: None, a mapping from features to what they may be, or a table."""
    if given is None:
        found = [_everything(feature) for feature in cells]
    elif isinstance(given, Mapping):
        for name in given:
            check_feature_name(name, [feature.name for feature in cells], "domain")
        found = [
            _limited(feature, given[feature.name]) if feature.name in given else _everything(feature)
            for feature in cells
        ]
    elif isinstance(given, str):
        raise OptionError(f"domain is a table or a mapping, got {given!r}; for the box around some rows, pass the rows")
    else:
        found = _around(ensemble, cells, given)
    for feature, values in zip(cells, found, strict=True):
        if not values:
            raise OptionError(f"domain allows no value of feature {feature.name!r}")
    allowed = []
    for feature, values in zip(cells, found, strict=True):
        flags = np.zeros(len(feature), dtype=bool)
        flags[list(values)] = True
        allowed.append(flags)
    return Domain(tuple(cells), tuple(allowed), tuple(found))


def _everything(feature: FeatureCells) -> dict[int, Value]:
    found = _numbers(feature, -np.inf, np.inf) if feature.levels is None else _levels(feature)
    if feature.missing_routed or feature.zero_is_missing:
        found[feature.missing] = None
    return found


def _numbers(feature: FeatureCells, low: float, high: float) -> dict[int, Value]:
    found: dict[int, Value] = {}
    first = int(np.searchsorted(feature.thresholds, low))
    last = int(np.searchsorted(feature.thresholds, high))
    for cell in range(first, last + 1):
        try:
            found[cell] = feature.value_in(cell, low, high)
        except LookupError:  # no number is in the cell, or only numbers that count as missing
            continue
    if feature.zero_is_missing and low <= ZERO and high >= -ZERO:
        found[feature.missing] = None if low == -np.inf and high == np.inf else float(np.clip(0.0, low, high))
    return found


def _levels(feature: FeatureCells) -> dict[int, Value]:
    """Every level, and an unseen one."""
    return {cell: feature.value_in(cell) for cell in range(feature.n_known + 1)}


def _limited(feature: FeatureCells, given: Any) -> dict[int, Value]:
    """What a mapping allows of one feature: a range (low, high), a list of values, or one value."""
    if isinstance(given, tuple):
        return _range(feature, given)
    listed = getattr(given, "tolist", getattr(given, "to_list", None))  # arrays and series
    items = given if listed is None else listed()
    found: dict[int, Value] = {}
    for item in items if isinstance(items, list | set | frozenset) else [items]:
        found |= _one(feature, item)
    return found


def _range(feature: FeatureCells, given: tuple[Any, ...]) -> dict[int, Value]:
    if feature.levels is not None:
        raise OptionError(f"domain: feature {feature.name!r} is a category; give a list of its levels, not a tuple")
    numbers = [feature.read_number(end, "domain") for end in given if isinstance(end, Real)]
    if len(given) != 2 or len(numbers) != 2 or not numbers[0] <= numbers[1]:
        raise OptionError(f"domain: a range is (low, high) with low <= high, got {given!r} for {feature.name!r}")
    return _numbers(feature, *numbers)


def _one(feature: FeatureCells, item: Any) -> dict[int, Value]:
    value = feature.read(item, "domain")
    if value is None:
        return {feature.missing: None}
    if feature.levels is None:
        if not isinstance(item, Real):
            raise OptionError(f"domain: feature {feature.name!r} is a number, got {item!r}")
        return _numbers(feature, float(value), float(value))
    cell = feature.cell_of(value)
    if cell == feature.n_known:
        known = [str(level) for level in feature.levels]
        raise OptionError(f"domain: feature {feature.name!r} has no level {item!r}{did_you_mean(str(item), known)}")
    return {cell: value}


def _around(ensemble: Ensemble, cells: Sequence[FeatureCells], X: Table) -> list[dict[int, Value]]:
    """The smallest box around the rows of a table."""
    rows: AlignedRows = align(X, ensemble.features)
    if not rows.n_rows:
        raise OptionError("domain is a table without rows")
    found = []
    for j, feature in enumerate(cells):
        column = rows.column(j)
        if feature.levels is not None:
            codes = np.unique(np.minimum(column, len(feature.levels))) if feature.levels else np.zeros(1)
            present = {int(code) for code in codes} if feature.levels else {0}
            values = {code: feature.value_in(code) for code in present if code >= 0}
            absent = -1 in present
        else:
            numbers = column[~np.isnan(column)].astype(np.float64)
            values = _numbers(feature, float(numbers.min()), float(numbers.max())) if len(numbers) else {}
            absent = len(numbers) < len(column)
        if absent:
            values[feature.missing] = None
        found.append(values)
    return found
