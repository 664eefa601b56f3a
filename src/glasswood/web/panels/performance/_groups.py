"""Groups of rows that have similar values of one feature, or similar predictions."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from glasswood._exact import exact_group_sums
from glasswood.ensemble import AlignedRows, FeatureSchema
from glasswood.web.page._text import named, number, shortened
from glasswood.web.panels._dates import date_interval, date_text

Floats = NDArray[np.float64]
_MAX_GROUPS = 10  # of a feature; groups of missing and unseen values are not counted
_NORMAL = 1.959963984540054  # 95 % of a normal distribution lie within this many standard deviations


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Groups of rows: the feature they are grouped by, the words for each group, and the group of each row."""

    name: str
    words: tuple[str, ...]
    of_row: NDArray[np.intp]  # (n_rows,)
    mass: Floats  # (n_groups,) weight of the rows
    size: Floats  # (n_groups,) number of rows of equal weight that would be as informative (Kish)

    def mean(self, values: Floats, weight: Floats) -> Floats:
        """Weighted mean of each group."""
        return exact_group_sums(self.of_row, values * weight, len(self.words)) / self.mass

    def mean_interval(self, values: Floats, weight: Floats) -> tuple[Floats, Floats]:
        """Ends of a 95 % interval around the mean of each group; for a single row, both ends are its value."""
        mean = self.mean(values, weight)
        variance = self.mean((values - mean[self.of_row]) ** 2, weight)
        half = _NORMAL * np.sqrt(variance / np.maximum(self.size - 1.0, 1.0))
        return mean - half, mean + half

    def share_interval(self, share: Floats) -> tuple[Floats, Floats]:
        """Ends of Wilson's 95 % interval around a share of each group (Wilson 1927)."""
        z2 = _NORMAL**2
        middle = (share + z2 / (2 * self.size)) / (1 + z2 / self.size)
        half = _NORMAL * np.sqrt(share * (1 - share) / self.size + z2 / (4 * self.size**2)) / (1 + z2 / self.size)
        return np.clip(middle - half, 0.0, share), np.clip(middle + half, share, 1.0)

    def quantile(self, values: Floats, weight: Floats, share: float) -> Floats:
        """Weighted quantile of each group: the smallest value with at least a share of the weight at or below it."""
        order = np.lexsort((weight, values, self.of_row))
        group = self.of_row[order]
        start = np.searchsorted(group, np.arange(len(self.words)))
        found = np.empty(len(self.words))
        for k, (a, b) in enumerate(zip(start, [*start[1:], len(order)], strict=True)):
            run = weight[order[a:b]].cumsum()
            found[k] = values[order[a + min(int(np.searchsorted(run, share * run[-1])), b - a - 1)]]
        return found


def group_rows(name: str, words: Sequence[str], of_row: NDArray[np.integer], weight: Floats) -> Groups:
    """Groups of the rows that have weight, in the order of their words; groups without weight are left out."""
    mass = exact_group_sums(of_row, weight, len(words))
    kept = np.flatnonzero(mass > 0)
    place = np.zeros(len(words), dtype=np.intp)  # rows of a group without weight have no weight in any other
    place[kept] = np.arange(len(kept))
    moved = place[of_row]
    squares = exact_group_sums(moved, weight**2, len(kept))
    return Groups(name, tuple(words[k] for k in kept.tolist()), moved, mass[kept], mass[kept] ** 2 / squares)


def inner_quantiles(values: Floats, weight: Floats, parts: int) -> Floats:
    """Values that divide the rows into groups of about equal weight; each value belongs to the group below it."""
    known, which = np.unique(values, return_inverse=True)
    run = exact_group_sums(which, weight, len(known)).cumsum()
    place = np.searchsorted(run, np.arange(1, parts) * run[-1] / parts)
    return np.unique(known[place[place < len(known) - 1]])


def group_numbers(
    name: str, values: Floats, weight: Floats, *, most: int = _MAX_GROUPS, is_date: bool = False
) -> Groups:
    """Group rows by a number: one group per value if there are few, else groups of about equal weight.

    Missing and infinite values are a group of their own.

    Examples
    --------
    >>> import numpy as np
    >>> from glasswood.web.panels.performance._groups import group_numbers
    >>> group_numbers("age", np.arange(40.0), np.ones(40), most=2).words
    ('age at most 19', 'age above 19')
    """
    held = np.isfinite(values) & (weight > 0)
    different = np.unique(values[held])
    if len(different) <= most:
        upper, words = (
            different[:-1],
            [f"{named(name)} {date_text(x) if is_date else number(x, 6)}" for x in different.tolist()],
        )
    else:
        upper = inner_quantiles(values[held], weight[held], most)
        edges = [-np.inf, *upper.tolist(), np.inf]
        between = date_interval if is_date else _between
        words = [between(name, low, high) for low, high in pairwise(edges)]
    of_row = np.searchsorted(upper, values, side="left")
    gone = ~np.isfinite(values)
    return group_rows(name, [*words, f"{named(name)} missing or infinite"], np.where(gone, len(words), of_row), weight)


def _between(name: str, low: float, high: float) -> str:
    """The range of a group in words, with four digits."""
    if high == np.inf:
        return f"{named(name)} above {number(low)}"
    above = "" if low == -np.inf else f"above {number(low)}, "
    return f"{named(name)} {above}at most {number(high)}"


def group_feature(
    rows: AlignedRows, features: FeatureSchema, feature: int, weight: Floats, dates: Collection[str] = ()
) -> Groups:
    """Group rows by a feature of the model; if it has many levels, the rarest share a group."""
    name, labels = features.names[feature], features.categories[feature]
    column = rows.column(feature)
    if not labels:
        return group_numbers(name, np.asarray(column, dtype=np.float64), weight, is_date=name in dates)
    n = len(labels)
    code = np.where(column < 0, n + 1, np.minimum(column, n)).astype(np.intp)  # levels, unseen, missing
    mass = exact_group_sums(code, weight, n + 2)[:n]
    order = np.argsort(-mass, kind="stable")
    shown = order if np.count_nonzero(mass) <= _MAX_GROUPS else order[: _MAX_GROUPS - 1]
    rare = int(np.count_nonzero(mass)) - int(np.count_nonzero(mass[shown]))
    place = np.full(n + 2, len(shown))
    place[shown] = np.arange(len(shown))
    place[n:] = len(shown) + 1, len(shown) + 2
    said = named(name)
    words = [f"{said} is {shortened(str(labels[k]), 60)}" for k in shown]
    beside = [f"{said} is one of {rare:,} others", f"{said} was never seen in training", f"{said} is missing"]
    return group_rows(name, [*words, *beside], place[code], weight)
