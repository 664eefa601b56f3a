"""`glasswood effects`: the numbers of `gw.effects`, on the screen and in files."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import glasswood as gw
from glasswood.cli import main
from tests.cli.example import FEATURES, read_back


def test_the_screen_shows_features_by_importance(lightgbm_titanic, capsys: pytest.CaptureFixture[str]) -> None:
    model, rows = lightgbm_titanic
    assert main(["effects", model, rows]) == 0
    said = capsys.readouterr()
    lines = said.out.splitlines()
    assert lines[0] == "Importance of the effects (interventional)" and lines[2].startswith("sex ")
    assert "left out: survived, name" in said.err


@pytest.mark.parametrize("end", ["csv", "parquet"])
def test_a_table_holds_what_the_library_gives(titanic, tmp_path: Path, end: str) -> None:
    model, rows = titanic
    file = tmp_path / f"effects.{end}"
    assert main(["effects", model, rows, "--features", "age", "#1", "--weight", "mass", "-o", str(file)]) == 0
    passengers = pd.read_csv(rows)
    expected = gw.effects(model, passengers[FEATURES], features=["age", "sex"], sample_weight=passengers["mass"])
    found = read_back(file)
    assert found["feature"].unique().tolist() == ["age", "sex"]
    np.testing.assert_array_equal(found["effect"], expected.to_frame()["effect"])


def test_without_rows_the_method_is_path(titanic, tmp_path: Path) -> None:
    model, _ = titanic
    assert main(["effects", model, "-o", str(tmp_path / "effects.json")]) == 0
    found = json.loads((tmp_path / "effects.json").read_text())
    assert found["method"] == "path" and len(found["features"]) == len(FEATURES)


def test_a_page_holds_table_and_pictures(titanic, tmp_path: Path) -> None:
    model, rows = titanic
    assert main(["effects", model, rows, "--features", "age", "fare", "-o", str(tmp_path / "effects.html")]) == 0
    text = (tmp_path / "effects.html").read_text()
    assert text.count("data:image/png") == 2 and "effect of fare" in text and "http" not in text


def test_several_outputs_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True, as_frame=True)
    gw.ForestClassifier(5, random_state=0).fit(X, y).ensemble_.save(tmp_path / "forest.gw")
    X.to_csv(tmp_path / "rows.csv", index=False)
    assert main(["effects", str(tmp_path / "forest.gw"), str(tmp_path / "rows.csv")]) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == ["feature", "output", "sd", "mean", "|effect|"]


def test_an_unknown_feature_is_named(titanic, capsys: pytest.CaptureFixture[str]) -> None:
    model, rows = titanic
    assert main(["effects", model, rows, "--features", "agee"]) == 1
    assert "did you mean 'age'?" in capsys.readouterr().err
