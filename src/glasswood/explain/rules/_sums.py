"""Rule sums: sums over the rows inside rules that depend neither on the order of rows nor on threads."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.explain._parts import OnePart, Parts, add_each, as_given, largest_of, part_sums

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class RuleSums:
    """Sums of several values per fold: over all rows, over those inside and outside each rule, and inside two rules."""

    total: Floats  # (n_values, n_folds)
    inside: Floats  # (n_values, n_folds, n_rules)
    outside: Floats  # (n_values, n_folds, n_rules)
    both: Floats  # (n_folds, n_rules, n_rules) of the first value; empty unless asked for


Chosen = tuple[NDArray[np.bool_], Floats, NDArray[np.int64]]  # masks of the rules, values and folds of some rows


def rule_sums(
    masks: NDArray[np.bool_],
    values: NDArray[np.float64],
    fold: NDArray[np.int64] | None = None,
    *,
    with_pairs: bool = False,
) -> RuleSums:
    """Sum the values, (n_rows, n_values), over the rows selected by masks, (n_rows, n_rules)."""
    fold = np.zeros(len(values), dtype=np.int64) if fold is None else fold
    return rule_sums_in_parts(OnePart((masks, values, fold)), as_given, with_pairs=with_pairs)


def rule_sums_in_parts(parts: Parts, chosen: Callable[[Any], Chosen], *, with_pairs: bool = False) -> RuleSums:
    """The same of rows that lie in parts; `chosen` gives masks, values and folds of a part."""
    sizes = part_sums(parts, partial(_sizes, chosen=chosen))
    exponents = [1021 if np.isinf(size) else _native.unit_exponent(float(size), 61) for size in sizes]
    unit = np.ldexp(1.0, exponents)
    n_folds = int(parts.merged(largest_of, _last_fold, chosen)) + 1
    total, inside, both = parts.merged(add_each, _whole_sums, chosen, exponents, n_folds, with_pairs)
    size = unit[:, None, None]
    return RuleSums(total * unit[:, None], inside * size, (total[:, :, None] - inside) * size, both * unit[0])


def _sizes(part: Any, *, chosen: Callable[[Any], Chosen]) -> tuple[Floats, Floats]:
    return np.abs(chosen(part)[1]).T, np.empty(0)


def _last_fold(part: Any, chosen: Callable[[Any], Chosen]) -> int:
    return int(chosen(part)[2].max(initial=0))


def _whole_sums(
    part: Any, chosen: Callable[[Any], Chosen], exponents: list[int], n_folds: int, with_pairs: bool
) -> tuple[NDArray[np.int64], ...]:
    masks, values, fold = chosen(part)
    whole = np.empty((values.shape[1], len(values)), dtype=np.int64)
    for v, exponent in enumerate(exponents):
        np.rint(values[:, v] * np.ldexp(1.0, -exponent), out=whole[v], casting="unsafe")
    return tuple(_native.rule_sums(np.ascontiguousarray(masks), whole, fold, n_folds, with_pairs))
