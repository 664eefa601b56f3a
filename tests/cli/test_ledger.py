"""`glasswood ledger`: the numbers of `gw.ledger`, on the screen and in files."""

import json
from pathlib import Path

import pandas as pd
import pytest

import glasswood as gw
from glasswood.cli import main
from tests.cli.example import FEATURES, read_back


def test_the_screen_shows_three_shares(lightgbm_titanic, capsys: pytest.CaptureFixture[str]) -> None:
    model, rows = lightgbm_titanic
    assert main(["ledger", model, rows]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Shares of the variance of raw over 1,309 rows") and len(lines) == 3
    assert lines[1].split() == ["variance", "effects", "pairs", "left", "over"]
    assert sum(map(float, lines[2].split()[1:])) == pytest.approx(1, abs=1e-3)


def test_files_hold_what_the_library_gives(titanic, tmp_path: Path) -> None:
    model, rows = titanic
    for end in ("csv", "json", "html"):
        assert main(["ledger", model, rows, "--weight", "mass", "-o", str(tmp_path / f"ledger.{end}")]) == 0
    passengers = pd.read_csv(rows)
    known = gw.ledger(model, passengers[FEATURES], sample_weight=passengers["mass"])
    assert json.loads((tmp_path / "ledger.json").read_text()) == known.to_dict()
    assert read_back(tmp_path / "ledger.csv")["share"].tolist() == known.to_frame("pandas")["share"].tolist()
    assert (tmp_path / "ledger.html").read_text().count("data:image/png") == 1


def test_several_outputs_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True, as_frame=True)
    gw.ForestClassifier(5, random_state=0).fit(X, y).ensemble_.save(tmp_path / "forest.gw")
    X.to_csv(tmp_path / "rows.csv", index=False)
    assert main(["ledger", str(tmp_path / "forest.gw"), str(tmp_path / "rows.csv")]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[1:]] == ["output", "0", "1", "2"]
