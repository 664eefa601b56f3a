"""Partitions: collections with the same rows on the workers, and what is wrong with a partition before a fit begins."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from glasswood.dask._collections import check_same_partitions, no_rows, persisted
from glasswood.dask._fingerprint import fingerprint_of, joined_fingerprint
from glasswood.dask._placement import first_rows, holders_of
from glasswood.dask._workers import fetch, wait_for
from glasswood.errors import TableError

_NUMBERS, _WORDS = "numbers", "words or categories"


@dataclass(frozen=True, slots=True)
class _Shape:
    """What a partition holds, as it is told to the client."""

    n_rows: int
    columns: tuple[str, ...]
    kinds: tuple[str, ...]  # of each column; empty if it has no value


@dataclass(frozen=True, slots=True)
class Share:
    """The partitions of one member, by the keys under which its worker holds them."""

    keys: Mapping[str, list[str]]  # of X, y, …
    starts: list[int]  # number of the first row of each
    n_rows: list[int]
    empty: Mapping[str, Any]  # what the collections are without rows, for a member without partitions


class Partitions:
    """Collections with the same rows, computed on the workers and kept there.

    `fingerprint` tells their values if this is asked for, because it costs a look at every value; else it is empty.
    """

    def __init__(
        self,
        client: Any,
        collections: Mapping[str, Any],
        silence: float,
        where: str = "",
        *,
        with_fingerprint: bool = False,
    ) -> None:
        check_same_partitions(collections)
        self.futures = persisted(client, collections)
        self._client, self._silence = client, silence
        # a task for each partition of each collection: X and y may lie on different workers, and are not to be copied
        looks = [client.map(_shape_of, futures, pure=False) for futures in self.futures.values()]
        told = iter(fetch(client, [look for some in looks for look in some], silence))
        shapes = {name: [next(told) for _ in futures] for name, futures in self.futures.items()}
        for name, of_parts in shapes.items():
            _check_alike(where + name, of_parts, _shape_of(no_rows(collections[name])).columns)
        self.n_rows: list[int] = [shape.n_rows for shape in shapes["X"]]
        self.columns = shapes["X"][0].columns
        self._empty = {name: no_rows(table) for name, table in collections.items()}
        for name, of_parts in shapes.items():
            for k, (own, other) in enumerate(zip(self.n_rows, of_parts, strict=True)):
                if own != other.n_rows:
                    raise TableError(f"{where}partition {k} of X has {own} rows, that of {name} has {other.n_rows}")
        self.fingerprint = self._fingerprint() if with_fingerprint else ""

    def holders(self) -> list[list[str]]:
        """Workers that hold each partition of X; lost partitions are computed again first."""
        wait_for(self._client, self._all(), self._silence)
        futures = self.futures["X"]
        return holders_of([future.key for future in futures], self._client.who_has(futures))

    def bring(self, placed: Mapping[str, Sequence[int]]) -> "Brought":
        """Bring partitions to the workers that need them, where they are not there yet.

        Dask deletes copies of what several workers hold, whenever it likes. A member does not have its partitions as
        inputs of its task, so nothing tells Dask that it needs them: such a partition gets a key that only it has.
        """
        who_has = self._client.who_has(self._all())
        futures = {name: list(some) for name, some in self.futures.items()}
        moved = []
        for worker, numbers in placed.items():
            for some in futures.values():
                for k in numbers:
                    if tuple(who_has.get(some[k].key, ())) != (worker,):
                        some[k] = self._client.submit(_same, some[k], workers=[worker], pure=False)
                        moved.append(some[k])
        wait_for(self._client, moved, self._silence, list(placed))
        return Brought(futures, self.n_rows, self._empty)

    def _fingerprint(self) -> str:
        ordered = "row_id" not in self.futures  # otherwise the hash of a row has its number
        tell = partial(fingerprint_of, ordered=ordered)
        told = fetch(self._client, self._client.map(tell, *self.futures.values(), pure=False), self._silence)
        return joined_fingerprint(told, self.n_rows, ordered=ordered)

    def _all(self) -> list[Any]:
        return [future for futures in self.futures.values() for future in futures]


@dataclass(frozen=True, slots=True, eq=False)
class Brought:
    """Partitions that lie where a fit needs them, for as long as this object lives."""

    futures: Mapping[str, Sequence[Any]]
    n_rows: Sequence[int]
    empty: Mapping[str, Any]

    def share(self, some: Sequence[int]) -> Share:
        """What one member takes."""
        keys = {name: [futures[k].key for k in some] for name, futures in self.futures.items()}
        starts = first_rows(self.n_rows)
        return Share(keys, [starts[k] for k in some], [self.n_rows[k] for k in some], self.empty)


def _same(part: Any) -> Any:
    return part


def _shape_of(part: Any) -> _Shape:
    """Runs on the worker that holds the partition."""
    if isinstance(part, np.ndarray):
        n_columns = part.shape[1] if part.ndim > 1 else 1
        kind = _NUMBERS if part.dtype.kind in "biuf" else _WORDS if part.dtype.kind in "OSUT" else str(part.dtype)
        return _Shape(len(part), tuple(map(str, range(n_columns))), (kind,) * n_columns)
    columns = [part[name] for name in part.columns] if part.ndim == 2 else [part]
    names = tuple(map(str, part.columns)) if part.ndim == 2 else ("",)
    return _Shape(len(part), names, tuple(map(_kind_of, columns)))


def _kind_of(column: Any) -> str:
    if not column.iloc[:1].notna().any() and not column.notna().any():
        return ""
    dtype = column.dtype
    if getattr(dtype, "kind", "O") in "biuf":
        return _NUMBERS
    is_words = isinstance(dtype, np.dtype) and dtype.kind in "OSU"
    return (
        _WORDS if is_words or str(dtype).startswith(("str", "category", "dictionary", "large_string")) else str(dtype)
    )


def _check_alike(name: str, shapes: Sequence[_Shape], wanted: Sequence[str]) -> None:
    """Raise `TableError` if a partition has other columns than Dask says, or a column of another kind than others."""
    kinds: dict[str, tuple[int, str]] = {}
    for k, shape in enumerate(shapes):
        if shape.columns != wanted:
            raise TableError(
                f"partition {k} of {name} has the columns {', '.join(shape.columns)}; Dask knows {', '.join(wanted)}"
            )
        for column, kind in zip(shape.columns, shape.kinds, strict=True):
            before, known = kinds.setdefault(column, (k, kind)) if kind else (k, "")
            if kind and kind != known:
                what = f"column {column!r} of {name}" if column else name
                raise TableError(f"{what} holds {kind} in partition {k} and {known} in partition {before}")
