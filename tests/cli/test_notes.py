"""The command shows a warning as a note; a program that calls `main` keeps its own way of showing warnings."""

import os
import subprocess
import sys
import warnings
from pathlib import Path

import pandas as pd
import pytest

import glasswood as gw
from glasswood.cli import main
from glasswood.cli._notes import _show


def test_the_command_shows_a_warning_in_one_line(titanic) -> None:
    command = [sys.executable, "-m", "glasswood", "examples", *titanic, "--rows", "0", "--min-rows-per-leaf", "5000"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert [line for line in done.stderr.splitlines() if "note" in line] == [
        "glasswood: note: 1 of 1 queries share no leaf of at least 5000 training rows; their similarities are 0"
    ]


def test_letters_that_the_output_does_not_have_are_written_out(tmp_path: Path) -> None:
    tree = gw.TreeRegressor(max_depth=1).fit(pd.DataFrame({"a → b": [1.0, 2.0]}), [0.0, 1.0])
    tree.ensemble_.save(tmp_path / "model.gw")
    command = [sys.executable, "-m", "glasswood", "inspect", str(tmp_path / "model.gw")]
    options = {"env": {**os.environ, "PYTHONIOENCODING": "cp1252"}, "capture_output": True, "check": True}
    assert "a \\u2192 b" in subprocess.run(command, encoding="cp1252", **options).stdout


def test_a_program_that_calls_main_keeps_its_warnings(titanic) -> None:
    before = list(warnings.filters), warnings.showwarning
    with pytest.warns(gw.NoNeighbourWarning, match="1 of 1 queries"):
        assert main(["examples", *titanic, "--rows", "0", "--min-rows-per-leaf", "5000"]) == 0
    assert (list(warnings.filters), warnings.showwarning) == before


def test_warnings_of_others_are_shown_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    _show("soon gone", DeprecationWarning)
    assert capsys.readouterr().err == "glasswood: note: DeprecationWarning: soon gone\n"
