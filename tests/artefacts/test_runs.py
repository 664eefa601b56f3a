"""Running the text of a model."""

import sys

import numpy as np
import pytest

import glasswood as gw
from glasswood.artefacts import _runs
from glasswood.artefacts._runs import run_c, run_onnx, run_sql
from glasswood.writers import model_c

TREE = gw.TreeRegressor(max_depth=1).fit([[0.0], [1.0], [2.0]], [1.0, 1.0, 4.0]).ensemble_
COLUMNS = [np.array([0.0, 2.0, np.nan])]


def test_code_that_does_not_run_is_refused() -> None:
    with pytest.raises(gw.UnsupportedModelError, match="SQLite cannot run"):
        run_sql(TREE, "SELECT nothing", COLUMNS)
    with pytest.raises(gw.UnsupportedModelError, match="does not compile"):
        run_c(TREE, "int predict_raw(", COLUMNS)
    with pytest.raises(gw.UnsupportedModelError, match="DuckDB cannot run"):
        run_sql(TREE, "SELECT nothing", COLUMNS, dialect="duckdb")
    with pytest.raises(gw.UnsupportedModelError, match="onnxruntime cannot run"):
        run_onnx(TREE, b"nothing", COLUMNS)


def test_without_a_compiler_the_reason_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_runs.shutil, "which", lambda name: None)
    with pytest.raises(gw.MissingDependencyError, match="compiler cc"):
        run_c(TREE, model_c(TREE), COLUMNS)


@pytest.mark.parametrize(("library", "run"), [("duckdb", "run_sql"), ("onnxruntime", "run_onnx")])
def test_without_what_checks_it_the_reason_is_given(library, run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    options = {"dialect": "duckdb"} if run == "run_sql" else {}
    with pytest.raises(gw.MissingDependencyError, match=library):
        getattr(_runs, run)(TREE, "", COLUMNS, **options)
