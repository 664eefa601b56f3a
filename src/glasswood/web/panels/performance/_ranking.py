"""Ranking of rows by a score: what the rows at or above each threshold contain."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood._exact import exact_group_sums, exact_sum

Floats = NDArray[np.float64]
_DIGITS = 12  # rounding of sums over trees may break a tie; a difference that matters is larger


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """Sums over the rows whose score is at least a threshold; every distinct score is a threshold."""

    threshold: Floats  # (n,) falling
    found: Floats  # (n,) weighted target of the rows at or above: for a class, the weight of its rows
    taken: Floats  # (n,) weight of the rows at or above

    @property
    def others(self) -> Floats:
        """Weight of the rows at or above a threshold that are not of the class."""
        return self.taken - self.found

    def average_precision(self) -> float:
        """Mean precision over the rows of the class: the area under the steps of the precision-recall curve."""
        gained = np.diff(self.found, prepend=0.0)
        return exact_sum(gained * self.found / self.taken) / float(self.found[-1]) if self.found[-1] > 0 else np.nan

    def share_of_top(self, share: float) -> float:
        """Share of the total target in the given share of the rows, those with the highest scores."""
        across, up = (np.concatenate([[0.0], sums]) for sums in (self.taken, self.found))
        return float(np.interp(share * across[-1], across, up) / up[-1]) if up[-1] > 0 else np.nan

    def gini(self) -> float:
        """Twice the area between the curve of gains and the diagonal; 0 for a model that cannot rank."""
        if not self.found[-1] > 0:
            return np.nan
        across, up = (np.concatenate([[0.0], sums / sums[-1]]) for sums in (self.taken, self.found))
        return exact_sum(np.diff(across) * (up[1:] + up[:-1])) - 1.0

    def cheapest(self) -> NDArray[np.intp]:
        """Indices of the thresholds that are cheapest for some pair of costs: the corners of the ROC curve's hull."""
        across, up = (np.concatenate([[0.0], sums]) for sums in (self.others, self.found))
        place = np.arange(len(across))
        while len(place) > 2:
            x, y = across[place], up[place]
            # a point on or below the line between its neighbours is not the only cheapest one for any costs
            above = (x[1:-1] - x[:-2]) * (y[2:] - y[:-2]) < (y[1:-1] - y[:-2]) * (x[2:] - x[:-2])
            if above.all():
                break
            place = place[np.concatenate([[True], above, [True]])]
        return place[place > 0] - 1

    def thinned(self, most: int, *, also: float | None = None) -> NDArray[np.intp]:
        """Indices of about `most` thresholds that draw the curves, and of all that may be cheapest.

        The index of the threshold `also` is always included.
        """
        way = self.found / (self.found[-1] or 1.0) + self.others / (self.others[-1] or 1.0)
        step = np.floor(way * most / 2)
        last = np.flatnonzero(np.diff(step, append=np.inf))
        own = [] if also is None or self.place(also) < 0 else [self.place(also)]
        return np.unique(np.concatenate([last, self.cheapest(), own]).astype(np.intp))

    def place(self, threshold: float) -> int:
        """Index of the lowest score that is at least a threshold; −1 if there is none."""
        return int(np.searchsorted(-self.threshold, -threshold, side="right")) - 1


def rank(score: Floats, target: Floats, weight: Floats) -> Ranking:
    """Rank rows by a score; rows without weight do not count.

    Examples
    --------
    >>> import numpy as np
    >>> from glasswood.web.panels.performance._ranking import rank
    >>> ranking = rank(np.array([0.9, 0.2, 0.9, 0.4]), np.array([1.0, 0.0, 0.0, 1.0]), np.ones(4))
    >>> ranking.threshold.tolist(), ranking.found.tolist(), ranking.taken.tolist()
    ([0.9, 0.4, 0.2], [1.0, 2.0, 2.0], [2.0, 3.0, 4.0])
    """
    counted = weight > 0
    values, which = np.unique(np.round(score[counted], _DIGITS), return_inverse=True)
    mass, gain = weight[counted], (weight * target)[counted]
    found, taken = (exact_group_sums(which, sums, len(values))[::-1].cumsum() for sums in (gain, mass))
    return Ranking(values[::-1], found, taken)
