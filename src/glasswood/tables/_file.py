"""read_table_file: a CSV or Parquet file → a frame of the user's library."""

import io
import os
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import narwhals as nw

from glasswood.errors import MissingDependencyError, TableError
from glasswood.tables._columns import Label
from glasswood.tables._csv import read_csv
from glasswood.tables._kind import FrameKind
from glasswood.tables._limits import TableLimits
from glasswood.tables._make_frame import installed_kind, make_frame

_PARQUET = b"PAR1"  # how a Parquet file begins and ends


def read_table_file(
    path: str | os.PathLike[str],
    *,
    levels: Mapping[str, Sequence[Label]] | None = None,
    kind: FrameKind | str | None = None,
) -> Any:
    """Read a table from a CSV or Parquet file; the format is recognised by the content.

    Parameters
    ----------
    path : path
        The file.
    levels : mapping, optional
        Categories a model knows, by column; see `read_csv`.
    kind : {"pandas", "polars", "pyarrow"}, optional
        Kind of frame; the first installed one by default.

    Returns
    -------
    pandas.DataFrame, polars.DataFrame or pyarrow.Table

    Raises
    ------
    TableError
        If the file cannot be read.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from glasswood.tables import read_table_file
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "rows.csv"
    ...     _ = path.write_text("a,b\\n1,x\\n2,y\\n")
    ...     read_table_file(path, kind="pyarrow").column_names
    ['a', 'b']
    """
    path = Path(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise TableError(f"{path}: {error.strerror}") from error
    return frame_of_file(content, str(path), levels=levels, kind=kind)


def frame_of_file(
    content: bytes,
    what: str = "the file",
    *,
    levels: Mapping[str, Sequence[Label]] | None = None,
    kind: FrameKind | str | None = None,
    limits: TableLimits | None = None,
) -> Any:
    """Read a table from the content of a CSV or Parquet file; `limits` bound what is read of a CSV file.

    Examples
    --------
    >>> from glasswood.tables import frame_of_file
    >>> frame_of_file(b"a,b\\n1,x\\n2,y\\n", kind="pyarrow").num_rows
    2
    """
    if content[: len(_PARQUET)] == _PARQUET:
        return _parquet(content, what, kind)
    if b"\x00" in content[:4096]:
        raise TableError(f"{what} is neither CSV nor Parquet")
    return make_frame(read_csv(content, what=what, levels=levels, limits=limits), kind)


def _parquet(content: bytes, what: str, kind: FrameKind | str | None) -> Any:
    library = next((name for name in ("pyarrow", "polars") if find_spec(name) is not None), None)
    if library is None:
        raise MissingDependencyError("a Parquet file needs pyarrow or polars: pip install pyarrow")
    try:
        frame = nw.read_parquet(io.BytesIO(content), backend=library)  # type: ignore[arg-type]
    except Exception as error:  # each library raises errors of its own
        raise TableError(f"{what} is not a whole Parquet file: {error}") from error
    return as_kind(frame.to_native(), kind)


def as_kind(frame: Any, kind: FrameKind | str | None = None) -> Any:
    """Turn a frame into another kind of frame; the first installed one by default.

    Examples
    --------
    >>> import polars
    >>> from glasswood.tables import as_kind
    >>> as_kind(polars.DataFrame({"a": [1, 2]}), "pyarrow").num_rows
    2
    """
    known = nw.from_native(frame, eager_only=True)
    match installed_kind(kind):
        case FrameKind.PANDAS:
            return known.to_pandas()
        case FrameKind.POLARS:
            return known.to_polars()
        case FrameKind.PYARROW:
            return known.to_arrow()
