"""Rule sums: sums over the rows inside rules that depend neither on the order of rows nor on threads."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood._exact import fixed_numbers

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class RuleSums:
    """Sums of several values per fold: over all rows, over those inside and outside each rule, and inside two rules."""

    total: Floats  # (n_values, n_folds)
    inside: Floats  # (n_values, n_folds, n_rules)
    outside: Floats  # (n_values, n_folds, n_rules)
    both: Floats  # (n_folds, n_rules, n_rules) of the first value; empty unless asked for


def rule_sums(
    masks: NDArray[np.bool_],
    values: NDArray[np.float64],
    fold: NDArray[np.int64] | None = None,
    *,
    with_pairs: bool = False,
) -> RuleSums:
    """Sum the values, (n_rows, n_values), over the rows selected by masks, (n_rows, n_rules)."""
    n_rows, n_values = values.shape
    fold = np.zeros(n_rows, dtype=np.int64) if fold is None else fold
    whole = np.zeros((n_values, n_rows), dtype=np.int64)
    unit = np.zeros(n_values)
    for v in range(n_values):
        whole[v], unit[v] = fixed_numbers(values[:, v])
    n_folds = int(fold.max(initial=0)) + 1
    total, inside, both = _native.rule_sums(np.ascontiguousarray(masks), whole, fold, n_folds, with_pairs)
    size = unit[:, None, None]
    return RuleSums(total * unit[:, None], inside * size, (total[:, :, None] - inside) * size, both * unit[0])
