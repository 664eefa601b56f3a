"""Imputers before a category of CatBoost: the column of the table keeps its levels, and its missing values get one."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from catboost import CatBoostRegressor
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, OrdinalEncoder

import glasswood as gw

rng = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "city": rng.choice(["Bern", "Oslo", "Rome", None], 200),
        "code": rng.integers(0, 6, 200),
        "n": rng.normal(size=200),
    }
)
Y = (FRAME.city == "Rome") * 3 + FRAME.city.isna() * 2 + np.sin(FRAME.code) + FRAME.n
ROWS = FRAME.head(80).assign(city=["Oslo", "Lima", None, "none"] * 20, code=[0, 5, 99, 3] * 20)
NONE = SimpleImputer(strategy="constant", fill_value="none")


def piped(*steps: tuple[Any, list[str]], categories: list[str]) -> Pipeline:
    columns = make_column_transformer(*steps, ("passthrough", ["n"]), verbose_feature_names_out=False)
    model = CatBoostRegressor(iterations=5, depth=3, cat_features=categories, verbose=0, allow_writing_files=False)
    return make_pipeline(columns.set_output(transform="pandas"), model.set_params(thread_count=1)).fit(FRAME, Y)


@pytest.mark.parametrize(
    "steps",
    [
        ((NONE, ["city"]), ("passthrough", ["code"])),
        ((SimpleImputer(strategy="constant", fill_value=0), ["city"]), ("passthrough", ["code"])),
        ((SimpleImputer(strategy="most_frequent", add_indicator=True), ["city", "code"]),),
        ((make_pipeline(NONE, SimpleImputer(strategy="most_frequent")), ["city"]), ("passthrough", ["code"])),
    ],
    ids=["a level of its own", "a number", "the most frequent, indicator", "two imputers"],
)
def test_missing_values_go_where_their_level_goes(steps: Any) -> None:
    pipeline = piped(*steps, categories=["city", "code"])
    for rows in (FRAME, ROWS):
        ensemble = gw.read(pipeline, rows)
        assert ensemble.source.parity.leaves_equal
        assert np.allclose(ensemble.predict(rows), pipeline.predict(rows), rtol=1e-12)
    assert ensemble.feature_names == ("city", "code", "n")
    assert ensemble.features.missing_routed[0]


def test_the_level_of_missing_values_has_the_text_of_the_imputer() -> None:
    ensemble = gw.read(piped((NONE, ["city"]), categories=["city"]), FRAME)
    assert sorted(map(str, ensemble.features.categories[0])) == ["Bern", "Oslo", "Rome", "none"]


@pytest.mark.parametrize(
    ("steps", "category"),
    [
        (((FunctionTransformer(np.negative), ["code"]),), "code"),
        (((NONE, ["city"]), (OneHotEncoder(sparse_output=False, handle_unknown="ignore"), ["city"])), "city"),
        (((make_pipeline(NONE, SimpleImputer(missing_values="Oslo", strategy="most_frequent")), ["city"]),), "city"),
    ],
    ids=["arithmetic", "also one-hot", "an imputer of a level"],
)
def test_other_ways_to_a_category_are_derived_features(steps: Any, category: str) -> None:
    pipeline = piped(*steps, categories=[category])
    ensemble = gw.read(pipeline, ROWS)
    assert ensemble.source.parity.leaves_equal
    assert any(name.endswith(f"__{category}") for name in ensemble.feature_names)


def test_whole_codes_of_an_encoder_are_categories() -> None:
    codes = OrdinalEncoder(dtype=int, handle_unknown="use_encoded_value", unknown_value=-1, encoded_missing_value=-2)
    ensemble = gw.read(piped((codes, ["city"]), categories=["city"]), ROWS)
    assert ensemble.source.parity.leaves_equal
    assert set(ensemble.features.categories[0]) == {"Bern", "Oslo", "Rome"}
