"""The command line: what it prints and how it exits."""

import subprocess
import sys
from pathlib import Path

import pytest

import glasswood
from glasswood.cli import main
from tests.ensemble.examples import two_trees


def test_inspect_prints_what_is_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    two_trees().save(tmp_path / "model.gw")
    assert main(["inspect", str(tmp_path / "model.gw")]) == 0
    assert "trees         2" in capsys.readouterr().out


def test_inspect_lists_features_and_categories_of_a_foreign_file(tmp_path: Path, capsys) -> None:
    import lightgbm as lgb
    import numpy as np
    import pandas as pd

    rng = np.random.default_rng(0)
    X = pd.DataFrame({"size": rng.normal(size=200), "colour": pd.Categorical(rng.choice(["blue", "red"], 200))})
    model = lgb.LGBMRegressor(n_estimators=3, verbose=-1, n_jobs=1).fit(X, X["size"] + (X["colour"] == "red"))
    model.booster_.save_model(tmp_path / "model.txt")
    assert main(["inspect", str(tmp_path / "model.txt")]) == 0
    shown = capsys.readouterr().out
    for part in ("LightGBM", "regression", "trees         3", "category: blue, red", "number", "not checked"):
        assert part in shown


def test_a_refused_file_exits_with_one_and_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "model.gw").write_text("nothing")
    assert main(["inspect", str(tmp_path / "model.gw")]) == 1
    assert "model.gw" in capsys.readouterr().err


def test_a_wrong_call_exits_with_two(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["nonsense"])
    assert stop.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_python_dash_m_is_the_command() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "glasswood", "--version"], capture_output=True, text=True, check=True
    ).stdout
    assert shown.strip() == f"glasswood {glasswood.__version__}"
