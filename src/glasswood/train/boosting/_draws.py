"""Draws: which rows and features each tree is grown on. They depend on the seed and the numbers of rows alone."""

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.team import ALONE, Exchange, add_up, draw_rows
from glasswood.train.boosting._options import BoostingOptions
from glasswood.train.boosting._table import BoostingTable

Numbers = NDArray[np.uint32]

ROUNDING_STREAM = 2**32  # from here on, one stream of random numbers per tree for the rounding of gradients
_COLUMN_STREAM = 2**62  # streams from here on draw columns, those below `ROUNDING_STREAM` draw rows
_BY_POSITION = np.empty(0, dtype=np.int64)


class Draws:
    """Draws rows per round and features per tree."""

    def __init__(
        self, table: BoostingTable, n_features: int, options: BoostingOptions, seed: int, team: Exchange = ALONE
    ) -> None:
        n, weight = table.rows.n_rows, table.weight
        self.counted = np.flatnonzero(weight > 0).astype(np.uint32) if len(weight) else np.arange(n, dtype=np.uint32)
        # rows without weight are not trained on, but their raw is updated
        self.resting = np.flatnonzero(weight == 0).astype(np.uint32)
        self.n_rows = int(add_up(team, [len(self.counted)])[0])  # of all members
        self.n_drawn = max(1, round(options.subsample * self.n_rows))  # by all members
        self._features = np.arange(n_features, dtype=np.uint32)
        self._n_features = max(1, round(options.colsample * n_features))
        self._row_id, self._seed, self._team = table.row_id, seed, team

    def rows(self, number: int) -> tuple[Numbers, Numbers]:
        """Rows that a round draws, and all others."""
        if self.n_drawn >= self.n_rows:
            return self.counted, self.resting
        drawn, left_out = draw_rows(self._team, self.counted, self._row_id, self.n_drawn, self._seed, number)
        return drawn, np.concatenate([left_out, self.resting]) if len(self.resting) else left_out

    def columns(self, tree: int) -> Numbers:
        """Features that a tree may use, ascending."""
        if self._n_features >= len(self._features):
            return self._features
        return _native.choose_rows(self._features, _BY_POSITION, self._n_features, self._seed, _COLUMN_STREAM + tree)[0]
