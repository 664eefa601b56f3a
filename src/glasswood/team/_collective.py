"""Collective: what members compute together: sums, largest numbers, lists of what each has, and agreement."""

import json
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from glasswood import errors
from glasswood.errors import GlasswoodError, OptionError, TableError
from glasswood.team._exchange import Exchange, Part

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
T = TypeVar("T")


def gather(team: Exchange, data: Part) -> list[Part]:
    """What every member gave, by rank."""
    return team.swap([data] * team.size)


def gather_json(team: Exchange, value: Any) -> list[Any]:
    """What every member gave, by rank; each must be JSON-ready."""
    return [json.loads(bytes(part)) for part in gather(team, json.dumps(value).encode())]


def gather_arrays(team: Exchange, values: NDArray[Any]) -> list[NDArray[Any]]:
    """The 1-D arrays of all members, by rank; all have one dtype."""
    return [np.frombuffer(part, dtype=values.dtype) for part in gather(team, memory_of(values))]


def add_up(team: Exchange, numbers: Any) -> Ints:
    """Sum of each whole number over all members."""
    own = np.ascontiguousarray(numbers, dtype=np.int64)
    if team.size == 1:
        return own.copy()
    sums: Ints = np.add.reduce(gather_arrays(team, own.ravel())).reshape(own.shape)
    return sums


def largest(team: Exchange, numbers: Any) -> Floats:
    """Largest of each number over all members; NaN if one has NaN."""
    found: Floats = np.maximum.reduce(gather_arrays(team, np.ascontiguousarray(numbers, dtype=np.float64)))
    return found


def sum_blocks(team: Exchange, numbers: Ints, sizes: Sequence[int]) -> Ints:
    """Block of this member, added up over all members; `sizes` are those of the blocks, one per member."""
    if team.size == 1:
        return numbers
    starts = np.cumsum([0, *sizes])
    blocks = [numbers[a:b] for a, b in pairwise(starts.tolist())]
    own = blocks[team.rank]
    parts = team.swap([memory_of(block) for block in blocks])
    for rank, part in enumerate(parts):
        if rank != team.rank:
            own += np.frombuffer(part, dtype=np.int64)
    team.recycle(parts)
    return own


def agree(team: Exchange, work: Callable[[], T]) -> T:
    """Do some work; if it raises an error for one member, all members raise it and say whose part was wrong."""
    if team.size == 1:
        return work()
    found: GlasswoodError | None = None
    try:
        result = work()
    except (TableError, OptionError) as error:
        found = error
    told = gather_json(team, None if found is None else [type(found).__name__, str(found)])
    for rank, problem in enumerate(told):
        if problem is not None:
            kind, message = problem
            raise getattr(errors, kind)(f"part {rank}: {message}") from found
    return result


def memory_of(values: NDArray[Any]) -> memoryview:
    """The bytes of a contiguous array, without a copy; a view of nothing if it is empty."""
    return values.data.cast("B") if values.size else memoryview(b"")
