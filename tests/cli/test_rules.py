"""`glasswood rules`: a list of rules as text, table, document, page and SQL."""

import json
import sqlite3
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import glasswood as gw
from glasswood.cli import main
from tests.cli.example import FEATURES, read_back


def test_the_screen_shows_the_rules(lightgbm_titanic, capsys: pytest.CaptureFixture[str]) -> None:
    model, rows = lightgbm_titanic
    assert main(["rules", model, rows, "--target", "survived", "--max-rules", "4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["if", "then", "1", "else", "1", "support", "trees"] and len(lines) == 6


def test_files_hold_the_rules_of_the_library(titanic, tmp_path: Path) -> None:
    model, rows = titanic
    passengers = pd.read_csv(rows)
    expected = gw.rules(model, passengers[FEATURES], passengers["survived"], max_rules=6)
    for end in ("csv", "parquet", "json", "html", "txt", "sql"):
        command = ["rules", model, rows, "--target", "survived", "--max-rules", "6", "--quiet"]
        assert main([*command, "-o", str(tmp_path / f"rules.{end}")]) == 0
    assert read_back(tmp_path / "rules.csv")["rule"].tolist() == expected.to_frame()["rule"].tolist()
    assert read_back(tmp_path / "rules.parquet")["rule"].tolist() == expected.to_frame()["rule"].tolist()
    again = gw.RuleSet.from_dict(json.loads((tmp_path / "rules.json").read_text()))
    np.testing.assert_array_equal(again.predict(passengers[FEATURES]), expected.predict(passengers[FEATURES]))
    assert (tmp_path / "rules.txt").read_text() == expected.to_text() + "\n"
    assert "data:image/png" in (tmp_path / "rules.html").read_text()
    with sqlite3.connect(":memory:") as database:
        passengers.to_sql("passengers", database)
        sql = f'SELECT {(tmp_path / "rules.sql").read_text()} FROM passengers ORDER BY "index"'
        found = [row[0] for row in database.execute(sql)]
    np.testing.assert_allclose(found, expected.predict(passengers[FEATURES]), atol=1e-12)


def test_classes_are_written_as_in_the_file(titanic, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, rows = titanic
    passengers = pd.read_csv(rows)
    # one decimal point makes the whole column a column of numbers
    passengers["survived"] = ["1.0", *passengers["survived"].astype(str)[1:]]
    passengers.to_csv(tmp_path / "rows.csv", index=False)
    assert main(["rules", model, str(tmp_path / "rows.csv"), "--target", "survived", "--max-rules", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[0].split()[:5] == ["if", "then", "1", "else", "1"]


def test_options_reach_the_library(titanic, capsys: pytest.CaptureFixture[str]) -> None:
    model, rows = titanic
    options = ["--max-depth", "1", "--p0", "0.2", "--quantiles", "4", "--weight", "mass"]
    assert main(["rules", model, rows, "--target", "survived", "--quiet", *options]) == 0
    said = capsys.readouterr()
    assert " and " not in said.out and said.err == ""


def test_a_target_is_needed_and_must_be_there(titanic, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["rules", *titanic])
    assert stop.value.code == 2
    assert main(["rules", *titanic, "--target", "died"]) == 1
    assert "no column 'died'" in capsys.readouterr().err
