"""`glasswood export`: files that answer as the model."""

import runpy
from pathlib import Path

import pandas as pd
import pytest

import glasswood as gw
from glasswood.cli import main
from glasswood.cli._export import DIALECTS, FORMS
from glasswood.writers import DIALECTS as WRITTEN
from glasswood.writers import FORMS as WRITTEN_FORMS
from tests.cli.example import FEATURES


def test_a_module_answers_as_the_model(lightgbm_titanic, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, rows = lightgbm_titanic
    assert main(["export", model, rows, "-o", str(tmp_path / "model.py")]) == 0
    assert "to the last bit" in capsys.readouterr().out
    table = pd.read_csv(rows)[FEATURES][:20]
    predict = runpy.run_path(str(tmp_path / "model.py"))["predict_raw"]
    assert [predict(row)[0] for row in table.to_dict("records")] == gw.read(model).predict_raw(table).tolist()


def test_another_end_is_refused(titanic, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", titanic[0], "-o", str(tmp_path / "model.doc")]) == 1
    assert "does not end in .py, .sql, .c, .h, .onnx, .json" in capsys.readouterr().err


def test_options_choose_a_dialect_and_an_opset(titanic, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "model.sql"
    assert main(["export", *titanic, "-o", str(file), "--dialect", "postgres", "--table", "people"]) == 0
    assert 'FROM "people"' in file.read_text()
    assert main(["export", *titanic, "-o", str(tmp_path / "model.onnx"), "--opset", "3"]) == 0
    assert "rounded to float32" in capsys.readouterr().out
    assert tuple(WRITTEN) == DIALECTS


def test_a_join_says_how_exact_it_is(titanic, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "model.sql"
    assert main(["export", *titanic, "-o", str(file), "--form", "join", "--key", "id"]) == 0
    assert "to the rounding of a sum in another order" in capsys.readouterr().out
    assert main(["export", *titanic, "-o", str(file), "--form", "join", "--dialect", "duckdb"]) == 0
    assert "to the last bit" in capsys.readouterr().out
    assert FORMS == WRITTEN_FORMS
