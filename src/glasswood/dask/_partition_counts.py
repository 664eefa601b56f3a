"""Counts of rows made by the workers that hold them: each adds its partitions up, the client adds up their sums."""

from functools import reduce
from typing import Any

import numpy as np

from glasswood.dask._collections import need_dask, pieces_of, tables_of
from glasswood.dask._weight_unit import weight_unit_of
from glasswood.errors import TableError
from glasswood.explain.effects import PartCounts, PartSums, PartTask
from glasswood.tables import frame_kind

_CHAINS = 2  # per thread: partitions of a chain are counted one after the other, so one lies in memory at a time


class PartitionCounts(PartCounts):
    """The rows of a collection, with the weights of another one or None."""

    def __init__(self, X: Any, sample_weight: Any) -> None:
        self._pieces = pieces_of(X)
        self._weights = [None] * len(self._pieces) if sample_weight is None else pieces_of(sample_weight)
        # with rows, so that models are checked on them
        self.first = next(tables_of(X), None)
        if self.first is None:
            raise TableError("no partition of X has a row")
        self.kind = frame_kind(self.first)
        self.unit = None if sample_weight is None else weight_unit_of(sample_weight)

    def add_up(self, task: PartTask) -> PartSums:
        """Count every partition, and add the sums up."""
        delayed = need_dask("dask").delayed
        # sent once, not with every partition; Dask need not look inside
        given, count = delayed(task, pure=False, traverse=False), delayed(_count, pure=False)
        chains = []
        for some in np.array_split(np.arange(len(self._pieces)), min(len(self._pieces), _CHAINS * _n_threads())):
            sums = None
            for k in some.tolist():
                sums = count(given, sums, k, self._pieces[k], self._weights[k])
            chains.append(sums)
        found: list[PartSums] = [sums for sums in need_dask("dask").compute(*chains) if sums is not None]
        return reduce(PartSums.plus, found)


def _count(task: PartTask, before: PartSums | None, k: int, X: Any, sample_weight: Any) -> PartSums | None:
    """Add the sums of a partition to those before it. Runs on a worker, perhaps more than once."""
    if not len(X):
        return before
    try:
        sums = task.count(X, sample_weight)
    except TableError as error:
        raise TableError(f"partition {k}: {error}") from None
    return sums if before is None else before.plus(sums)


def _n_threads() -> int:
    """Threads of all workers; those of this process without a cluster."""
    try:
        client = need_dask("distributed").default_client()
    except ValueError:
        return int(need_dask("dask.system").CPU_COUNT)
    return max(1, int(sum(client.nthreads().values())))
