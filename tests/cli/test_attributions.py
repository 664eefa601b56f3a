"""`glasswood attributions`: every row of a file."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import glasswood as gw
from glasswood.cli import main
from tests.cli.example import FEATURES, read_back


def test_a_file_holds_a_line_per_row(titanic, tmp_path: Path) -> None:
    model, rows = titanic
    command = ["attributions", model, rows, "--background", rows, "--quiet"]
    for end in ("csv", "parquet"):
        assert main([*command, "-o", str(tmp_path / f"at.{end}")]) == 0
        X = pd.read_csv(rows)[FEATURES]
        expected = gw.attributions(gw.read(model), X, background=X).to_frame()
        found = read_back(tmp_path / f"at.{end}")
        assert list(found.columns) == list(expected.columns)
        np.testing.assert_array_equal(found.to_numpy(), expected.to_numpy())


def test_the_screen_shows_what_matters(lightgbm_titanic, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["attributions", *lightgbm_titanic, "--features", "sex", "age"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "Attributions of 1,309 rows" in lines[0] and lines[1].startswith("feature") and len(lines) == 4


def test_interactions_go_to_documents_and_pages(titanic, tmp_path: Path) -> None:
    command = ["attributions", *titanic, "--interactions", "--features", "sex", "pclass", "--quiet"]
    for end in ("html", "json"):
        assert main([*command, "-o", str(tmp_path / f"at.{end}")]) == 0
    assert (tmp_path / "at.html").read_text().count("data:image/png") == 2
    assert np.shape(json.loads((tmp_path / "at.json").read_text())["interactions"]) == (1309, 2, 2)


def test_an_output_that_does_not_exist_is_refused(titanic, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["attributions", *titanic, "--output", "nobody"]) == 1
    assert "there is no output 'nobody'" in capsys.readouterr().err


def test_the_name_of_a_file_is_not_an_output(titanic, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["attributions", *titanic, "--output", "at.csv"]) == 1
    assert "to write a file: -o at.csv" in capsys.readouterr().err
