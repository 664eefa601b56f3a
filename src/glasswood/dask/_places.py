"""Places: where the rows of a member lie among the partitions, so that an error names what the user can look up."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from glasswood.errors import GlasswoodError

_ROW = re.compile(r"(?:eval(\d+): )?(?:part (\d+): )?(.*?\brow )(\d+)\b", re.DOTALL)
_PART = re.compile(r"((?:eval\d+: )?)part (\d+): ")
_OF_ALL_ROWS = ("is missing", "is infinite", "is negative")  # found before rows are set aside


def with_places(
    error: GlasswoodError,
    placed: Mapping[str, Sequence[int]],
    dealt: Sequence[Mapping[str, Sequence[int]]],
    n_rows: Sequence[Sequence[int]],
    *,
    set_aside: bool = False,
) -> Any:
    """The error of a member, with the partition and the row within it.

    Parameters
    ----------
    error : GlasswoodError
        It names a row of a member.
    placed : mapping
        Partitions of X of each worker, by rank.
    dealt : sequence of mappings
        The same of each evaluation table.
    n_rows : sequence of sequences
        Rows of the partitions of X, and of each evaluation table.
    set_aside : bool
        Rows were set aside for early stopping: a row that was counted afterwards cannot be found again.
    """
    message = str(error)
    found = _ROW.match(message)
    if found and not (set_aside and not any(what in message for what in _OF_ALL_ROWS)):
        table, rank, what, row = found.groups()
        of_table = 0 if table is None else int(table) + 1
        partitions = [placed, *dealt][of_table][list(placed)[int(rank or 0)]]
        k, within = _partition_of(int(row), partitions, n_rows[of_table])
        where = "" if table is None else f"eval{table}: "
        return type(error)(f"{where}partition {k}: {what}{within}{message[found.end() :]}")
    told = _PART.match(message)
    if told:
        worker = list(placed)[int(told[2])]
        return type(error)(f"{told[1]}worker {worker}: {message[told.end() :]}")
    return error


def _partition_of(row: int, partitions: Sequence[int], n_rows: Sequence[int]) -> tuple[int, int]:
    """The partition of a row of a member, and the row within it."""
    for k in partitions:
        if row < n_rows[k]:
            return k, row
        row -= n_rows[k]
    raise IndexError(row)
