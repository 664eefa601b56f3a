"""Uploaded files are read within limits: whatever they unpack to, the app stays small."""

import io
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

import glasswood as gw
from glasswood.tables import TableLimits
from glasswood.web.server import _upload_process
from glasswood.web.server._upload_process import read_model_separately, read_parquet_separately
from glasswood.web.server._uploads import MAX_BYTES, MAX_CELLS, MAX_TABLE_COLUMNS, MAX_TABLE_MEMORY, MAX_TABLE_ROWS
from tests.web.upload_memory import child_memory, measured

LIMITS = TableLimits(MAX_TABLE_ROWS, MAX_TABLE_COLUMNS, MAX_CELLS, MAX_TABLE_MEMORY)
MOST = 4 * MAX_BYTES


def packed(column: pa.Array, rows: int = 10_000) -> bytes:
    """A Parquet file whose dictionary page holds the values once, however often the rows repeat them."""
    values = pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, dtype=np.int32)), column)
    sink = io.BytesIO()
    parquet.write_table(pa.table({"a": values}), sink, compression="zstd", store_schema=False)
    return sink.getvalue()


def one_huge_text() -> bytes:
    return packed(pa.array(["x" * 60_000]))


def one_text_of_megabytes() -> bytes:
    return packed(pa.array(["x" * 30_000_000]), 100)


def huge_binary() -> bytes:
    return packed(pa.array([b"x" * 100_000], type=pa.binary(100_000)), 2_000)


def nested_list() -> bytes:
    sink = io.BytesIO()
    lists = pa.ListArray.from_arrays([0, 20_000_000], pa.array(np.zeros(20_000_000, dtype=np.int8)))
    parquet.write_table(pa.table({"a": lists}), sink, compression="zstd")
    return sink.getvalue()


def run_lengths() -> bytes:
    """Repeated whole numbers: a few bytes for every column, at the limit of the cells."""
    sink = io.BytesIO()
    columns = {f"c{k}": np.zeros(6_000, dtype=np.int64) for k in range(500)}
    parquet.write_table(pa.table(columns), sink, compression="zstd")
    return sink.getvalue()


def shared_prefixes() -> bytes:
    """Every text equals the one before it."""
    sink = io.BytesIO()
    table = pa.table({"a": pa.array(["x" * 100_000] * 100)})
    options = {"compression": "zstd", "use_dictionary": False, "column_encoding": {"a": "DELTA_BYTE_ARRAY"}}
    with parquet.ParquetWriter(sink, table.schema, **options) as writer:
        for _ in range(40):
            writer.write_table(table)
    return sink.getvalue()


def ordinary_parquet() -> bytes:
    sink = io.BytesIO()
    pd.DataFrame(np.random.default_rng(0).normal(size=(100_000, 30))).rename(columns=str).to_parquet(sink)
    return sink.getvalue()


def csv_of(cell: str, rows: int, columns: int) -> bytes:
    line = ",".join([cell] * columns) + "\n"
    return (",".join(f"c{k}" for k in range(columns)) + "\n" + line * rows).encode()


def ordinary_csv() -> bytes:
    frame = pd.DataFrame(np.random.default_rng(0).integers(0, 10**9, size=(100_000, 30)))
    return frame.to_csv(index=False).encode()


def distinct_texts() -> bytes:
    lines = [",".join(f"t{k}_{j}" for j in range(30)) for k in range(100_000)]
    return ("\n".join([",".join(f"c{k}" for k in range(30)), *lines])).encode()


def wide_characters() -> bytes:
    """One character of four bytes makes Python store all characters of the text in four."""
    cell = "\N{EVERGREEN TREE}" + "x" * 130_000
    return ("a\n" + "".join(f"{k}{cell}\n" for k in range(250))).encode()


def one_row_of_wide_cells() -> bytes:
    cell = '"\N{EVERGREEN TREE}' + "\n".join(["x" * 1_000] * 130) + '"'
    return (",".join(f"c{k}" for k in range(244)) + "\n" + ",".join([cell] * 244)).encode()


def endless_line() -> bytes:
    return b"a" * (MAX_BYTES - 1)


@pytest.mark.resident
@pytest.mark.parametrize(
    ("make", "said"),
    [
        (one_huge_text, "refused: the table"),
        (one_text_of_megabytes, "refused: the table"),
        (huge_binary, "refused: the table"),
        (nested_list, "refused: column 'a' holds list"),
        (run_lengths, "6000 rows"),
        (shared_prefixes, "refused: the table"),
        (ordinary_parquet, "100000 rows"),
        (ordinary_csv, "100000 rows"),
        (distinct_texts, "refused: the table takes more than 40 MB"),
        (lambda: csv_of("1", 7_000, 500), "refused: the table has more than 3,000,000 cells"),
        (lambda: b"a\n" + b"1\n" * 16_000_000, "refused: the table has more than 100,000 rows"),
        (wide_characters, "refused: the table takes more than 40 MB"),
        (one_row_of_wide_cells, "refused: the table, line 992: a row of more than"),
        (endless_line, "refused: the table, line 1: a row of more than"),
        (lambda: b"," * (MAX_BYTES - 1), "refused: the table, line 1: a row of more than"),
    ],
)
def test_no_table_takes_more_than_four_times_the_limit(tmp_path: Path, make: Callable[[], bytes], said: str) -> None:
    content = make()
    assert len(content) <= MAX_BYTES
    path = tmp_path / "sent"
    path.write_bytes(content)
    del content
    found = measured(path, "table")
    child = 0
    if path.read_bytes()[:4] == b"PAR1":
        child = child_memory(path, MOST - path.stat().st_size, asdict(LIMITS))
    assert found["said"].startswith(said)
    assert found["bytes"] <= MOST and path.stat().st_size + child <= MOST


def test_a_parquet_file_becomes_the_frame_it_would_become_here() -> None:
    frame = pd.DataFrame(
        {
            "number": [1.5, np.nan, 3.0] * 1_000,
            "whole": range(3_000),
            "text": ["x", None, "y"] * 1_000,
            "kind": pd.Categorical(["b", "a", None] * 1_000, categories=["b", "a", "c"]),
            "when": pd.to_datetime(["2014-01-01", "2015-06-01", None] * 1_000),
        }
    )
    sink = io.BytesIO()
    frame.to_parquet(sink, row_group_size=700)
    found = read_parquet_separately(sink.getvalue(), LIMITS, MOST)
    pd.testing.assert_frame_equal(found, pd.read_parquet(io.BytesIO(sink.getvalue())))


@pytest.mark.resident
def test_a_model_that_needs_too_much_memory_is_refused_and_an_ordinary_one_is_read(tmp_path: Path) -> None:
    model = gw.TreeRegressor().fit(np.arange(50_000.0)[:, None], np.arange(50_000.0))
    model.ensemble_.save(tmp_path / "m.gw")
    content = (tmp_path / "m.gw").read_bytes()
    assert read_model_separately(content, 64 * 2**20) == model.ensemble_
    bomb = b'{"features_info": {}, "oblivious_trees": [' + b"[]," * 3_000_000 + b"[]]}"
    for sent, most in ((content, 2**20), (bomb, 64 * 2**20)):
        with pytest.raises(gw.ModelFileError, match="the model file needs more than"):
            read_model_separately(sent, most)


def test_an_error_of_the_child_keeps_its_class_and_hides_its_folder() -> None:
    with pytest.raises(gw.ModelFileError, match="the model file") as refused:
        read_model_separately(b"tree\nnum_class=1\n", MOST)
    assert "/tmp" not in str(refused.value)
    with pytest.raises(gw.TableError, match="the Parquet file cannot be read"):
        read_parquet_separately(b"PAR1 and nonsense", LIMITS, MOST)


def test_a_child_that_takes_too_long_or_dies_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_upload_process, "_SECONDS", 0.01)
    with pytest.raises(gw.TableError, match="seconds to read"):
        read_parquet_separately(ordinary(), LIMITS, MOST)
    monkeypatch.undo()
    monkeypatch.setattr(_upload_process.sys, "executable", "/bin/false")
    with pytest.raises(gw.TableError, match="MB of memory to be read, or the program"):
        read_parquet_separately(ordinary(), LIMITS, MOST)


def ordinary() -> bytes:
    sink = io.BytesIO()
    pd.DataFrame({"a": [1.0]}).to_parquet(sink)
    return sink.getvalue()
