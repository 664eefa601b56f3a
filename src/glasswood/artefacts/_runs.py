"""Runs: execute the Python, SQL, C or ONNX form of a model on rows, to see what it answers."""

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble, Label, LinkKind, loads_json
from glasswood.errors import MissingDependencyError, ParityError, UnsupportedModelError
from glasswood.writers import (
    PROBABILITIES,
    TableName,
    class_keys,
    free_name,
    model_c,
    model_sql,
    quoted,
    raw_names,
    sql_form,
    table_parts,
)

RawRows = list[list[float]]
Value = Label | None


def run_python(ensemble: Ensemble, text: str, columns: list[NDArray[Any]]) -> RawRows:
    """Raw of every row, from the Python module."""
    names: dict[str, Any] = {}
    exec(compile(text, "model.py", "exec"), names)
    rows = list(_rows(ensemble, columns))
    raw = [names["predict_raw"](row) for row in rows]
    check_predictions(ensemble, "Python", raw, [names["predict"](row) for row in rows])
    return raw


def run_json(ensemble: Ensemble, text: str, columns: list[NDArray[Any]]) -> RawRows:
    """Raw of every row, from the document read back."""
    raw: RawRows = loads_json(text.encode(), "model.json")._plan().predict_raw(columns, 1).tolist()
    return raw


def run_sql(
    ensemble: Ensemble,
    text: str,
    columns: list[NDArray[Any]],
    table: TableName = "rows",
    dialect: str = "sqlite",
    form: str = "auto",
    key: str | None = None,
) -> RawRows:
    """Raw of every row, from SQLite, or from DuckDB for other dialects."""
    if dialect == "bigquery":  # DuckDB does not know its quotes
        form = sql_form(ensemble, dialect, form, key)
        text, dialect = model_sql(ensemble, table, "duckdb", form, key if form == "join" else None), "duckdb"
    names = [key or free_name("row number of glasswood", ensemble.feature_names), *ensemble.feature_names]
    rows = [(i, *row.values()) for i, row in enumerate(_rows(ensemble, columns))]
    find = f"SELECT * FROM ({text}) ORDER BY {quoted(names[0])}"
    run = _sqlite if dialect == "sqlite" else _duckdb
    found_names, found = run(table_parts(table), names, _kinds(ensemble), rows, find)
    places = raw_places(ensemble, found_names, key)
    return [[row[place] for place in places] for row in found]


def raw_places(ensemble: Ensemble, names: list[str], key: str | None = None) -> list[int]:
    """Where the columns of raw stand in the result of a SELECT; raises if one is not there, or there twice."""
    folded = [name.casefold() for name in names]
    places = []
    for name in raw_names(ensemble.outputs, ensemble.feature_names, key):
        if folded.count(name.casefold()) != 1:
            raise UnsupportedModelError(f"the SELECT gives {folded.count(name.casefold())} columns named {name!r}")
        places.append(folded.index(name.casefold()))
    return places


def _sqlite(
    parts: tuple[str, ...], names: list[str], kinds: list[str], rows: list[Any], find: str
) -> tuple[list[str], list[Any]]:
    import sqlite3

    with sqlite3.connect(":memory:") as database:
        table = ".".join(map(quoted, parts))
        try:
            if len(parts) > 1 and parts[0].casefold() not in ("main", "temp"):
                database.execute(f"ATTACH ':memory:' AS {quoted(parts[0])}")
            database.execute(f"CREATE TABLE {table} ({', '.join(map(quoted, names))})")
            database.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(names))})", rows)
            cursor = database.execute(find)
            return [column[0] for column in cursor.description], cursor.fetchall()
        except sqlite3.Error as error:
            raise UnsupportedModelError(f"SQLite cannot run the SELECT: {error}; write .py or .c instead") from error


def _duckdb(
    parts: tuple[str, ...], names: list[str], kinds: list[str], rows: list[Any], find: str
) -> tuple[list[str], list[Any]]:
    try:
        import duckdb
    except ImportError:
        raise MissingDependencyError("SQL of this dialect is checked with duckdb, which is not installed") from None

    with duckdb.connect() as database:
        table = ".".join(map(quoted, parts))
        try:
            if len(parts) > 2:
                database.execute(f"ATTACH ':memory:' AS {quoted(parts[0])}")
            if len(parts) > 1:
                database.execute(f"CREATE SCHEMA IF NOT EXISTS {'.'.join(map(quoted, parts[:-1]))}")
            typed = ", ".join(f"{quoted(name)} {kind}" for name, kind in zip(names, kinds, strict=True))
            database.execute(f"CREATE TABLE {table} ({typed})")
            if rows:
                database.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(names))})", rows)
            cursor = database.execute(find)
            return [column[0] for column in cursor.description or []], cursor.fetchall()
        except duckdb.Error as error:
            raise UnsupportedModelError(f"DuckDB cannot run the SELECT: {error}; write .py or .c instead") from error


def _kinds(ensemble: Ensemble) -> list[str]:
    """Types of the columns of the table of rows in DuckDB."""
    found = ["BIGINT"]
    for labels in ensemble.features.categories:
        texts = labels and any(isinstance(label, str) for label in labels)
        truths = labels and all(isinstance(label, bool) for label in labels)
        found.append("VARCHAR" if texts else "BOOLEAN" if truths else "DOUBLE")
    return found


def run_onnx(
    ensemble: Ensemble, content: bytes, columns: list[NDArray[Any]], opset: int = 5, classes: str = "plain"
) -> RawRows:
    """Raw of every row, from onnxruntime with one thread: several may add up trees in another order."""
    try:
        from onnxruntime import InferenceSession, SessionOptions
    except ImportError:
        raise MissingDependencyError("an .onnx file is checked with onnxruntime, which is not installed") from None

    options = SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    try:
        session = InferenceSession(content, options, providers=["CPUExecutionProvider"])
        codes = [
            np.where(column < 0, np.nan, column) if labels else column
            for column, labels in zip(columns, ensemble.features.categories, strict=True)
        ]
        given = np.column_stack([column.astype(np.float64) for column in codes])
        raw: RawRows = session.run(["raw"], {"X": given})[0].astype(np.float64).tolist()
        if classes == "zipmap":
            prediction, dicts = session.run(["prediction", PROBABILITIES], {"X": given})
    except Exception as error:  # onnxruntime's own errors have no common class but this
        raise UnsupportedModelError(f"onnxruntime cannot run the model: {error}; write .py or .c instead") from error
    if classes == "zipmap":
        _check_dicts(ensemble, prediction, dicts)
    return raw


def _check_dicts(ensemble: Ensemble, prediction: NDArray[Any], dicts: list[dict[Any, float]]) -> None:
    """Every dict must hold the prediction of its row, rounded to float32, by the labels of the classes."""
    shares = np.hstack([1 - prediction, prediction]) if ensemble.n_outputs == 1 else prediction
    keys = class_keys(ensemble)
    for row, (one, other) in enumerate(zip(dicts, shares.astype(np.float32).tolist(), strict=True)):
        if one != dict(zip(keys, other, strict=True)):
            raise ParityError(f"row {row}: the .onnx file gives {one} for the classes, the prediction is {other}")


def run_c(ensemble: Ensemble, text: str, columns: list[NDArray[Any]]) -> RawRows:
    """Raw of every row, from the compiled C file."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise MissingDependencyError("a .c file is checked with the compiler cc, which is not installed")
    matrix = np.column_stack([np.asarray(column, dtype=np.float64) for column in columns])
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "model.c"), Path(folder, "model.so")
        source.write_text(text, encoding="utf-8")
        # a fused multiply-add would round differently; there is none to fuse, and none may appear
        command = [compiler, "-shared", "-fPIC", "-O1", "-ffp-contract=off", "-o", str(library), str(source), "-lm"]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
        if done.returncode:
            raise UnsupportedModelError(f"the C file does not compile: {done.stderr[:500]}")
        calls = ctypes.CDLL(str(library))
        calls.predict_raw.restype = calls.predict_all.restype = None
        calls.predict.restype = ctypes.c_double
        raw, every, one = (np.zeros((len(matrix), ensemble.n_outputs)) for _ in range(3))
        for x, sums, predictions, first in zip(np.ascontiguousarray(matrix), raw, every, one, strict=True):
            at = [ctypes.c_void_p(array.ctypes.data) for array in (x, sums, predictions)]
            calls.predict_raw(at[0], at[1])
            calls.predict_all(at[0], at[2])
            first[:] = predictions
            first[0] = calls.predict(at[0])
    found: RawRows = raw.tolist()
    check_predictions(ensemble, "C", found, every.tolist())
    check_predictions(ensemble, "C", found, one.tolist())
    return found


def run_h(ensemble: Ensemble, text: str, columns: list[NDArray[Any]]) -> RawRows:
    """Raw of every row, from the C file compiled behind the declarations, which must fit it."""
    return run_c(ensemble, text + model_c(ensemble), columns)


def check_predictions(ensemble: Ensemble, language: str, raw: RawRows, found: RawRows) -> None:
    """Predictions must be those of raw: equal without a link, else up to the rounding of two exponential functions.

    Either function is off by at most two units in the last place, a sum of classes by one for each, the rest by four;
    a subnormal prediction may be 0.
    """
    if not raw:
        return
    expected = ensemble.link.inverse(np.array(raw), objective=ensemble.source.objective)
    near = np.array(found)
    most = np.zeros(expected.shape)
    if ensemble.link.kind is not LinkKind.IDENTITY:
        with np.errstate(invalid="ignore"):  # infinities are equal or wrong
            most = (ensemble.n_outputs + 8) * 2.0**-52 * np.abs(expected) + 2.0**-1022
    same = (near == expected) | (np.isnan(near) & np.isnan(expected))
    with np.errstate(invalid="ignore"):
        wrong = ~(same | (np.abs(near - expected) <= np.where(np.isfinite(most), most, 0.0)))
    if wrong.any():
        row, output = np.argwhere(wrong)[0].tolist()
        raise ParityError(
            f"row {row}: predict in {language} gives {found[row][output]!r}, the model {float(expected[row, output])!r}"
        )


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
