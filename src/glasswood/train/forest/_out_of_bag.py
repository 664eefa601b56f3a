"""Out-of-bag prediction: every row predicted by the trees that did not draw it."""

import numpy as np
from numpy.typing import NDArray

from glasswood._jobs import resolve_n_jobs
from glasswood.ensemble import Ensemble
from glasswood.train._training_table import TrainingTable
from glasswood.train.forest._grow import drawn_counts
from glasswood.train.forest._options import ForestOptions

_CHUNK = 8_192  # rows at once, a multiple of 8: leaf numbers of a thousand trees then take 33 MB


def out_of_bag(
    ensemble: Ensemble,
    table: TrainingTable,
    weight: NDArray[np.float64] | None,
    options: ForestOptions,
    *,
    seed: int,
    n_jobs: int | None = None,
) -> NDArray[np.float64]:
    """Mean over the trees that did not draw the row; NaN if every tree drew it.

    Returns
    -------
    ndarray of float64, (n_rows, n_outputs)
    """
    n_rows, n_trees = table.rows.n_rows, ensemble.n_trees
    # one bit per row and tree, because the counts for 300,000 rows and 1,000 trees would take 2.4 GB
    left_out = np.array(
        [
            np.packbits(drawn_counts(weight, n_rows, options, seed=seed, tree=tree) == 0, bitorder="little")
            for tree in range(n_trees)
        ]
    )
    value = ensemble.value * n_trees
    out = np.full((n_rows, ensemble.n_outputs), np.nan)
    for start in range(0, n_rows, _CHUNK):
        rows = slice(start, min(start + _CHUNK, n_rows))
        part = table.rows.take(rows)
        leaf = ensemble._plan().apply(part.data, resolve_n_jobs(n_jobs)) + ensemble.tree_start[:-1]
        bits = left_out[:, start // 8 : (rows.stop + 7) // 8]
        counts = np.unpackbits(bits, axis=1, count=rows.stop - start, bitorder="little").T  # (rows, trees)
        summed = np.stack([(value[leaf, k] * counts).sum(axis=1) for k in range(ensemble.n_outputs)], axis=1)
        n_counted = counts.sum(axis=1, dtype=np.int64)[:, None]
        np.divide(summed, n_counted, out=out[rows], where=n_counted > 0)
    return out
