"""Background: the rows with which the chosen row is compared, the same in Python and in the page."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.tables import Table, pick_rows, read_weight
from glasswood.web.panels._sample import few_values, thin_rows
from glasswood.web.panels._subject import Subject

_BACKGROUND = 100  # the page averages over all of them at every change
_MIN_BACKGROUND = 10
_MAX_CELLS = 50_000  # rows of the background times features, in a page of limited size
_MAX_WORK = 20_000_000  # nodes of the model times rows of the background; takes a few seconds


def background_of(subject: Subject) -> tuple[Table, NDArray[Any] | None, NDArray[np.int64] | None]:
    """Rows, their weights (None: all equal), and their numbers (None: all rows of the table)."""
    ensemble, table = subject.ensemble(), subject.rows()
    most = min(_BACKGROUND, _MAX_WORK // ensemble.n_nodes)
    if subject.max_tree_bytes is not None:
        most = min(most, _MAX_CELLS // max(1, len(np.unique(ensemble.feature))))
    some = thin_rows(table.n_rows, max(_MIN_BACKGROUND, most))
    weight = few_values(read_weight(subject.sample_weight, table.n_rows), some)
    return table if some is None else pick_rows(table, some), weight, some
