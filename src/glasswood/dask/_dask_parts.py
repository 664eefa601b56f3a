"""DaskParts: parts of rows on the workers of a cluster, or in this process where there is no cluster."""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np

from glasswood.dask._collections import check_same_partitions, need_dask, pieces_of
from glasswood.errors import TableError
from glasswood.explain import Parts

_CHAINS = 2  # per thread: parts of a chain come one after the other, so one of them lies in memory at a time


class DaskParts(Parts):
    """Delayed parts and their numbers among the partitions.

    Only merged results come to this process. They are merged on the workers first: in each chain of parts a task adds
    one part to what the tasks before it found. Tasks change nothing that they are given, because Dask may run one
    twice after a worker was lost.
    """

    def __init__(self, parts: Sequence[Any], numbers: Sequence[int], n_rows: Sequence[int] = ()) -> None:
        self._parts, self._numbers = list(parts), list(numbers)
        self.n_rows = tuple(n_rows)  # of all partitions, also those without a row

    def __len__(self) -> int:
        return len(self._parts)

    @classmethod
    def of_collections(cls, **collections: Any) -> "DaskParts":
        """Partitions with rows, each as a tuple of the tables; None stays None. The first collection has the rows.

        Raises `TableError` if no partition has a row, or if the others have other rows. Partitions are computed again
        for each use unless they are persisted.
        """
        given = {name: table for name, table in collections.items() if table is not None}
        check_same_partitions(given)
        pieces = {name: pieces_of(table) for name, table in given.items()}
        together = need_dask("dask").delayed(_together, pure=False)
        names = list(collections)
        n_parts = len(next(iter(pieces.values())))
        parts = [together(names, {name: some[k] for name, some in pieces.items()}) for k in range(n_parts)]
        n_rows = cls(parts, range(n_parts)).ask(_lengths)
        _check_lengths(list(given), n_rows)
        with_rows = [k for k, (n, *_) in enumerate(n_rows) if n]
        if not with_rows:
            raise TableError(f"no partition of {names[0]} has a row")
        return cls([parts[k] for k in with_rows], with_rows, [n for n, *_ in n_rows])

    def beside(self, pieces: Sequence[Any]) -> "DaskParts":
        """Each part with a piece of this process, as a tuple; pieces are in the order of the parts."""
        delayed = need_dask("dask").delayed
        pair = delayed(_pair, pure=False)
        sent = [delayed(piece, pure=False, traverse=False) for piece in pieces]
        return DaskParts([pair(*both) for both in zip(self._parts, sent, strict=True)], self._numbers, self.n_rows)

    def cut(self, rows: Any) -> list[Any]:
        """What belongs to the rows of each part, of an array with an entry for every row of all partitions."""
        ends = np.cumsum(self.n_rows)
        return [rows[ends[k] - self.n_rows[k] : ends[k]] for k in self._numbers]

    def first(self) -> Any:
        """The first part, in this process."""
        (part,) = need_dask("dask").compute(self._parts[0])
        return part

    def keep(self, function: Callable[..., Any], *given: Any) -> "DaskParts":
        """What the function returns, kept on the workers."""
        made = self.then(function, *given)
        return DaskParts(need_dask("dask").persist(*made._parts), self._numbers, self.n_rows)

    def then(self, function: Callable[..., Any], *given: Any) -> "DaskParts":
        """What the function returns, made anew for each use."""
        sent = _sent(function, given)
        call = need_dask("dask").delayed(_call, pure=False)
        made = [call(part, k, sent) for part, k in zip(self._parts, self._numbers, strict=True)]
        return DaskParts(made, self._numbers, self.n_rows)

    def merged(self, merge: Callable[[Any, Any], Any], function: Callable[..., Any], *given: Any) -> Any:
        """What the function returns of each part, merged in the order of the parts."""
        sent = _sent(function, given)
        call = need_dask("dask").delayed(_call_and_merge, pure=False)
        chains = []
        for some in np.array_split(np.arange(len(self._parts)), min(len(self._parts), _CHAINS * n_threads())):
            found = None
            for i in some.tolist():
                found = call(self._parts[i], self._numbers[i], sent, merge, found)
            chains.append(found)
        return reduce(merge, [found for (found,) in need_dask("dask").compute(*chains)])


def n_threads() -> int:
    """Threads of all workers; those of this process without a cluster."""
    try:
        client = need_dask("distributed").default_client()
    except ValueError:
        return int(need_dask("dask.system").CPU_COUNT)
    return max(1, int(sum(client.nthreads().values())))


def _sent(function: Callable[..., Any], given: tuple[Any, ...]) -> Any:
    """Sent once, not with every part; Dask need not look inside."""
    return need_dask("dask").delayed((function, given), pure=False, traverse=False)


def _check_lengths(names: list[str], n_rows: Sequence[Sequence[int]]) -> None:
    """Raise `TableError` if tables have other rows than the first, all of them or in a partition."""
    total = np.sum(np.array(n_rows, dtype=np.int64), axis=0).tolist()
    for i, name in enumerate(names):
        if total[i] != total[0]:
            raise TableError(f"{names[0]} has {total[0]} rows and {name} has {total[i]}")
        for k, found in enumerate(n_rows):
            if found[i] != found[0]:
                raise TableError(f"partition {k} of {names[0]} has {found[0]} rows, that of {name} has {found[i]}")


def _together(names: list[str], tables: dict[str, Any]) -> tuple[Any, ...]:
    """Runs on a worker, as do the others below."""
    return tuple(tables.get(name) for name in names)


def _pair(part: Any, piece: Any) -> tuple[Any, Any]:
    return part, piece


def _lengths(part: tuple[Any, ...]) -> list[int]:
    return [len(table) for table in part if table is not None]


def _call(part: Any, k: int, sent: tuple[Callable[..., Any], tuple[Any, ...]]) -> Any:
    function, given = sent
    try:
        return function(part, *given)
    except TableError as error:
        raise TableError(f"partition {k}: {error}") from None


def _call_and_merge(part: Any, k: int, sent: Any, merge: Callable[[Any, Any], Any], before: Any) -> tuple[Any]:
    """In a tuple, so that a result of None is told from none."""
    found = _call(part, k, sent)
    return (found,) if before is None else (merge(before[0], found),)
