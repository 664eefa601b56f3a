"""Picked rules: a few rules that differ from each other, each supported by enough rows."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood.explain.rules._rule_set import RuleSet

_ENOUGH_ROWS = 20  # inside and outside of a rule; in small tables a tenth of the rows
_MIN_ROWS = 5
_MAX_CORRELATION = 0.6  # largest correlation between the rows of two rules
_NORMAL = 1.96  # quantile of the normal distribution for 95 %


@dataclass(frozen=True, slots=True, eq=False)
class PickedRule:
    """A rule of a list, with the confidence interval of the difference between inside and outside."""

    index: int  # in the list
    low: NDArray[np.float64]  # (n_outputs,) lower end of the 95 % interval of inside − outside
    high: NDArray[np.float64]


def pick_rules(
    found: RuleSet,
    fired: NDArray[np.bool_],
    y: NDArray[np.float64] | None,
    weight: NDArray[np.float64] | None,
    most: int = 8,
) -> list[PickedRule]:
    """Pick rules for readers: the most frequent first, at most `most`.

    A rule is taken if it has at least 20 rows inside and 20 outside (`least_rows`), if the interval of inside − outside
    excludes 0 for some output, and if it holds neither for nearly the same rows as an earlier rule nor for nearly the
    opposite rows.

    Parameters
    ----------
    found : RuleSet
    fired : (n_rows, n_rules)
        Which rules hold for which rows.
    y : (n_rows,) or None
        Numbers to be predicted; None for classes.
    weight : (n_rows,) or None
    most : int
    """
    mass = np.ones(len(fired)) if weight is None else weight
    least = least_rows(len(fired))
    picked: list[PickedRule] = []
    for k, rule in enumerate(found.rules):
        sides = [np.flatnonzero(fired[:, k] & (mass > 0)), np.flatnonzero(~fired[:, k] & (mass > 0))]
        if min(map(len, sides)) < least:
            continue
        variance = sum(
            _variance_of_mean(mean, mass[rows], None if y is None else y[rows])
            for mean, rows in zip((rule.inside, rule.outside), sides, strict=True)
        )
        reach = _NORMAL * np.sqrt(variance)
        difference = rule.inside - rule.outside
        if not np.any(np.abs(difference) > reach):
            continue
        if any(_alike(fired[:, k], fired[:, one.index], mass) > _MAX_CORRELATION for one in picked):
            continue
        picked.append(PickedRule(k, difference - reach, difference + reach))
        if len(picked) == most:
            break
    return picked


def least_rows(n_rows: int) -> int:
    """Number of rows that a shown rule must have inside and outside."""
    return int(np.clip(n_rows // 10, _MIN_ROWS, _ENOUGH_ROWS))


def _variance_of_mean(
    mean: NDArray[np.float64], weight: NDArray[np.float64], y: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """Squared standard error of the mean on one side, per output."""
    total = weight.sum()
    n = total**2 / np.sum(weight**2)  # effective number of rows
    if y is not None:
        return np.atleast_1d(np.sum(weight * (y - np.sum(weight * y) / total) ** 2) / total / max(n - 1, 1))
    # half a row is added to each class, so that a side with only one class does not have zero error
    share = (n * mean + 0.5) / (n + 1)
    return np.asarray(share * (1 - share) / n)


def _alike(a: NDArray[np.bool_], b: NDArray[np.bool_], mass: NDArray[np.float64]) -> float:
    """Absolute correlation of two rules over the rows."""
    share = mass / mass.sum()
    p, q, both = float(share[a].sum()), float(share[b].sum()), float(share[a & b].sum())
    spread = p * (1 - p) * q * (1 - q)
    return abs(both - p * q) / float(np.sqrt(spread)) if spread > 0 else 1.0
