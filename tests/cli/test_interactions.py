"""`glasswood interactions`: the ranking in tables, every cell in JSON."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import glasswood as gw
from glasswood.cli import main
from tests.cli.example import FEATURES, read_back


def test_the_ranking_is_that_of_the_library(titanic, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, rows = titanic
    features = ["pclass", "sex", "age"]
    assert main(["interactions", model, rows, "--features", *features]) == 0
    assert capsys.readouterr().out.splitlines()[2].split()[:2] == ["pclass", "sex"]
    assert main(["interactions", model, rows, "--features", *features, "-o", str(tmp_path / "pairs.csv")]) == 0
    expected = gw.interactions(model, pd.read_csv(rows)[FEATURES], features=features).ranking().to_frame()
    found = read_back(tmp_path / "pairs.csv")
    assert found["feature_1"].tolist() == expected["feature_1"].tolist()
    np.testing.assert_array_equal(found["strength"], expected["strength"])


def test_json_holds_the_pairs_asked_for(lightgbm_titanic, tmp_path: Path) -> None:
    model, rows = lightgbm_titanic
    command = ["interactions", model, rows, "--pairs", "age:fare", "#0:#1", "-o", str(tmp_path / "pairs.json")]
    assert main(command) == 0
    found = json.loads((tmp_path / "pairs.json").read_text())
    assert [table["features"] for table in found["tables"]] == [["age", "fare"], ["pclass", "sex"]]


def test_a_page_draws_the_strongest(titanic, tmp_path: Path) -> None:
    model, rows = titanic
    assert main(["interactions", model, rows, "--pairs", "age:sex", "-o", str(tmp_path / "pairs.html")]) == 0
    assert "interaction of age and sex" in (tmp_path / "pairs.html").read_text()


def test_too_many_cells_are_refused_with_their_number(titanic, capsys: pytest.CaptureFixture[str]) -> None:
    model, rows = titanic
    assert main(["interactions", model, rows, "--max-cells", "10"]) == 1
    assert "max_cells=10" in capsys.readouterr().err


@pytest.mark.parametrize("pair", ["age", "age:", ":"])
def test_text_that_is_not_a_pair_is_a_wrong_call(titanic, pair: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["interactions", *titanic, "--pairs", pair])
    assert stop.value.code == 2
    assert "age:fare" in capsys.readouterr().err


def test_features_and_pairs_exclude_each_other(titanic) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["interactions", *titanic, "--pairs", "age:sex", "--features", "age", "sex"])
    assert stop.value.code == 2


def test_coarse_cells_show_what_they_keep(titanic, capsys: pytest.CaptureFixture[str]) -> None:
    model, rows = titanic
    assert main(["interactions", model, rows, "--resolution", "4", "--quiet"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[-1] == "kept"
    assert all(0 <= float(line.split()[-1]) <= 1 for line in lines[2:])
