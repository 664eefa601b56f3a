"""read_csv: comma-separated text → columns with types, by fixed rules."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.tables._columns import Label
from glasswood.tables._csv_cells import read_cells
from glasswood.tables._limits import TableLimits

MISSING_WORDS = frozenset({"", "NA", "N/A", "NaN", "nan", "NULL", "null", "None", "<NA>"})
_TRUTH = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}


def read_csv(
    content: bytes,
    *,
    what: str = "the file",
    levels: Mapping[str, Sequence[Label]] | None = None,
    limits: TableLimits | None = None,
) -> Any:
    """Read the columns of a CSV file.

    The first line names the columns; the one of ``, ; tab |`` that occurs most often in it separates cells. The cells
    ``NA``, ``N/A``, ``NaN``, ``null``, ``None``, ``<NA>`` and the empty one are missing. A column is whole numbers,
    numbers or truth values if all its other cells are; otherwise it is text.

    Parameters
    ----------
    content : bytes
        The file, in UTF-8.
    what : str
        What to call it in errors.
    levels : mapping of str to sequence, optional
        Columns known to be categories, with their levels. If the levels are text, the column stays text, and a cell
        that is a level is never missing, even if it reads "NA". If a column's levels are empty, every cell except the
        empty one is a level.
    limits : TableLimits, optional
        What is refused as too large, before it is in memory.

    Returns
    -------
    dict of str to ndarray or list
        As `make_frame` takes it: text as a list with None for missing.

    Raises
    ------
    TableError
        If it is not such a file; the message names the line.

    Examples
    --------
    >>> from glasswood.tables import read_csv
    >>> read_csv(b"age,sex\\n22,male\\nNA,female\\n")
    {'age': array([22., nan]), 'sex': ['male', 'female']}
    """
    header, columns = read_cells(content, what, limits)
    known = levels or {}
    found: dict[str, NDArray[Any] | list[str | None]] = {}
    kept = 0  # bytes
    for name in header:
        cells, size = columns.pop(0).unpack(limits, kept)
        column = found[name] = _typed(cells, known.get(name))
        kept += column.nbytes if isinstance(column, np.ndarray) else size
    return found


def _typed(cells: Sequence[str], levels: Sequence[Label] | None) -> NDArray[Any] | list[str | None]:
    if levels is not None and not levels:
        return [cell or None for cell in cells]
    kept = {level for level in levels or () if isinstance(level, str)}
    missing = MISSING_WORDS - kept
    if kept:
        return [None if cell in missing else cell for cell in cells]
    stripped = [cell.strip() for cell in cells]
    present = [cell for cell in stripped if cell not in missing]
    values = _numbers(present)
    if values is None:
        return [None if cell.strip() in missing else cell for cell in cells]
    if len(present) == len(stripped):
        return values
    out = np.full(len(stripped), np.nan)
    out[[cell not in missing for cell in stripped]] = values
    return out


def _numbers(cells: list[str]) -> NDArray[Any] | None:
    """Whole numbers, numbers or truth values; None if any cell is something else."""
    if cells and all(cell in _TRUTH for cell in set(cells)):
        return np.array([_TRUTH[cell] for cell in cells])
    if any("_" in cell for cell in cells):  # Python reads 1_000 as a number; in a file it is text
        return None
    try:
        return np.array(list(map(int, cells)), dtype=np.int64)
    except (ValueError, OverflowError):
        pass
    try:
        return np.array(list(map(float, cells)), dtype=np.float64)
    except ValueError:
        return None
