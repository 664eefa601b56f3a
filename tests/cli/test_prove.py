"""`glasswood prove`: what `gw.bounds` and `gw.monotone` say, on the screen and in files."""

import json
from pathlib import Path

import pandas as pd
import pytest

import glasswood as gw
from glasswood.cli import main
from tests.cli.example import FEATURES, read_back


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    X = pd.DataFrame({"age": [1.0, 2.0, 3.0, 4.0], "fare": [1.0, 1.0, 2.0, 2.0]})
    path = tmp_path_factory.mktemp("prove") / "small.gw"
    gw.TreeRegressor(min_samples_leaf=1, min_samples_split=2).fit(X, [1.0, 2.0, 5.0, 9.0]).ensemble_.save(path)
    return str(path)


def test_the_screen_shows_bounds(small: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", small, "--bounds"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Bounds of raw: no row is beyond them"
    assert [line.split()[-3:] for line in lines[-2:]] == [["low", "1", "yes"], ["high", "9", "yes"]]


def test_the_screen_shows_a_verdict_and_rows(small: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", small, "--monotone", "age"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "rises: raw never falls when age grows"
    assert lines[1].startswith("raw rises from 1 to 2 if age goes from 1.5 to 2.5")


def test_files_hold_what_the_library_gives(titanic, tmp_path: Path) -> None:
    model, rows = titanic
    for end in ("csv", "json", "html"):
        assert main(["prove", model, rows, "--bounds", "--quiet", "-o", str(tmp_path / f"bounds.{end}")]) == 0
    expected = gw.bounds(model, pd.read_csv(rows)[FEATURES])
    assert read_back(tmp_path / "bounds.csv")["bound"].tolist() == [*expected.low, *expected.high]
    assert json.loads((tmp_path / "bounds.json").read_text())["high"] == expected.high.tolist()
    assert "Bounds of raw" in (tmp_path / "bounds.html").read_text()


def test_an_unknown_feature_is_named(small: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", small, "--monotone", "agee"]) == 1
    assert "did you mean 'age'?" in capsys.readouterr().err


def test_a_feature_is_also_given_by_its_position(small: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", small, "--monotone", "#0"]) == 0
    assert "raw never falls when age grows" in capsys.readouterr().out


def test_bounds_are_those_of_every_output(small: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", small, "--bounds", "--output", "y"]) == 1
    assert "--output goes with --monotone" in capsys.readouterr().err
