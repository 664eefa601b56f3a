"""The child process that reads an uploaded file, called directly; test_upload_process.py measures its memory."""

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pandas as pd
import pytest

from glasswood.tables import TableLimits
from glasswood.web.server import _upload_child
from glasswood.web.server._upload_process import _SMALL_ALLOCATORS
from tests.web.upload_memory import measured

LIMITS = TableLimits(10, 5, 20, 2**20)


def request(folder: Path, content: bytes, kind: str = "table") -> int:
    (folder / "content").write_bytes(content)
    (folder / "request.json").write_text(json.dumps({"kind": kind, "memory": 2**30, "limits": asdict(LIMITS)}))
    command = [sys.executable, "-m", _upload_child.__name__, str(folder)]
    return subprocess.run(command, check=False, env={**os.environ, **_SMALL_ALLOCATORS}).returncode


def test_a_refusal_is_written_to_a_file(tmp_path: Path) -> None:
    pd.DataFrame({"a": range(11)}).to_parquet(tmp_path / "rows")
    assert request(tmp_path, (tmp_path / "rows").read_bytes()) == 1
    said = json.loads((tmp_path / "error.json").read_text())
    assert said == {"error": "TableError", "message": "the table has more than 10 rows; send a sample of it"}


def test_a_result_is_written_to_a_file(tmp_path: Path) -> None:
    import pyarrow as pa

    pd.DataFrame({"a": range(10)}).to_parquet(tmp_path / "rows")
    assert request(tmp_path, (tmp_path / "rows").read_bytes()) == 0
    assert pa.ipc.open_stream((tmp_path / "result").read_bytes()).read_all()["a"].to_pylist() == list(range(10))


@pytest.mark.resident
def test_the_memory_limit_is_enforced(tmp_path: Path) -> None:
    found = measured(tmp_path, "bound")
    assert found["small"] and not found["large"]
