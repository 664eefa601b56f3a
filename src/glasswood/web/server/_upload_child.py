"""The child process that reads an uploaded file; content, request, result and error are files in one folder."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from glasswood import errors
from glasswood.errors import GlasswoodError, MissingDependencyError, TableError
from glasswood.tables import TableLimits

_BATCH = 1_024  # rows read at a time


def main(folder: Path) -> int:
    """Answer the request in `folder`; returns 0 if the result was written."""
    request = json.loads((folder / "request.json").read_text(encoding="utf-8"))
    table = request["kind"] == "table"
    try:
        ready = _table_reader(folder, request) if table else _model_reader(folder)
        bound_memory(request["memory"])
        ready()
    except GlasswoodError as error:
        return _refuse(folder, _public(error), str(error))
    except MemoryError:  # pyarrow's own error is a subclass
        needs = f"needs more than {request['memory'] // 2**20} MB of memory to be read"
        if table:
            return _refuse(folder, "TableError", f"the table {needs}; send a sample of it")
        return _refuse(folder, "ModelFileError", f"the model file {needs}; explain it with gw.report in Python")
    return 0


def bound_memory(more: int) -> None:
    """Limit this process to `more` bytes beyond its current memory; do nothing if the system has no such limit."""
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_bytes().split()[5])  # pages of data and stack
        most = pages * resource.getpagesize() + more
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    except (ImportError, OSError, ValueError):
        return


def _refuse(folder: Path, error: str, message: str) -> int:
    (folder / "error.json").write_text(json.dumps({"error": error, "message": message}), encoding="utf-8")
    return 1


def _public(error: GlasswoodError) -> str:
    """Name of the class, or of its nearest public base class."""
    return next(cls.__name__ for cls in type(error).__mro__ if hasattr(errors, cls.__name__))


def _model_reader(folder: Path) -> Callable[[], None]:
    from glasswood.readers import read

    path = folder / "content"

    def reading() -> None:
        try:
            read(path).save(folder / "result")
        except GlasswoodError as error:
            raise type(error)(str(error).replace(str(path), "the model file")) from None

    return reading


def _table_reader(folder: Path, request: dict[str, Any]) -> Callable[[], None]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise MissingDependencyError("reading Parquet needs pyarrow: pip install pyarrow") from None
    limits = TableLimits(**request["limits"])

    def reading() -> None:
        try:
            _unpack(pyarrow, parquet, folder, limits)
        except (pyarrow.ArrowException, OSError, ValueError) as error:
            if isinstance(error, GlasswoodError | MemoryError):
                raise
            raise TableError(f"the Parquet file cannot be read: {error}") from None

    return reading


def _unpack(pyarrow: Any, parquet: Any, folder: Path, limits: TableLimits) -> None:
    """Write the table as an Arrow stream, batch by batch, so that only one batch is in memory."""
    with pyarrow.memory_map(str(folder / "content")) as source:
        file = parquet.ParquetFile(source)
        limits.check_size(file.metadata.num_rows, file.metadata.num_columns)
        schema = file.schema_arrow
        for field in schema:
            if pyarrow.types.is_nested(field.type):
                raise TableError(f"column {field.name!r} holds {field.type}; a table has one value per cell")
        n_rows = size = 0
        with pyarrow.ipc.new_stream(str(folder / "result"), schema) as sink:
            for batch in file.iter_batches(_BATCH, use_threads=False):
                n_rows += len(batch)
                size += batch.nbytes
                limits.check_size(n_rows, len(schema))  # the count in the file may be wrong
                limits.check_memory(size)
                sink.write_batch(batch)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
