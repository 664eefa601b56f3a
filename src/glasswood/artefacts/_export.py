"""export: a model as a file in another language, run and compared with the model before it is written."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from glasswood.artefacts._runs import RawRows, run_c, run_json, run_python, run_sql
from glasswood.ensemble import Ensemble, align, json_text, made_up_rows
from glasswood.errors import OptionError, ParityError, TableError
from glasswood.readers import as_ensemble
from glasswood.tables import Table
from glasswood.writers import model_c, model_python, model_sql

# suffix → how the text is made, and how it is run on columns
_KINDS: dict[str, tuple[Callable[[Ensemble], str], Callable[[Ensemble, str, list[Any]], RawRows]]] = {
    ".py": (model_python, run_python),
    ".sql": (model_sql, run_sql),
    ".c": (model_c, run_c),
    ".json": (json_text, run_json),
}


def export(model: Any, path: str | Path, X: Table | None = None) -> None:
    """Write a model as Python, SQL, C or JSON, after running what is written and comparing it with the model.

    The raw of the artefact must equal the raw of the model to the last bit, over the rows of X or over made-up rows
    that reach every leaf. If it does not, nothing is written.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `glasswood.read` takes.
    path : str or Path
        ``.py``: a module with ``predict_raw(row)`` and ``predict(row)`` that needs only the standard library.
        ``.sql``: one SELECT over a table ``rows`` with columns named like the features, NULL for missing; it is run in
        SQLite. ``.c``: one file with ``predict_raw``, ``predict_all`` and ``predict``; categories are codes, which a
        comment lists; it is compiled and run, which needs a compiler called ``cc``.
        ``.json``: all arrays of the Ensemble, which `glasswood.read` reads back.
    X : table, optional
        Rows to check with; made-up rows are used without.

    Raises
    ------
    ParityError
        The artefact answers differently.
    OptionError
        The suffix is not known.

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
    if file.suffix.lower() not in _KINDS:
        raise OptionError(f"{str(path)!r} does not end in {', '.join(_KINDS)}")
    make, run = _KINDS[file.suffix.lower()]
    ensemble = as_ensemble(model, X)
    text = make(ensemble)
    columns: list[Any]
    if X is None:
        columns = made_up_rows(ensemble)
    else:
        rows = align(X, ensemble.features)
        columns = [rows.column(j) for j in range(len(ensemble.features))]
    expected = ensemble._plan().predict_raw(columns, 1)
    for row, (found, wanted) in enumerate(zip(run(ensemble, text, columns), expected.tolist(), strict=True)):
        if found != wanted:
            raise ParityError(
                f"row {row}: the {file.suffix} file gives {found}, the model {wanted}; nothing is written"
            )
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise TableError(f"{file}: {error.strerror}") from error
