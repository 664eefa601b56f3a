"""Collections: Dask frames and arrays as lists of partitions, and what is wrong with them before any work is done."""

import importlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from glasswood.errors import MissingDependencyError, TableError


def need_dask(module: str) -> Any:
    """Import a module of dask or distributed."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingDependencyError('glasswood.dask needs dask: pip install "glasswood[dask]"') from error


def is_collection(X: Any) -> bool:
    """Whether X is a Dask frame, series or array."""
    return bool(need_dask("dask").is_dask_collection(X)) and hasattr(X, "ndim") and hasattr(X, "persist")


def check_collection(X: Any, name: str, instead: str) -> None:
    """Raise `TableError` unless X is a Dask collection that can be cut into rows; `instead` takes other tables."""
    if not is_collection(X):
        raise TableError(f"{name} is a {type(X).__name__}, not a Dask frame, series or array; use {instead} for it")
    if is_array(X) and X.ndim == 2 and X.numblocks[1] > 1:
        raise TableError(f"{name} is cut into {X.numblocks[1]} pieces by column; give {name}.rechunk({{1: -1}})")


def is_array(X: Any) -> bool:
    """Whether a collection is an array and not a frame or series."""
    return hasattr(X, "numblocks")


def no_rows(table: Any) -> Any:
    """What the partitions of a collection look like, as Dask knows it."""
    return np.empty((0, *table.shape[1:]), dtype=table.dtype) if is_array(table) else table._meta


def kinds_of(X: Any) -> list[list[Any]]:
    """Name, dtype and known levels of each column, ready for JSON."""
    if is_array(X):
        return [[str(j), str(X.dtype), None] for j in range(X.shape[1] if X.ndim > 1 else 1)]
    found = []
    for name, dtype in X._meta.dtypes.items():
        levels = getattr(dtype, "categories", None)
        found.append([str(name), str(dtype), None if levels is None else [str(level) for level in levels]])
    return found


def n_partitions(X: Any) -> int:
    """Pieces by rows."""
    return int(X.numblocks[0] if is_array(X) else X.npartitions)


def check_same_partitions(collections: Mapping[str, Any]) -> None:
    """Raise `TableError` if the numbers of partitions differ."""
    (first, X), *others = collections.items()
    for name, other in others:
        if n_partitions(other) != n_partitions(X):
            raise TableError(
                f"{first} has {n_partitions(X)} partitions and {name} has {n_partitions(other)}; cut both alike, for "
                "example by taking both from one collection, persisted before"
            )


def tables_of(X: Any) -> Iterator[Any]:
    """Partitions with rows, computed one after the other."""
    for k in range(n_partitions(X)):
        table = (X.blocks[k] if is_array(X) else X.get_partition(k)).compute()
        if len(table):
            yield table


def pieces_of(X: Any) -> list[Any]:
    """Partitions, each computed later."""
    pieces: list[Any] = np.ravel(np.asarray(X.to_delayed(), dtype=object)).tolist()
    if len(pieces) != n_partitions(X):  # Dask joins partitions of a Parquet table of which few columns are read
        pieces = [X.partitions[k].to_delayed()[0] for k in range(n_partitions(X))]
    return pieces


def persisted(client: Any, collections: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Futures of the partitions of each collection, in their order; the partitions stay on the workers."""
    pieces = {name: pieces_of(X) for name, X in collections.items()}
    futures = iter(client.compute([piece for some in pieces.values() for piece in some]))  # what they share, once
    return {name: [next(futures) for _ in some] for name, some in pieces.items()}
