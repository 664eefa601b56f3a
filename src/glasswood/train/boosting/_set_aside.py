"""Set aside: rows that are not trained on but tell when to stop."""

import numpy as np
from numpy.typing import NDArray

from glasswood.errors import OptionError
from glasswood.team import ALONE, Exchange, add_up, draw_rows
from glasswood.train.boosting._table import BoostingTable

_VALIDATION_STREAM = 2**63 + 1  # a stream of random numbers that neither the rounds nor the edges use


def set_aside(
    train: BoostingTable, fraction: float, seed: int, team: Exchange = ALONE
) -> tuple[BoostingTable, BoostingTable]:
    """Draw validation rows for early stopping; returns the rows left for training and the validation rows.

    Only rows with weight are drawn, because the loss of the others is not measured.
    """
    n_rows = train.rows.n_rows
    counted = np.flatnonzero(train.weight > 0) if len(train.weight) else np.arange(n_rows)
    n = int(add_up(team, [len(counted)])[0])
    n_valid = round(fraction * n)
    if not 0 < n_valid < n:
        raise OptionError(
            f"validation_fraction={fraction:g} of {n} rows leaves none for training or none for validation"
        )
    drawn, _ = draw_rows(team, counted.astype(np.uint32), train.row_id, n_valid, seed, _VALIDATION_STREAM)
    valid = drawn.astype(np.int64)
    rest = np.setdiff1d(np.arange(n_rows), valid)
    return _take(train, rest, "train"), _take(train, valid, "validation")


def _take(table: BoostingTable, rows: NDArray[np.int64], name: str) -> BoostingTable:
    return BoostingTable(
        name=name,
        rows=table.rows.take(rows),
        y=table.y[rows],
        weight=table.weight[rows] if len(table.weight) else table.weight,
        offset=None if table.offset is None else np.ascontiguousarray(table.offset[:, rows]),
        row_id=table.row_id[rows] if len(table.row_id) else rows.astype(np.int64),  # keeps the key of the row's draws
    )
