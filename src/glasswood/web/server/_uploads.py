"""Uploaded tables and models: bytes of a request → a frame or an Ensemble; no code in them is ever run."""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from glasswood.ensemble import Ensemble, features_of, is_glasswood, known_levels
from glasswood.errors import TableError
from glasswood.readers import as_ensemble, file_reader_of
from glasswood.tables import CategoryColumn, TableLimits, column_names, frame_of_file, pick_columns, read_table
from glasswood.web.server._upload_process import read_model_separately, read_parquet_separately

MAX_BYTES = 32 * 1024 * 1024
MAX_TABLE_ROWS = 100_000
MAX_TABLE_COLUMNS = 500
MAX_CELLS = 3_000_000
_MAX_MEMORY = 4 * MAX_BYTES  # peak memory of receiving and reading a file
MAX_TABLE_MEMORY = 40 * 1024 * 1024  # of a table after reading; it is in memory twice while it becomes a frame
_PARQUET = b"PAR1"  # first bytes of a Parquet file


@dataclass(frozen=True, slots=True, eq=False)
class SentTable:
    """A table as it was uploaded, and as a frame."""

    content: bytes | None  # of a CSV file, whose columns are read again for a model that knows their levels
    frame: Any
    n_rows: int

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        return column_names(self.frame)

    def to_dict(self) -> dict[str, Any]:
        """What the form needs: number of rows, and name and kind of each column."""
        return {"rows": self.n_rows, "columns": [{"name": name, "kind": self._kind(name)} for name in self.names]}

    def _kind(self, name: str) -> str:
        # column by column, because the whole table would be in memory once more
        column = read_table(pick_columns(self.frame, [name])).column(0)
        return "text" if isinstance(column, CategoryColumn) else "number"

    def without(self, target: str) -> Any:
        """All columns but the target."""
        return pick_columns(self.frame, [name for name in self.names if name != target])

    def features_of(self, model: Ensemble, target: str) -> Any:
        """The columns that a model needs, with the levels it knows."""
        frame = self.frame
        if self.content is not None:
            frame = frame_of_file(self.content, "the table", levels=known_levels(model.features))
        return features_of(frame, model.features, [target])


@dataclass(frozen=True, slots=True, eq=False)
class SentModel:
    """A model file as it was uploaded, and what was read from it."""

    content: bytes
    ensemble: Ensemble

    def checked(self, X: Any) -> Ensemble:
        """The model, compared with its library on rows of the table; only for a file that the user trusts.

        The library runs in a process of its own (decision 0075). A library that is not installed or does not answer is
        named in the certificate.
        """
        with TemporaryDirectory() as folder:
            path = Path(folder) / "model"
            path.write_bytes(self.content)
            return as_ensemble(path, X)


def read_sent_table(content: bytes) -> SentTable:
    """Read a CSV file in UTF-8 with a header, or a Parquet file if pyarrow is installed."""
    limits = TableLimits(MAX_TABLE_ROWS, MAX_TABLE_COLUMNS, MAX_CELLS, MAX_TABLE_MEMORY)
    packed = content[: len(_PARQUET)] == _PARQUET
    if packed:
        frame = read_parquet_separately(content, limits, _MAX_MEMORY - len(content))
    else:
        frame = frame_of_file(content, "the table", limits=limits)
    n_rows, n_columns = len(frame), len(column_names(frame))
    limits.check_size(n_rows, n_columns)
    if n_rows == 0:
        raise TableError("the table has no rows")
    return SentTable(None if packed else content, frame, n_rows)


def read_sent_model(content: bytes) -> Ensemble:
    """Read a model file of a supported library, or glasswood's own, with our own readers only.

    The library that wrote the file is not used unless the user asks for it (`SentModel.checked`), because its native
    code may trust the content of files.
    """
    if not is_glasswood(content):
        file_reader_of(content, "the model file")  # invalid files are refused without starting a process
    return read_model_separately(content, _MAX_MEMORY - len(content))
