"""Sent tables and models: bytes of a request → a frame or an Ensemble; nothing in them is ever run."""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from glasswood.ensemble import Ensemble, features_of, known_levels
from glasswood.errors import GlasswoodError, MissingDependencyError, TableError
from glasswood.readers import read
from glasswood.tables import CategoryColumn, column_names, frame_of_file, pick_columns, read_table

MAX_BYTES = 32 * 1024 * 1024
MAX_TABLE_ROWS = 100_000
MAX_TABLE_COLUMNS = 500
MAX_CELLS = 3_000_000
_PARQUET = b"PAR1"  # how a Parquet file begins


@dataclass(frozen=True, slots=True, eq=False)
class SentTable:
    """A table as it was sent, and as a frame."""

    content: bytes
    frame: Any
    n_rows: int

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        return column_names(self.frame)

    def to_dict(self) -> dict[str, Any]:
        """What a form needs to know: rows, and name and kind of each column."""
        table = read_table(self.frame)
        kinds = ["text" if isinstance(table.column(j), CategoryColumn) else "number" for j in range(table.n_columns)]
        columns = [{"name": name, "kind": kind} for name, kind in zip(self.names, kinds, strict=True)]
        return {"rows": self.n_rows, "columns": columns}

    def without(self, target: str) -> Any:
        """All columns but the target."""
        return pick_columns(self.frame, [name for name in self.names if name != target])

    def features_of(self, model: Ensemble, target: str) -> Any:
        """The columns a model asks for, read as it knows them."""
        frame = frame_of_file(self.content, "the table", levels=known_levels(model.features))
        return features_of(frame, model.features, [target])


def read_sent_table(content: bytes) -> SentTable:
    """Read a CSV file in UTF-8 with a header, or a Parquet file where pyarrow is installed."""
    if content[: len(_PARQUET)] == _PARQUET:
        _check_parquet(content)
    elif content.count(b"\n") > MAX_TABLE_ROWS + 1:
        raise TableError(f"the table has more than {MAX_TABLE_ROWS:,} rows; send a sample of it")
    frame = frame_of_file(content, "the table")
    n_rows, n_columns = len(frame), len(column_names(frame))
    _check_size(n_rows, n_columns)
    if n_rows == 0:
        raise TableError("the table has no rows")
    return SentTable(content, frame, n_rows)


def read_sent_model(content: bytes) -> Ensemble:
    """Read a model file of a supported library, or glasswood's own, with our own readers only.

    The library that wrote it is not asked: what a stranger sent is not given to native code that trusts its files.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        path.write_bytes(content)
        try:
            return read(path)
        except GlasswoodError as error:
            raise type(error)(str(error).replace(str(path), "the model file")) from None


def _check_size(n_rows: int, n_columns: int) -> None:
    if n_rows > MAX_TABLE_ROWS:
        raise TableError(f"the table has more than {MAX_TABLE_ROWS:,} rows; send a sample of it")
    if n_columns > MAX_TABLE_COLUMNS:
        raise TableError(f"the table has {n_columns:,} columns; at most {MAX_TABLE_COLUMNS} are read")
    if n_rows * n_columns > MAX_CELLS:
        raise TableError(f"the table has more than {MAX_CELLS:,} cells; send a sample of it")


def _check_parquet(content: bytes) -> None:
    """Look at the sizes before anything is unpacked: a small file may hold very many rows."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise MissingDependencyError("reading Parquet needs pyarrow: pip install pyarrow") from None
    try:
        about = parquet.ParquetFile(pyarrow.BufferReader(content)).metadata
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise TableError(f"the Parquet file cannot be read: {error}") from None
    _check_size(about.num_rows, about.num_columns)
    size = sum(about.row_group(k).total_byte_size for k in range(about.num_row_groups))
    if size > 8 * MAX_BYTES:
        raise TableError(f"the Parquet file unpacks to {size // 2**20:,} MB; send a sample of it")
