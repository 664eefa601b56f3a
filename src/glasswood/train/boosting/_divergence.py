"""Divergence: stops boosting when the training loss grows without end or predictions become infinite."""

import math
from collections.abc import Sequence

import numpy as np

from glasswood.team import ALONE, Exchange, add_up
from glasswood.train.boosting._boosted_table import WatchedTable
from glasswood.train.boosting._losses import KernelLoss, Loss

_PATIENCE = 10  # rounds
_MAX_LOSS_RATIO = 2.0  # times the loss of the baseline; smaller increases can be noise if few rows are drawn


class Divergence:
    """Watches the training loss from round to round; for a user's loss, only whether raw is finite."""

    def __init__(self, loss: Loss, tables: Sequence[WatchedTable], n_threads: int, team: Exchange = ALONE) -> None:
        self._loss, self._tables, self._team = loss, tables, team
        self._start = tables[0].loss(loss, n_threads) if isinstance(loss, KernelLoss) else np.inf
        self._losses: list[float] = []
        self.found = ""

    def sees(self, train_loss: float) -> bool:
        """Record the loss of a round; return whether training must stop, for the reason in `found`."""
        infinite = [not table.predicts_numbers(self._loss) for table in self._tables]
        self._losses.append(np.inf if add_up(self._team, infinite).any() else train_loss)
        recent = self._losses[-_PATIENCE:]
        if math.isinf(recent[-1]):
            self.found = f"round {len(self._losses)} predicts infinities"
        elif (
            len(recent) == _PATIENCE
            and self._start > 0
            and all(loss > _MAX_LOSS_RATIO * self._start for loss in recent)
        ):
            self.found = (
                f"for {_PATIENCE} rounds the training loss was more than twice the {self._start:.6g} it began at"
            )
        return bool(self.found)

    @property
    def best_round(self) -> int:
        """Round with the smallest training loss and finite predictions, counted from 1; 0 if there is none."""
        return int(np.argmin(self._losses)) + 1 if np.isfinite(self._losses).any() else 0
