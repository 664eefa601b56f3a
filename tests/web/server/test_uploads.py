import io
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glasswood as gw
from glasswood.web.server import _uploads
from glasswood.web.server._uploads import read_sent_model, read_sent_table

CSV = b"a,b,y\n1,x,0\n,<script>,1\n2.5,x,1\n"


def parquet(frame: pd.DataFrame) -> bytes:
    content = io.BytesIO()
    frame.to_parquet(content)
    return content.getvalue()


def test_a_csv_table_says_what_is_in_it() -> None:
    table = read_sent_table(CSV)
    assert table.to_dict() == {
        "rows": 3,
        "columns": [{"name": "a", "kind": "number"}, {"name": "b", "kind": "text"}, {"name": "y", "kind": "number"}],
    }
    assert list(table.without("y").columns) == ["a", "b"]


def test_a_parquet_table_is_read() -> None:
    table = read_sent_table(parquet(pd.DataFrame({"a": [1.0, None], "b": ["x", "y"]})))
    assert table.n_rows == 2 and table.names == ["a", "b"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"a,b\n", "no rows"),
        (b"a,b\n1\n", "line 2"),
        (b"a,a\n1,2\n", "'a' more than once"),
        (b"\xff\xfe\x00\x01", "neither CSV nor Parquet|UTF-8"),
        (b"a\n\xff\n", "UTF-8"),
        (b'a\n"1', "line"),
        (b"PAR1 and nonsense", "Parquet file cannot be read"),
        (b"\x80\x04\x95", "UTF-8|neither"),
    ],
)
def test_files_that_are_not_tables_are_refused(content: bytes, said: str) -> None:
    with pytest.raises(gw.TableError, match=said):
        read_sent_table(content)


def test_too_many_rows_columns_and_cells_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_uploads, "MAX_TABLE_ROWS", 10)
    monkeypatch.setattr(_uploads, "MAX_TABLE_COLUMNS", 5)
    monkeypatch.setattr(_uploads, "MAX_CELLS", 20)
    with pytest.raises(gw.TableError, match="more than 10 rows"):
        read_sent_table(b"a\n" + b"1\n" * 11)
    with pytest.raises(gw.TableError, match="6 columns; at most 5"):
        read_sent_table(b"a,b,c,d,e,f\n1,2,3,4,5,6\n")
    with pytest.raises(gw.TableError, match="more than 20 cells"):
        read_sent_table(b"a,b,c\n" + b"1,2,3\n" * 8)
    with pytest.raises(gw.TableError, match="more than 10 rows"):
        read_sent_table(parquet(pd.DataFrame({"a": np.zeros(1000)})))


def test_a_model_file_is_read_without_its_library(tmp_path: Path) -> None:
    model = gw.TreeClassifier(max_depth=2).fit([[0.0], [1.0], [2.0]], [0, 1, 1])
    model.ensemble_.save(tmp_path / "m.gw")
    assert read_sent_model((tmp_path / "m.gw").read_bytes()) == model.ensemble_


@pytest.mark.parametrize(
    "content", [b"", b"nonsense", pickle.dumps({"a": 1}), pickle.dumps([1] * 50, protocol=0), b"{", b"tree\n", b"{}"]
)
def test_pickles_and_nonsense_are_refused_without_a_path(content: bytes) -> None:
    with pytest.raises(gw.GlasswoodError) as refused:
        read_sent_model(content)
    assert "/tmp" not in str(refused.value)


@settings(max_examples=60)
@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    for read in (read_sent_table, read_sent_model):
        try:
            read(content)
        except gw.GlasswoodError as error:
            assert str(error)
