"""Files of tables: CSV and Parquet, recognised by their content."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from glasswood.errors import MissingDependencyError, TableError
from glasswood.tables import FrameKind, frame_kind, frame_of_file, read_table_file

ROWS = pd.DataFrame({"a": [1.5, np.nan], "b": ["x", None], "c": pd.Categorical(["u", "v"])})


@pytest.mark.parametrize("kind", list(FrameKind))
@pytest.mark.parametrize("end", ["csv", "parquet"])
def test_a_file_becomes_the_frame_asked_for(tmp_path: Path, kind: FrameKind, end: str) -> None:
    path = tmp_path / f"rows.{end}"
    ROWS.to_csv(path, index=False) if end == "csv" else ROWS.to_parquet(path)
    frame = read_table_file(path, kind=kind)
    assert frame_kind(frame) is kind and frame.shape == (2, 3)


def test_pandas_comes_first(tmp_path: Path) -> None:
    ROWS.to_parquet(tmp_path / "rows")
    frame = read_table_file(tmp_path / "rows")
    assert isinstance(frame, pd.DataFrame) and list(frame["c"].cat.categories) == ["u", "v"]
    assert isinstance(frame_of_file(b"a\n1\n"), pd.DataFrame)


def test_levels_reach_the_csv_reader() -> None:
    assert frame_of_file(b"a\n01\n", levels={"a": ("01",)})["a"].tolist() == ["01"]


@pytest.mark.parametrize(
    ("content", "message"), [(b"PAR1 nothing", "not a whole Parquet"), (b"\x00\x01", "neither CSV nor Parquet")]
)
def test_other_files_are_refused(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "rows").write_bytes(content)
    with pytest.raises(TableError, match=message):
        read_table_file(tmp_path / "rows")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"rows\.csv: No such file"):
        read_table_file(tmp_path / "rows.csv")
    with pytest.raises(TableError, match="directory"):
        read_table_file(tmp_path)


def test_without_a_library_parquet_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glasswood.tables._file.find_spec", lambda name: None)
    with pytest.raises(MissingDependencyError, match="pip install pyarrow"):
        frame_of_file(b"PAR1")


@pytest.mark.parametrize("end", ["csv", "parquet"])
def test_both_files_choose_the_frame_alike(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, end: str) -> None:
    path = tmp_path / f"rows.{end}"
    ROWS.to_csv(path, index=False) if end == "csv" else ROWS.to_parquet(path)
    with pytest.raises(TableError, match="'excel' is not a kind of frame"):
        read_table_file(path, kind="excel")
    monkeypatch.setattr("glasswood.tables._make_frame.find_spec", lambda name: None if name == "pandas" else name)
    assert frame_kind(read_table_file(path)) is FrameKind.POLARS
