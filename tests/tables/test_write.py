"""Frames that go to files come back as they were."""

from pathlib import Path

import numpy as np
import pytest

from glasswood.errors import TableError
from glasswood.tables import FrameKind, make_frame, read_table_file, write_table_file

COLUMNS = {"a": np.array([0.1, np.nan, -np.inf, 1e-300]), "b": ['x, "y"', "two\nlines", "é", None], "n": [1, 2, 3, 4]}


@pytest.mark.parametrize("kind", list(FrameKind))
@pytest.mark.parametrize("end", ["csv", "parquet"])
def test_what_is_written_comes_back(tmp_path: Path, kind: FrameKind, end: str) -> None:
    path = tmp_path / f"rows.{end}"
    write_table_file(make_frame(COLUMNS, kind), path)
    back = read_table_file(path, kind="pandas")
    np.testing.assert_array_equal(back["a"], COLUMNS["a"])
    assert [None if value != value else value for value in back["b"]] == COLUMNS["b"]
    assert back["n"].tolist() == COLUMNS["n"]


def test_other_names_and_places_are_refused(tmp_path: Path) -> None:
    frame = make_frame({"a": [1]})
    with pytest.raises(TableError, match=r"\.csv or \.parquet"):
        write_table_file(frame, tmp_path / "rows.xlsx")
    with pytest.raises(TableError, match="No such file"):
        write_table_file(frame, tmp_path / "nowhere" / "rows.csv")
