"""Runs: execute the Python, SQL or C text of a model on rows, to see what it answers."""

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble, Label, loads_json
from glasswood.errors import MissingDependencyError, UnsupportedModelError

RawRows = list[list[float]]
Value = Label | None


def run_python(ensemble: Ensemble, text: str, columns: list[NDArray[Any]]) -> RawRows:
    """Raw of every row, from the Python module."""
    names: dict[str, Any] = {}
    exec(compile(text, "model.py", "exec"), names)
    return [names["predict_raw"](row) for row in _rows(ensemble, columns)]


def run_json(ensemble: Ensemble, text: str, columns: list[NDArray[Any]]) -> RawRows:
    """Raw of every row, from the document read back."""
    raw: RawRows = loads_json(text.encode(), "model.json")._plan().predict_raw(columns, 1).tolist()
    return raw


def run_sql(ensemble: Ensemble, text: str, columns: list[NDArray[Any]]) -> RawRows:
    """Raw of every row, from SQLite."""
    import sqlite3

    names = ["row number of glasswood", *ensemble.feature_names]
    quoted = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
    with sqlite3.connect(":memory:") as database:
        database.row_factory = sqlite3.Row
        try:
            database.execute(f'CREATE TABLE "rows" ({quoted})')
            marks = ", ".join("?" * len(names))
            rows = [(i, *row.values()) for i, row in enumerate(_rows(ensemble, columns))]
            database.executemany(f'INSERT INTO "rows" VALUES ({marks})', rows)
            found = database.execute(f'SELECT * FROM ({text}) ORDER BY "{names[0]}"').fetchall()
        except sqlite3.Error as error:
            raise UnsupportedModelError(f"SQLite cannot run the SELECT: {error}; write .py or .c instead") from error
    return [list(row)[len(names) :] for row in found]


def run_c(ensemble: Ensemble, text: str, columns: list[NDArray[Any]]) -> RawRows:
    """Raw of every row, from the compiled C file."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise MissingDependencyError("a .c file is checked with the compiler cc, which is not installed")
    matrix = np.column_stack([np.asarray(column, dtype=np.float64) for column in columns])
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "model.c"), Path(folder, "model.so")
        source.write_text(text)
        # a fused multiply-add would round differently; there is none to fuse, and none may appear
        command = [compiler, "-shared", "-fPIC", "-O1", "-ffp-contract=off", "-o", str(library), str(source), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise UnsupportedModelError(f"the C file does not compile: {done.stderr[:500]}")
        predict = ctypes.CDLL(str(library)).predict_raw
        predict.restype = None
        found = np.zeros((len(matrix), ensemble.n_outputs))
        for x, raw in zip(np.ascontiguousarray(matrix), found, strict=True):
            predict(x.ctypes.data_as(ctypes.c_void_p), raw.ctypes.data_as(ctypes.c_void_p))
    return [[float(number) for number in row] for row in found]


def _rows(ensemble: Ensemble, columns: list[NDArray[Any]]) -> Iterator[dict[str, Value]]:
    """Rows as a caller has them: levels by their labels, None for missing."""
    values = [_values(column, labels) for column, labels in zip(columns, ensemble.features.categories, strict=True)]
    for row in zip(*values, strict=True):
        yield dict(zip(ensemble.feature_names, row, strict=True))


def _values(column: NDArray[Any], labels: tuple[Label, ...] | None) -> list[Value]:
    if not labels:
        return [None if number != number else float(number) for number in column.tolist()]
    unseen: Label = "a level that is not known"
    if not any(isinstance(label, str) for label in labels):
        unseen = max(float(label) for label in labels) + 1.0
    return [None if code < 0 else labels[code] if code < len(labels) else unseen for code in column.tolist()]
