"""Rows whose targets are known, and the predictions of the model for them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import AlignedRows, Ensemble
from glasswood.explain import TargetRows
from glasswood.web.panels.performance._groups import Groups, group_feature


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """Rows, their targets and weights, and the predictions of the model."""

    ensemble: Ensemble
    rows: AlignedRows
    target: TargetRows
    said: NDArray[np.float64]  # (n_rows, n_outputs)
    weight: NDArray[np.float64]  # (n_rows,)
    features: tuple[int, ...]  # features to group rows by, the most important first
    dates: frozenset[str] = frozenset()  # features that are dates

    def feature_groups(self) -> Iterator[Groups]:
        """Rows grouped by each feature; a feature with a single group is left out."""
        for feature in self.features:
            groups = group_feature(self.rows, self.ensemble.features, feature, self.weight, self.dates)
            if len(groups.words) > 1:
                yield groups
