"""export: a model as a file in another language, run and compared with the model before it is written."""

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import check_choice
from glasswood.artefacts._runs import RawRows, run_c, run_h, run_json, run_onnx, run_python, run_sql
from glasswood.ensemble import Ensemble, align, json_text, made_up_rows
from glasswood.errors import OptionError, ParityError, TableError
from glasswood.readers import as_ensemble
from glasswood.tables import Table
from glasswood.writers import DIALECTS, FORMS, model_c, model_h, model_onnx, model_python, model_sql, sql_form


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """How a kind of file is made and run; `options` are the options of `export` that both take."""

    make: Callable[..., str | bytes]
    run: Callable[..., RawRows]
    options: tuple[str, ...] = ()


KINDS: dict[str, Kind] = {
    ".py": Kind(model_python, run_python),
    ".sql": Kind(model_sql, run_sql, ("dialect", "table", "form", "key")),
    ".c": Kind(model_c, run_c),
    ".h": Kind(model_h, run_h),
    ".onnx": Kind(model_onnx, run_onnx, ("opset", "classes")),
    ".json": Kind(json_text, run_json),
}


def export(
    model: Any,
    path: str | Path,
    X: Table | None = None,
    *,
    dialect: str | None = None,
    table: str | Sequence[str] | None = None,
    form: str | None = None,
    key: str | None = None,
    opset: int | None = None,
    classes: str | None = None,
) -> None:
    """Write a model as Python, SQL, C, ONNX or JSON, after running what is written and comparing it with the model.

    The raw of the artefact must equal the raw of the model to the last bit, over the rows of X or over made-up rows
    that reach every leaf, and in Python and C the predictions must equal those of the model up to the rounding of the
    exponential function, (number of outputs + 8) · 2⁻⁵² of their size. If it does not, nothing is written.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `glasswood.read` takes.
    path : str or Path
        ``.py``: a module with ``predict_raw(row)`` and ``predict(row)`` that needs only the standard library.
        ``.sql``: one SELECT with all columns of the table, whose features are named as in the model, NULL for missing,
        and with ``raw``, or ``raw_`` and the output; with ``_2`` behind it if a feature has that name. The table must
        have no other column of that name. ``.c``: one file with ``predict_raw``, ``predict_all`` and ``predict``;
        categories are codes, which a comment lists; it is compiled and run, which needs a compiler called ``cc``.
        ``.h``: the declarations of these three, compiled with them. ``.onnx``: a model with the input ``X``, a column
        of doubles for each feature, and the outputs ``raw`` and ``prediction``; categories are codes, NaN is missing;
        it is run by onnxruntime. ``.json``: all arrays of the Ensemble, which `glasswood.read` reads back.
    X : table, optional
        Rows to check with; made-up rows are used without.
    dialect : {"sqlite", "duckdb", "postgres", "snowflake", "bigquery"}, optional
        Whose SQL is written; SQLite's by default, which is run in SQLite. The others are run in DuckDB; for BigQuery,
        whose quotes DuckDB does not know, the same SELECT in DuckDB's dialect is run.
    table : str or sequence of str, optional
        Table from which the SELECT takes the rows, by default ``rows``. A name is quoted as it is; the parts of a
        longer one are listed: ``("sales", "rows")`` is the table ``rows`` of the schema ``sales``.
    form : {"auto", "case", "join"}, optional
        How the SELECT is written. ``"case"``: nested CASEs. ``"join"``: a table of nodes, joined to the rows, and sums
        over the leaves; for models whose CASEs a database cannot read or plan. ``"auto"``, the default, takes CASEs up
        to 900 trees and 20,000 nodes, in SQLite of trees up to 15 deep. Joins for DuckDB and Postgres add in order.
        The other databases may add in another one, so the check allows raw the rounding of a sum:
        2⁻⁵² · (number of trees + 1) · sum of sizes.
    key : str, optional
        Column that identifies a row, for joins. Without it rows are numbered, and SQLite, DuckDB and Postgres return
        the number as a column; Snowflake and BigQuery, which may number twice, need the key.
    opset : {5, 3}, optional
        Version of the tree operators of ONNX (domain ai.onnx.ml). 5, the default, computes in double precision from
        end to end. 3 is known to older programs; it compares and adds in double precision too, but gives raw as the
        nearest float32, which is off by up to 2⁻²⁴ of its size. That rounded raw is then what is compared.
    classes : {"plain", "zipmap"}, optional
        Probabilities of classes in an ONNX file. ``"plain"``, the default: columns of ``prediction``. ``"zipmap"``:
        also the output ``probabilities``, a dict by class for each row, as skl2onnx writes it, rounded to float32.

    Raises
    ------
    ParityError
        The artefact answers differently.
    OptionError
        The suffix is not known, or an option does not belong to it.

    Examples
    --------
    >>> import tempfile, runpy
    >>> import glasswood as gw
    >>> tree = gw.TreeRegressor(max_depth=1).fit([[0.0], [1.0], [2.0]], [1.0, 1.0, 4.0])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     gw.export(tree, f"{folder}/model.py")
    ...     runpy.run_path(f"{folder}/model.py")["predict"]({"x0": 1.7})
    [4.0]
    """
    file = Path(path)
    end = file.suffix.lower()
    if end not in KINDS:
        raise OptionError(f"{str(path)!r} does not end in {', '.join(KINDS)}")
    given = {"dialect": dialect, "table": table, "form": form, "key": key, "opset": opset, "classes": classes}
    options = {name: option for name, option in given.items() if option is not None}
    _check_options(end, options)
    ensemble = as_ensemble(model, X)
    content = KINDS[end].make(ensemble, **options)
    columns: list[Any]
    if X is None:
        columns = made_up_rows(ensemble)
    else:
        rows = align(X, ensemble.features)
        if not rows.n_rows:
            raise TableError("X has no rows to check the artefact with; leave it out to check with made-up rows")
        columns = [rows.column(j) for j in range(len(ensemble.features))]
    _compare(ensemble, end, content, columns, options)
    try:
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise TableError(f"{file}: {error.strerror}") from error


def _check_options(end: str, options: dict[str, Any]) -> None:
    for name in options:
        if name not in KINDS[end].options:
            owner = next(other for other, kind in KINDS.items() if name in kind.options)
            raise OptionError(f"{name} belongs to {owner} files; leave it out for {end}")
    if "dialect" in options:
        check_choice("dialect", options["dialect"], tuple(DIALECTS))
    if "form" in options:
        check_choice("form", options["form"], FORMS)
    if "classes" in options:
        check_choice("classes", options["classes"], ("plain", "zipmap"))
    opset, key = options.get("opset", 5), options.get("key", "a")
    if not isinstance(opset, int) or opset not in (3, 5):
        raise OptionError(f"opset must be 5 or 3; got {opset!r}")
    if not isinstance(key, str) or not key:
        raise OptionError(f"key must be the name of a column; got {key!r}")


def _compare(ensemble: Ensemble, end: str, content: str | bytes, columns: list[Any], options: dict[str, Any]) -> None:
    """Run the artefact and raise if it differs from the model in a row."""
    expected = ensemble._plan().predict_raw(columns, 1)
    if options.get("opset") == 3:
        expected = expected.astype(np.float32).astype(np.float64)
    found = KINDS[end].run(ensemble, content, columns, **options)
    given = np.array(found, dtype=np.float64).reshape(expected.shape)  # NaN for NULL
    with np.errstate(invalid="ignore"):  # infinities are equal or wrong
        same = (given == expected) | (np.abs(given - expected) <= _allowed(ensemble, end, columns, options))
    if not same.all():
        row = int(np.argmin(same.all(axis=1)))
        raise ParityError(
            f"row {row}: the {end} file gives {found[row]}, the model {expected[row].tolist()}; nothing is written"
        )


def sums_in_order(ensemble: Ensemble, end: str, options: dict[str, Any]) -> bool:
    """Whether the artefact adds up trees as the model does, so that raw has the same bits."""
    if end != ".sql":
        return True
    dialect = options.get("dialect", "sqlite")
    form = sql_form(ensemble, dialect, options.get("form", "auto"), options.get("key"))
    return form == "case" or DIALECTS[dialect].ordered_sums


def _allowed(ensemble: Ensemble, end: str, columns: list[Any], options: dict[str, Any]) -> NDArray[np.float64]:
    """Largest difference of raw by row and output: none, or what two orders of the same sum can differ by."""
    if sums_in_order(ensemble, end, options):
        return np.zeros((len(columns[0]) if columns else 0, ensemble.n_outputs))
    sizes = dataclasses.replace(ensemble, value=np.abs(ensemble.value), baseline=np.abs(ensemble.baseline))
    return 2.0**-52 * (ensemble.n_trees + 1) * sizes._plan().predict_raw(columns, 1)
