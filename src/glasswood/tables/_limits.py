"""TableLimits: how large a table from an untrusted file may be, checked while it is read."""

from dataclasses import dataclass

from glasswood.errors import TableError


@dataclass(frozen=True, slots=True)
class TableLimits:
    """The largest number of rows, columns, cells and bytes that are read from one table."""

    rows: int
    columns: int
    cells: int
    memory: int  # bytes of the table once it is read
    line: int = 1_000_000  # characters of one row of a CSV file

    def check_size(self, n_rows: int, n_columns: int) -> None:
        """Raise an error that names the limit that a table of this size exceeds."""
        if n_columns > self.columns:
            raise TableError(f"the table has {n_columns:,} columns; at most {self.columns:,} are read")
        if n_rows > self.rows:
            raise TableError(f"the table has more than {self.rows:,} rows; send a sample of it")
        if n_rows * n_columns > self.cells:
            raise TableError(f"the table has more than {self.cells:,} cells; send a sample of it")

    def check_memory(self, n_bytes: int) -> None:
        """Raise if what was read so far takes too much memory."""
        if n_bytes > self.memory:
            raise TableError(
                f"the table takes more than {self.memory // 2**20} MB of memory once it is read; leave out columns of "
                "long text, or send a sample of it"
            )
