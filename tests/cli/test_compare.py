"""`glasswood compare`: what `gw.compare` says, on the screen and in files."""

import json
from pathlib import Path

import pandas as pd
import pytest

import glasswood as gw
from glasswood.cli import main
from tests.cli.example import FEATURES, read_back


@pytest.fixture(scope="module")
def other(titanic, tmp_path_factory: pytest.TempPathFactory) -> str:
    rows = pd.read_csv(titanic[1])
    X = rows[FEATURES[:3]].astype({"sex": "category"})
    path = tmp_path_factory.mktemp("compare") / "other.gw"
    gw.BoostingClassifier(n_estimators=5, max_depth=2).fit(X, rows["survived"]).ensemble_.save(path)
    return str(path)


def test_the_screen_shows_numbers_features_and_rules(titanic, other: str, capsys: pytest.CaptureFixture[str]) -> None:
    model, rows = titanic
    assert main(["compare", model, other, rows, "--target", "survived", "--weight", "mass"]) == 0
    said = capsys.readouterr().out
    for line in ("Difference of raw, first model minus second", "log loss, difference", "Where they differ", "fare"):
        assert line in said


def test_files_hold_what_the_library_gives(titanic, other: str, tmp_path: Path) -> None:
    model, rows = titanic
    for end in ("csv", "json", "html"):
        assert main(["compare", model, other, rows, "-o", str(tmp_path / f"change.{end}")]) == 0
    table = pd.read_csv(rows)[FEATURES]
    expected = gw.compare(model, other, table)
    assert json.loads((tmp_path / "change.json").read_text())["sd"] == expected.sd.tolist()
    assert read_back(tmp_path / "change.csv")["value"].iloc[2] == expected.sd[0]
    assert "Rows with the largest difference" in (tmp_path / "change.html").read_text()


def test_a_column_that_is_not_there_is_named(titanic, other: str, capsys: pytest.CaptureFixture[str]) -> None:
    model, rows = titanic
    assert main(["compare", model, other, rows, "--target", "lived"]) == 1
    assert "no column 'lived'" in capsys.readouterr().err
