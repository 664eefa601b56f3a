"""`glasswood inspect` prints what is in a file."""

from pathlib import Path

import pytest

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
