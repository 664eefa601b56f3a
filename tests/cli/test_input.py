"""Input of the command line: columns by name, categories by the levels that the model knows."""

from argparse import Namespace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import glasswood as gw
from glasswood.cli._input import read_input
from glasswood.errors import OptionError, TableError


def options(model: str, data: str | None, **more: object) -> Namespace:
    return Namespace(**{"model": model, "data": data, "weight": None, "quiet": True} | more)


def test_columns_are_distinguished_by_name(lightgbm_titanic) -> None:
    given = read_input(options(*lightgbm_titanic, target="survived", weight="mass"))
    assert list(given.X.columns) == ["pclass", "sex", "age", "sibsp", "parch", "fare", "embarked"]
    assert set(given.target) == {0, 1} and given.weight.max() == 3.0


def test_a_feature_is_not_a_target(titanic) -> None:
    with pytest.raises(OptionError, match="--target 'age' is a feature of the model"):
        read_input(options(*titanic, target="age"))


def test_a_missing_column_is_named_when_the_table_is_used(titanic, tmp_path: Path) -> None:
    model, rows = titanic
    pd.read_csv(rows).rename(columns={"age": "Age"}).to_csv(tmp_path / "rows.csv", index=False)
    given = read_input(options(model, str(tmp_path / "rows.csv")))
    with pytest.raises(TableError, match=r"lacks 'age' \(did you mean 'Age'\?\)"):
        gw.effects(model, given.X)


def test_a_catboost_file_reads_whole_number_categories_from_csv(tmp_path: Path) -> None:
    from catboost import CatBoostRegressor

    rng = np.random.default_rng(0)
    X = pd.DataFrame({"size": rng.normal(size=300), "code": rng.choice(["01", "2", "NA"], 300)})
    y = X["size"] + (X["code"] == "01") * 3.0
    model = CatBoostRegressor(iterations=5, depth=3, one_hot_max_size=10, verbose=False, allow_writing_files=False)
    model.fit(X, y, cat_features=["code"]).save_model(tmp_path / "model.cbm")
    X.to_csv(tmp_path / "rows.csv", index=False)
    given = read_input(options(str(tmp_path / "model.cbm"), str(tmp_path / "rows.csv")))
    assert gw.read(tmp_path / "model.cbm", given.X).source.parity.leaves_equal
    np.testing.assert_array_equal(given.ensemble.predict(given.X), given.ensemble.predict(X))


def test_weights_need_a_table(titanic) -> None:
    with pytest.raises(OptionError, match="--weight 'mass' names a column of DATA; name the file too"):
        read_input(options(titanic[0], None, weight="mass"))
