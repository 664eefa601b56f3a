"""read_csv: comma-separated text → typed columns, by rules one can state."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.errors import TableError
from glasswood.tables._columns import Label

MISSING_WORDS = frozenset({"", "NA", "N/A", "NaN", "nan", "NULL", "null", "None", "<NA>"})
_TRUTH = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_DELIMITERS = ",;\t|"


def read_csv(content: bytes, *, what: str = "the file", levels: Mapping[str, Sequence[Label]] | None = None) -> Any:
    """Read the columns of a CSV file.

    The first line names the columns; the one of ``, ; tab |`` that occurs most often in it separates cells. The cells
    ``NA``, ``N/A``, ``NaN``, ``null``, ``None``, ``<NA>`` and the empty one are missing. A column is whole numbers,
    numbers or truth values if all its other cells are, else text.

    Parameters
    ----------
    content : bytes
        The file, in UTF-8.
    what : str
        What to call it in errors.
    levels : mapping of str to sequence, optional
        Columns known to be categories, with their levels: where these are text the column stays text, and a level
        is not missing whatever its name. Without any levels every cell but the empty one is a level.

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
    header, rows = _cells(content, what)
    columns = zip(*rows, strict=True) if rows else [()] * len(header)
    known = levels or {}
    return {name: _typed(cells, known.get(name)) for name, cells in zip(header, columns, strict=True)}


def _cells(content: bytes, what: str) -> tuple[list[str], list[list[str]]]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise TableError(f"{what} is not UTF-8 text: line {line} holds the byte {content[error.start]:#04x}") from None
    first = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[list[str]] = []
    try:
        header = [name.strip() for name in next(reader, [])]
        for row in reader:
            if len(row) == len(header):
                rows.append(row)
            elif row:  # a blank line is no row
                raise TableError(f"{what}, line {reader.line_num}: {len(row)} cells for {len(header)} columns")
    except csv.Error as error:
        raise TableError(f"{what}, line {reader.line_num}: {error}") from None
    if not header:
        raise TableError(f"{what} is empty; its first line must name the columns")
    twice = sorted({name for name in header if header.count(name) > 1})
    if twice:
        raise TableError(f"{what} has the column {twice[0]!r} more than once")
    return header, rows


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
    """Whole numbers, numbers or truth values; None where a cell is none of them."""
    if cells and all(cell in _TRUTH for cell in set(cells)):
        return np.array([_TRUTH[cell] for cell in cells])
    if any("_" in cell for cell in cells):  # Python's number 1_000 is nobody's in a file
        return None
    try:
        return np.array(list(map(int, cells)), dtype=np.int64)
    except (ValueError, OverflowError):
        pass
    try:
        return np.array(list(map(float, cells)), dtype=np.float64)
    except ValueError:
        return None
