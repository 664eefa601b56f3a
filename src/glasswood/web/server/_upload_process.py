"""Read an uploaded file in a separate process with limited memory and time (decision 0085)."""

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from glasswood import errors
from glasswood.ensemble import Ensemble, load
from glasswood.errors import GlasswoodError, ModelFileError, TableError
from glasswood.tables import TableLimits, as_kind

_SECONDS = 120
# The limit counts all writable memory. Allocators that reserve more than they use would reach it too early or not at
# all: that of free-threaded Python reserves a GB before the limit is set.
_SMALL_ALLOCATORS = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "MALLOC_ARENA_MAX": "1",
    "MIMALLOC_ARENA_EAGER_COMMIT": "0",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}


def read_parquet_separately(content: bytes, limits: TableLimits, memory: int) -> Any:
    """Frame of a Parquet file; the process that reads it may use `memory` bytes more than it starts with."""
    with TemporaryDirectory() as folder:
        request = {"kind": "table", "memory": memory, "limits": asdict(limits)}
        found = _ask(Path(folder), content, request)
        if found is not None:
            raise found if isinstance(found, GlasswoodError) else TableError(f"the table {found}; send a sample of it")
        import pyarrow

        made = (Path(folder) / "result").read_bytes()
    return as_kind(pyarrow.ipc.open_stream(pyarrow.BufferReader(made)).read_all().unify_dictionaries())


def read_model_separately(content: bytes, memory: int) -> Ensemble:
    """Ensemble of a model file; the process that reads it may use `memory` bytes more than it starts with."""
    with TemporaryDirectory() as folder:
        found = _ask(Path(folder), content, {"kind": "model", "memory": memory})
        if found is not None:
            raise found if isinstance(found, GlasswoodError) else ModelFileError(f"the model file {found}")
        return load(Path(folder) / "result")


def _ask(folder: Path, content: bytes, request: dict[str, Any]) -> GlasswoodError | str | None:
    """Let the child process read the content. Returns None if its result is in the folder, otherwise the error."""
    (folder / "content").write_bytes(content)
    (folder / "request.json").write_text(json.dumps(request), encoding="utf-8")
    command = [sys.executable, "-m", "glasswood.web.server._upload_child", str(folder)]
    # the child must find the same packages, even if the parent's path was changed at run time
    path = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
    try:
        done = subprocess.run(
            command,
            env={**os.environ, **_SMALL_ALLOCATORS, "PYTHONPATH": path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"takes more than {_SECONDS} seconds to read"
    if done.returncode == 0:
        return None
    try:
        said = json.loads((folder / "error.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        said = None
    if said is not None:
        refused: GlasswoodError = getattr(errors, said["error"])(said["message"])
        return refused
    # some libraries abort instead of raising an error when memory runs out
    return f"needs more than {request['memory'] // 2**20} MB of memory to be read, or the program that reads it fails"
