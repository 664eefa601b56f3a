"""What the command line names: columns by name, categories by what the model knows."""

from argparse import Namespace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import glasswood as gw
from glasswood.cli._input import features_of, known_levels, read_input
from glasswood.ensemble import FeatureSchema
from glasswood.errors import TableError


def options(model: str, data: str | None, **more: object) -> Namespace:
    return Namespace(**{"model": model, "data": data, "weight": None, "quiet": True} | more)


def test_columns_are_told_apart_by_name(titanic) -> None:
    given = read_input(options(*titanic, target="survived", weight="mass"))
    assert list(given.X.columns) == ["pclass", "sex", "age", "sibsp", "parch", "fare", "embarked"]
    assert set(given.target) == {0, 1} and given.weight.max() == 3.0


def test_a_model_without_names_takes_every_column_but_the_target() -> None:
    frame = pd.DataFrame({"u": [1.0], "y": [2.0], "v": [3.0]})
    schema = FeatureSchema.numeric(("x0", "x1"), named=False)
    assert list(features_of(frame, schema, ["y"]).columns) == ["u", "v"]


def test_names_that_lightgbm_wrote_with_underscores_are_found() -> None:
    frame = pd.DataFrame({"petal length": [1.0], "y": [0]})
    assert list(features_of(frame, FeatureSchema.numeric(("petal_length",)), ["y"]).columns) == ["petal length"]


def test_a_missing_column_is_named_by_who_takes_the_table(titanic, tmp_path: Path) -> None:
    model, rows = titanic
    pd.read_csv(rows).rename(columns={"age": "Age"}).to_csv(tmp_path / "rows.csv", index=False)
    given = read_input(options(model, str(tmp_path / "rows.csv")))
    with pytest.raises(TableError, match=r"lacks 'age' \(did you mean 'Age'\?\)"):
        gw.effects(model, given.X)


def test_hashed_categories_are_text_as_it_stands() -> None:
    schema = FeatureSchema(
        names=("a", "b", "c"),
        named=True,
        categories=(("#0000002a",), ("x", "NA"), None),
        coded=np.zeros(3, bool),
        missing_routed=np.ones(3, bool),
        zero_is_missing=np.zeros(3, bool),
        hashes=((42,), None, None),
    )
    assert known_levels(schema) == {"a": (), "b": ("x", "NA")}


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
