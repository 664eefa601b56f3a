"""rules of parts: sums, counts, and the distinct values of one feature at a time are brought together."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import seed_of, whole_number
from glasswood._exact import in_units, join_halves, largest_size, sum_exponent, whole_halves
from glasswood._powers import power_of, times_power
from glasswood.ensemble import AlignedRows, Ensemble, align, model_table
from glasswood.errors import UnsupportedModelError
from glasswood.explain._parts import (
    Parts,
    ValueSums,
    either,
    join_values,
    largest_of,
    part_group_sums,
    part_sum,
    sums_by_value,
)
from glasswood.explain._target import TargetReader, check_reach, distinct_targets
from glasswood.explain.rules._extract import outputs_of_numbers, predicted_target
from glasswood.explain.rules._fit import RuleOptions, fit_in_parts
from glasswood.explain.rules._grid import (
    RuleGrid,
    by_mean,
    grid_of_values,
    known_codes,
    missing_features,
    without_zeros,
)
from glasswood.explain.rules._paths import count_paths
from glasswood.explain.rules._rule_rows import Scored, score_in_parts
from glasswood.explain.rules._rule_set import RuleSet
from glasswood.explain.rules._target import RuleTarget
from glasswood.tables import Columns, FrameKind, check_some_weight, n_rows_of, read_table, read_weight

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class _Opener:
    """Opens a part, which is a table, its target and its weights or None."""

    ensemble: Ensemble
    exponent: int  # of the scale of the weights
    reader: TargetReader
    outputs: tuple[str, ...]

    @property
    def classes(self) -> tuple[str, ...] | None:
        """None for numbers."""
        return self.reader.classes

    def table(self, part: Any) -> Columns:
        """Columns of the model."""
        return read_table(model_table(part[0], self.ensemble.features))

    def weight(self, part: Any) -> Floats:
        """Weights on an ordinary scale."""
        n_rows = n_rows_of(part[0])
        weight = read_weight(part[2], n_rows)
        return np.ones(n_rows) if weight is None else times_power(weight, -self.exponent)

    def target(self, part: Any) -> RuleTarget:
        """Numbers or classes."""
        target = self.reader.read(part[1], n_rows_of(part[0]))
        if target.classes is None:
            return RuleTarget(y=target.numbers[:, None], outputs=self.outputs, labels=None)
        return RuleTarget.of_classes(target.codes, target.classes)

    def __call__(self, part: Any) -> tuple[AlignedRows, RuleTarget, Floats]:
        """Rows, target and weights."""
        return align(self.table(part), self.ensemble.features), self.target(part), self.weight(part)


def rules_of_parts(
    ensemble: Ensemble,
    parts: Parts,
    *,
    kind: FrameKind | None,
    p0: float = 0.0,
    max_rules: int = 25,
    n_quantiles: int = 10,
    max_depth: int | None = 2,
    random_state: Any = None,
    n_jobs: int | None = None,
) -> RuleSet:
    """`find_rules` of parts that are tables with targets, and weights or None. Parts are read a few times."""
    seed = 0 if random_state is None else seed_of(random_state)
    options = RuleOptions(p0=p0, max_rules=max_rules, seed=seed, n_jobs=n_jobs)
    depth = whole_number("max_depth", max_depth, 1) if max_depth is not None else None
    n_quantiles = whole_number("n_quantiles", n_quantiles, 2)
    if not ensemble.n_trees:
        raise UnsupportedModelError("the model has no trees, so there are no rules to extract")
    opener = _open_target(ensemble, parts)
    grid = _grid(parts, opener, n_quantiles, depth)
    found = fit_in_parts(
        count_paths(ensemble, grid, depth), parts, opener, options, exponent=opener.exponent, kind=kind
    )
    predicted = parts.keep(_against_model, opener, found, n_jobs)
    fidelity = float("nan")
    if all(predicted.ask(_is_known)):
        fidelity = score_in_parts(predicted, len(opener.outputs), classes=opener.classes is not None)
    return found.measured(fidelity=fidelity, snapped_share=grid.snapped_share)


def _open_target(ensemble: Ensemble, parts: Parts) -> _Opener:
    """What must be known of all rows before one can be opened."""
    weighted = parts.merged(_sum_and_largest, _weighted)
    check_some_weight(weighted[0])
    exponent = power_of(np.array([weighted[1]])) if parts.ask(_has_weight)[0] else 0
    reader = TargetReader.make(ensemble, partial(distinct_targets, parts))
    if reader.classes is not None:
        return _Opener(ensemble, exponent, reader, RuleTarget.of_classes(reader.codes, reader.classes).outputs)
    opener = _Opener(ensemble, exponent, reader, outputs_of_numbers(ensemble))
    lowest, highest = parts.merged(_wider, _reach, opener)
    check_reach(lowest, highest, part_sum(parts, opener.weight))
    return opener


def _weighted(part: Any) -> tuple[int, float]:
    weight = read_weight(part[2], n_rows_of(part[0]))
    return (
        (n_rows_of(part[0]), 1.0) if weight is None else (int(np.count_nonzero(weight)), float(weight.max(initial=0)))
    )


def _sum_and_largest(one: tuple[int, float], other: tuple[int, float]) -> tuple[int, float]:
    return one[0] + other[0], max(one[1], other[1])


def _has_weight(part: Any) -> bool:
    return part[2] is not None


def _reach(part: Any, opener: _Opener) -> tuple[float, float]:
    y = opener.target(part).y[:, 0][opener.weight(part) > 0]
    return float(y.min(initial=np.inf)), float(y.max(initial=-np.inf))


def _wider(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    return min(one[0], other[0]), max(one[1], other[1])


def _grid(parts: Parts, opener: _Opener, n_quantiles: int, max_depth: int | None) -> RuleGrid:
    ensemble = opener.ensemble
    column = None
    if opener.classes is not None and len(opener.outputs) > 1:  # the class that most rows have
        column = int(np.argmax(parts.merged(np.add, _n_of_classes, opener)))
    orders = []
    for f, labels in enumerate(ensemble.features.categories):
        if not labels:
            orders.append(np.zeros(0, dtype=np.int64))
            continue
        mass = part_group_sums(parts, partial(_levels, opener=opener, feature=f, column=None), len(labels))
        total = part_group_sums(parts, partial(_levels, opener=opener, feature=f, column=column or 0), len(labels))
        orders.append(by_mean(mass, total))
    return grid_of_values(
        ensemble,
        partial(_values_of, parts=parts, opener=opener),
        level_order=tuple(orders),
        has_missing=np.asarray(parts.merged(either, _missing, opener)),
        n_quantiles=n_quantiles,
        max_depth=max_depth,
    )


def _rows(part: Any, opener: _Opener) -> AlignedRows:
    return without_zeros(align(opener.table(part), opener.ensemble.features), opener.ensemble.features)


def _n_of_classes(part: Any, opener: _Opener) -> Ints:
    labels, classes = opener.target(part).labels, opener.classes
    assert labels is not None and classes is not None
    return np.bincount(labels, minlength=len(classes))


def _missing(part: Any, opener: _Opener) -> NDArray[np.bool_]:
    return missing_features(opener.ensemble.features, _rows(part, opener), opener.weight(part))


def _levels(part: Any, *, opener: _Opener, feature: int, column: int | None) -> tuple[NDArray[Any], Floats]:
    """Levels of a category, and the weights or the weighted numbers that order them."""
    labels = opener.ensemble.features.categories[feature] or ()
    codes, weight = _rows(part, opener).column(feature), opener.weight(part)
    values = weight if column is None else weight * opener.target(part).y[:, column]
    known = known_codes(codes, len(labels))
    return codes[known].astype(np.int64), values[known]


def _values_of(feature: int, *, parts: Parts, opener: _Opener) -> tuple[Floats, Floats]:
    """Distinct values of a number, and the weight of each: 24 bytes for each value."""
    largest = float(parts.merged(largest_of, _largest_weight, opener, feature))
    exponent = sum_exponent(largest)
    values, *halves = parts.merged(join_values, _distinct_values, opener, feature, exponent)
    return values, join_halves(np.array(halves), exponent)


def _held(part: Any, opener: _Opener, feature: int) -> tuple[Floats, Floats]:
    values, weight = _rows(part, opener).column(feature), opener.weight(part)
    held = (weight > 0) & ~np.isnan(values)
    return values[held].astype(np.float64), weight[held]


def _largest_weight(part: Any, opener: _Opener, feature: int) -> float:
    return largest_size(_held(part, opener, feature)[1])


def _distinct_values(part: Any, opener: _Opener, feature: int, exponent: int) -> ValueSums:
    values, weight = _held(part, opener, feature)
    return sums_by_value(values, *whole_halves(in_units(weight, exponent)))


def _against_model(part: Any, opener: _Opener, found: RuleSet, n_jobs: int | None) -> Scored | None:
    """The rules' prediction beside the model's; None if they cannot be compared."""
    table = opener.table(part)
    target = predicted_target(opener.ensemble, table, opener.target(part), n_jobs)
    if target is None:
        return None
    mine = found.predict(table, n_jobs=n_jobs).reshape(table.n_rows, -1)
    return Scored(mine, target, opener.weight(part))


def _is_known(scored: Scored | None) -> bool:
    return scored is not None
