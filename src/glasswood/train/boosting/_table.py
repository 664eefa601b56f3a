"""BoostingTable: rows with target, weight and offset, and the checks that boosting makes."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from glasswood._exact import largest_size
from glasswood.ensemble import AlignedRows
from glasswood.errors import OptionError, TableError
from glasswood.team import ALONE, Exchange, add_up, agree, largest
from glasswood.train._parted_rows import PartedRows
from glasswood.train._training_table import check_n_rows
from glasswood.train.boosting._losses import Loss

Floats = NDArray[np.float64]

# products of two weights and two squared targets must stay finite
_MAX_WEIGHT = 1e30
# a float64 has 53 bits, so beside a number this many times as large, another keeps 8 of them
_HIDING_RATIO = 2.0**45


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BoostingTable:
    """The training table or an evaluation table."""

    name: str
    rows: AlignedRows | PartedRows
    y: Floats  # (n,) for logistic and softmax the number of the class
    weight: Floats = field(default_factory=lambda: np.empty(0))  # (n,), empty: all 1
    offset: Floats | None = None  # (n_outputs, n), added to raw
    row_id: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))  # (n,), empty: the position

    @property
    def whole_rows(self) -> AlignedRows:
        """The rows, where only a table in one piece will do."""
        if isinstance(self.rows, PartedRows):
            raise OptionError(f"{self.name}: a table in parts is fitted on the CPU only; set device='cpu'")
        return self.rows

    def offset_of(self, n_outputs: int) -> Floats:
        """The offset; zeros if there is none."""
        return np.zeros((n_outputs, len(self.y))) if self.offset is None else self.offset


def check_tables(loss: Loss, train: BoostingTable, evaluate: Sequence[BoostingTable], team: Exchange = ALONE) -> None:
    """Raise `TableError` if weights, targets or offsets of a table are not allowed by the loss or too large."""
    agree(team, lambda: check_n_rows(train.rows.n_rows))
    _check_weight(train.weight, team)
    loss.check_training(train.y, train.offset, train.weight)
    for table in evaluate:
        try:
            _check_weight(table.weight, team)
            loss.check(table.y, table.offset, table.weight)
        except TableError as error:
            raise TableError(f"{table.name}: {error}") from None


def lost_targets(train: BoostingTable) -> str:
    """A message about a target that hides the differences between most others; empty if there is none."""
    sizes = train.y if train.offset is None else train.y - train.offset[0]
    if not len(sizes):
        return ""
    some = sizes[:: max(1, len(sizes) // 1000)]  # enough for the typical size
    largest, typical = largest_size(sizes), float(np.median(np.abs(some - np.median(some))))
    if not 0 < typical < largest / _HIDING_RATIO:
        return ""
    return (
        f"y is as large as {largest:g} in row {int(np.abs(sizes).argmax())}, while half of the rows lie within "
        f"{typical:g} of the middle: beside it their differences are lost; leave it out, or fit a transform of y"
    )


def _check_weight(weight: Floats, team: Exchange) -> None:
    heaviest = float(largest(team, [weight.max(initial=0.0)])[0])
    if add_up(team, [len(weight)])[0] and not 1 / _MAX_WEIGHT <= heaviest <= _MAX_WEIGHT:
        raise TableError(
            f"the largest sample_weight is {heaviest:g}, which boosting takes from {1 / _MAX_WEIGHT:g} to "
            f"{_MAX_WEIGHT:g}: multiply the weights by a constant first"
        )
