"""Row sums: sums and means over the rows of all members, with the bits of `_exact` on all rows in one process."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood._exact import (
    ValueRange,
    exact_auc,
    exact_group_sums,
    exact_mean,
    exact_sum,
    flat,
    group_halves,
    in_units,
    join_halves,
    largest_size,
    sum_exponent,
    whole_sum,
)
from glasswood.team._collective import add_up, gather_arrays, gather_json, largest, memory_of
from glasswood.team._exchange import Exchange

Floats = NDArray[np.float64]


def _range_over(team: Exchange, values: Floats, weight: Floats) -> ValueRange:
    own = _native.value_range(values, weight)
    return ValueRange.merged([ValueRange(*part) for part in gather_json(team, own)])


def _whole_sum(team: Exchange, values: Floats, weight: Floats, exponent: int) -> int:
    """Sum of the numbers times their weights, in units of 2^exponent."""
    return sum(gather_json(team, whole_sum(values, weight, exponent)))


def team_sum(team: Exchange, values: Any) -> float:
    """Sum of all values."""
    values = flat(values)
    if team.size == 1:
        return exact_sum(values)
    found = _range_over(team, values, np.empty(0))
    if not found.finite:
        return found.infinite_sum
    return found.to_sum(_whole_sum(team, values, np.empty(0), found.exponent))


def team_total(
    team: Exchange, largest: float, finite: bool, infinite: float, whole_sum: Callable[[int], tuple[int, int]]
) -> float:
    """The same of numbers that lie elsewhere: their largest size, whether all are finite, and the sum if they are not.

    `whole_sum` adds them up in units of 2^exponent, as `_native.whole_sum`.
    """
    parts = gather_json(team, [largest, finite, infinite])
    if not all(is_finite for _, is_finite, _ in parts):
        return sum((own for _, _, own in parts), start=0.0)
    exponent = sum_exponent(max(most for most, _, _ in parts))
    high, low = whole_sum(exponent)
    return float(sum(gather_json(team, (high << 64) + low))) * float(np.ldexp(1.0, exponent))


def team_mean(team: Exchange, values: Any, weight: Any = ()) -> float:
    """Weighted mean of all values; without weights each counts once. NaN if no value counts."""
    values, weight = flat(values), flat(weight)
    if team.size == 1:
        return exact_mean(values, weight)
    found = _range_over(team, values, weight)
    if found.n == 0:
        return float("nan")
    if not found.finite:
        return found.infinite_sum
    above = _whole_sum(team, values, weight, found.exponent)
    below = _whole_sum(team, weight if len(weight) else np.ones(len(values)), np.empty(0), found.weight_exponent)
    return found.to_mean(above, below)


def team_group_sums(team: Exchange, group: NDArray[Any], values: Any, n_groups: int) -> Floats:
    """Sum of the values of each group, 0 … n_groups − 1."""
    values = flat(values)
    if team.size == 1:
        return exact_group_sums(group, values, n_groups)
    exponent = sum_exponent(float(largest(team, [largest_size(values)])[0]))
    return join_halves(add_up(team, group_halves(group, in_units(values, exponent), n_groups)), exponent)


def whole_weights(team: Exchange, weight: Floats, n_rows: int) -> NDArray[np.int64]:
    """Weights in the unit of all weights of the team, as `fixed_numbers` returns them; ones without weights."""
    if not add_up(team, [len(weight)])[0]:
        return np.ones(n_rows, dtype=np.int64)
    total = team_sum(team, weight)
    exponent = 1021 if np.isinf(total) else _native.unit_exponent(total, 61)
    return in_units(weight, exponent)


def team_auc(team: Exchange, score: Floats, positive: NDArray[np.bool_], weight: Any = ()) -> float:
    """Probability that a positive row scores above a negative one, ties counted half; NaN if one side is empty."""
    score, weight = flat(score) + 0.0, flat(weight)
    if team.size == 1:
        return exact_auc(score, positive, weight)
    whole = whole_weights(team, weight, len(score))
    score, positive, whole = _by_score(team, score, positive, whole)
    (high, low), below, above = _native.score_pairs(score, positive, whole)
    lower = n_pairs = n_above = 0
    for part_twice, part_below, part_above in gather_json(team, [(high << 64) + low, below, above]):
        n_pairs += part_twice + 2 * lower * part_above  # all negative rows of the members before score less
        lower += part_below
        n_above += part_above
    pairs = lower * n_above
    return 0.5 * (float(n_pairs) / float(pairs)) if pairs else float("nan")


def _by_score(
    team: Exchange, score: Floats, positive: NDArray[np.bool_], whole: NDArray[np.int64]
) -> tuple[Floats, NDArray[np.bool_], NDArray[np.int64]]:
    """The rows of all members, dealt out by score: those of a member score more than those of the one before."""
    order = np.argsort(score, kind="stable")
    score, positive, whole = score[order], positive[order], whole[order]
    picked = score[np.linspace(0, len(score) - 1, 64 * team.size).astype(np.int64)] if len(score) else score
    known = np.sort(np.concatenate(gather_arrays(team, picked)))
    fences = known[np.arange(1, team.size) * len(known) // team.size] if len(known) else np.zeros(team.size - 1)
    ends = np.append(np.searchsorted(score, fences, side="left"), len(score))
    starts = np.append(0, ends[:-1])

    def deal(values: NDArray[Any]) -> NDArray[Any]:
        parts = [memory_of(np.ascontiguousarray(values[a:b])) for a, b in zip(starts, ends, strict=True)]
        return np.concatenate([np.frombuffer(part, dtype=values.dtype) for part in team.swap(parts)])

    return deal(score), deal(positive), deal(whole)
