"""write_table_file: a frame → a CSV or Parquet file."""

import csv
import math
import os
from pathlib import Path
from typing import Any

import narwhals as nw

from glasswood.errors import MissingDependencyError, TableError


def write_table_file(frame: Any, path: str | os.PathLike[str]) -> None:
    """Write a frame; the suffix of the name, ``.csv`` or ``.parquet``, decides the format.

    Numbers are written with all their digits; a missing value is an empty cell.

    Parameters
    ----------
    frame : pandas.DataFrame, polars.DataFrame or pyarrow.Table
        What to write.
    path : path
        Where to write; an existing file is replaced.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from glasswood.tables import make_frame, write_table_file
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "rows.csv"
    ...     write_table_file(make_frame({"a": [1.5, None], "b": ["x", "y"]}), path)
    ...     path.read_text().split()
    ['a,b', '1.5,x', ',y']
    """
    path = Path(path)
    end = path.suffix.lower()
    rows = nw.from_native(frame, eager_only=True)
    try:
        if end == ".csv":
            _write_csv(rows, path)
        elif end == ".parquet":
            rows.write_parquet(path)
        else:
            raise TableError(f"{path}: a table is written to .csv or .parquet")
    except ImportError as error:
        raise MissingDependencyError("a Parquet file needs pyarrow: pip install pyarrow") from error
    except OSError as error:
        raise TableError(f"{path}: {error.strerror or error}") from error


def _write_csv(rows: nw.DataFrame[Any], path: Path) -> None:
    columns = [[_cell(value) for value in rows[name].to_list()] for name in rows.columns]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(rows.columns)
        writer.writerows(zip(*columns, strict=True))


def _cell(value: Any) -> Any:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return repr(value) if isinstance(value, float) else value
