"""FitPlan: what is decided before the first round, wherever the trees are grown."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from glasswood.team import Exchange
from glasswood.train.boosting._binning import Binning
from glasswood.train.boosting._constraints import Constraints
from glasswood.train.boosting._losses import Loss
from glasswood.train.boosting._options import BoostingOptions
from glasswood.train.boosting._table import BoostingTable


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FitPlan:
    """Tables, bins and options of a fit."""

    tables: Sequence[BoostingTable]  # the training table first
    binning: Binning
    baseline: NDArray[np.float64]
    grown: Ensemble | None  # trees of earlier rounds
    loss: Loss
    options: BoostingOptions
    constraints: Constraints
    weighted: bool  # rows have weights, here or elsewhere in the team
    symmetric: bool  # all nodes of a level ask the same question
    shared: bool  # the trees of all outputs of a round ask the same questions
    team: Exchange
    seed: int
    n_threads: int

    @property
    def train(self) -> BoostingTable:
        """The training table."""
        return self.tables[0]
