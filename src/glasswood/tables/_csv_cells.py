"""CSV text → its cells, column by column, as joined text, because each Python string costs about fifty extra bytes."""

import csv
import io
import sys
from array import array
from collections.abc import Iterator
from itertools import accumulate, pairwise

from glasswood.errors import TableError
from glasswood.tables._limits import TableLimits

_DELIMITERS = ",;\t|"
_MAX_HELD = 65_536  # cells held as Python strings before they are packed
_MAX_CHARACTERS = 1_000_000  # total length of these cells
_MAX_KNOWN = 10_000  # distinct texts of a column that are shared between equal cells


class PackedCells:
    """The cells of one column: pieces of joined UTF-8 text, and the length of each cell."""

    def __init__(self) -> None:
        self._pieces: list[tuple[bytes, array[int]]] = []

    def add(self, cells: tuple[str, ...]) -> None:
        """Append cells."""
        short = max(map(len, cells), default=0) < 256
        self._pieces.append(("".join(cells).encode("utf-8"), array("B" if short else "i", map(len, cells))))

    def unpack(self, limits: TableLimits | None, kept: int) -> tuple[list[str], int]:
        """All cells and the number of bytes they take; raises if these and `kept` bytes exceed the limit.

        Equal texts share one string.
        """
        cells: list[str] = []
        known: dict[str, str] = {}
        size = 0
        for packed, lengths in self._pieces:
            if len(known) > _MAX_KNOWN:  # hardly any text occurs twice
                known.clear()
            text = packed.decode("utf-8")
            for start, end in pairwise(accumulate(lengths, initial=0)):
                cell = text[start:end]
                same = known.setdefault(cell, cell)
                if same is cell:
                    size += sys.getsizeof(cell)
                cells.append(same)
            if limits is not None:
                limits.check_memory(kept + size + 8 * len(cells))
        return cells, size + 8 * len(cells)


def read_cells(content: bytes, what: str, limits: TableLimits | None) -> tuple[list[str], list[PackedCells]]:
    """Names and cells of the columns; reading stops at the first limit that is exceeded."""
    try:
        return _read(content, what, limits)
    except UnicodeDecodeError:
        # in UTF-8 the byte of a line feed is never part of another character, so each line can be decoded alone
        for number, line in enumerate(io.BytesIO(content), start=1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                byte = line[error.start]
                raise TableError(f"{what} is not UTF-8 text: line {number} holds the byte {byte:#04x}") from None
        raise


def _read(content: bytes, what: str, limits: TableLimits | None) -> tuple[list[str], list[PackedCells]]:
    lines = _Lines(content, what, limits)
    reader = csv.reader(lines, delimiter=lines.delimiter, strict=True)
    try:
        header = [name.strip() for name in next(reader, [])]
        _check_header(header, what, limits)
        columns = [PackedCells() for _ in header]
        held: list[list[str]] = []
        n_rows = 0
        for row in reader:
            if len(row) == len(header):
                held.append(row)
                n_rows += 1
            elif row:  # a blank line is not a row
                raise TableError(f"{what}, line {reader.line_num}: {len(row)} cells for {len(header)} columns")
            lines.end_row()
            if limits is not None:
                limits.check_size(n_rows, len(header))
            if lines.unpacked > _MAX_CHARACTERS or len(held) * len(header) > _MAX_HELD:
                _pack(held, columns)
                lines.unpacked = 0
    except csv.Error as error:
        raise TableError(f"{what}, line {reader.line_num}: {_in_words(error)}") from None
    _pack(held, columns)
    return header, columns


def _in_words(error: csv.Error) -> str:
    """What Python's reader of CSV means."""
    text = str(error)
    if text == "unexpected end of data":
        return "a cell begins with a quote that is never closed"
    if text.startswith("field larger"):
        return f"a cell of more than {csv.field_size_limit():,} characters is not read; is a quote never closed?"
    return text


def _check_header(header: list[str], what: str, limits: TableLimits | None) -> None:
    if not header:
        raise TableError(f"{what} is empty; its first line must name the columns")
    if limits is not None:
        limits.check_size(0, len(header))
    seen: set[str] = set()
    for name in header:
        if name in seen:
            raise TableError(f"{what} has the column {name!r} more than once")
        seen.add(name)


def _pack(held: list[list[str]], columns: list[PackedCells]) -> None:
    for column, cells in zip(columns, zip(*held, strict=True), strict=bool(held)):
        column.add(cells)
    held.clear()


class _Lines:
    """Lines of the text, as `csv.reader` takes them; a row that is too long is refused before it is read completely."""

    def __init__(self, content: bytes, what: str, limits: TableLimits | None) -> None:
        self._text = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8-sig", newline="")
        self._what = what
        self._longest = -1 if limits is None else limits.line
        self._number = 0
        self._row = 0  # characters of the row that is being read
        self.unpacked = 0  # characters of all rows since the caller set it to 0
        self._first = self._next_line()
        self.delimiter = max(_DELIMITERS, key=self._first.count)

    def __iter__(self) -> Iterator[str]:
        yield self._first
        while line := self._next_line():
            yield line

    def end_row(self) -> None:
        """Mark the end of a row: the lines read so far form whole rows."""
        self._row = 0

    def _next_line(self) -> str:
        line = self._text.readline(self._longest)
        self._number += 1
        self._row += len(line)
        self.unpacked += len(line)
        if 0 <= self._longest <= self._row:
            raise TableError(
                f"{self._what}, line {self._number}: a row of more than {self._longest:,} characters is not read"
            )
        return line
