"""How much memory reading an uploaded file takes, measured in a separate process."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from glasswood.errors import GlasswoodError
from glasswood.web.server import _upload_child
from glasswood.web.server._session import Session


def status(field: str) -> int:
    """A figure of /proc/self/status in bytes."""
    found = re.search(rf"{field}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found[1]) * 1024


def measured(path: Path, kind: str) -> dict[str, Any]:
    """Run this file on another and return what it printed."""
    command = [sys.executable, "-m", "tests.web.upload_memory", kind, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def send(path: Path, kind: str) -> dict[str, Any]:
    """Send the file to a new app and return by how much the process grew, without its child process."""
    session = Session()
    # what is loaded once does not count; only text is read in this process
    if kind != "table" or _is_parquet(path):
        with tempfile.TemporaryDirectory() as folder:
            pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]}).to_parquet(Path(folder) / "rows")
            session.send_table((Path(folder) / "rows").read_bytes())
    session.send_table(b"a,b,c\n1,x,1.5\n2,,\n")
    before = status("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # reset the peak
    content = path.read_bytes()
    try:
        sent = session.send_table(content) if kind == "table" else session.send_model(content)
        said = f"{sent['rows']} rows" if kind == "table" else f"{sent['trees']} trees"
    except GlasswoodError as error:
        said = f"refused: {error}"
    return {"said": said, "bytes": status("VmHWM") - before}


def _is_parquet(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"PAR1"


def read_here(folder: Path) -> dict[str, Any]:
    """Do the work of the child in this process and return by how much it grew."""
    import pyarrow.parquet  # noqa: F401  as in the child before it begins

    before = status("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")
    _upload_child.main(folder)
    return {"bytes": status("VmHWM") - before}


def child_memory(path: Path, memory: int, limits: dict[str, int]) -> int:
    """Bytes that the child process uses for a Parquet file in addition to its start."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(path, Path(folder) / "content")
        request = {"kind": "table", "memory": memory, "limits": limits}
        (Path(folder) / "request.json").write_text(json.dumps(request))
        return int(measured(Path(folder), "child")["bytes"])


def bounded(_: Path) -> dict[str, Any]:
    """Say which of two arrays can be allocated after memory is limited to a size between them."""
    _upload_child.bound_memory(64 * 2**20)
    found = {}
    for name, size in (("small", 32), ("large", 128)):
        try:
            found[name] = len(np.zeros(size * 2**20, dtype=np.int8)) > 0
        except MemoryError:
            found[name] = False
    return found


if __name__ == "__main__":
    kind, given = sys.argv[1], Path(sys.argv[2])
    other = {"child": read_here, "bound": bounded}
    json.dump(other[kind](given) if kind in other else send(given, kind), sys.stdout)
