"""The library gets the caller's own table; the certificate says so if it did not."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from catboost import CatBoostRegressor
from lightgbm import LGBMRegressor
from sklearn.ensemble import RandomForestRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor
from xgboost import XGBRegressor

import glasswood as gw
from glasswood.ensemble import OWN_TABLE
from glasswood.readers._own_table import IN_ORDER

RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 2))
Y = X[:, 0] * 2 + (X[:, 1] > 0)
FRAME = pd.DataFrame(X, columns=["a", "b"])


def test_integer_categories_beyond_2_to_the_53_are_those_of_catboost() -> None:
    ids = np.array([2**53 + 1, 2**53 + 2, 2**60 + 1, 2**60 + 2])[RNG.integers(0, 4, 120)]
    frame = pd.DataFrame({"id": ids, "x": X[:, 0]})
    y = np.where(ids % 2 == 1, 10.0, -5.0) + X[:, 0]
    model = CatBoostRegressor(
        iterations=20, verbose=0, allow_writing_files=False, cat_features=["id"], one_hot_max_size=255
    ).fit(frame, y)
    ensemble = gw.read(model, frame)
    np.testing.assert_allclose(ensemble.predict(frame), model.predict(frame), rtol=1e-12)
    assert ensemble.source.parity.asked_with == OWN_TABLE
    assert set(ensemble.features.categories[0]) == {str(value) for value in ids}


@pytest.mark.parametrize("model", [RandomForestRegressor(5, random_state=0), LGBMRegressor(verbose=-1)])
def test_a_mask_that_the_library_ignores_is_refused(model) -> None:
    masked = np.ma.array(X, mask=RNG.random(X.shape) < 0.2)
    with pytest.raises(gw.ParityError, match=r"masked array, whose mask .* ignores: give X.filled\(numpy.nan\)"):
        gw.read(model.fit(X, Y), masked)
    assert gw.read(model, np.ma.array(X)).source.parity.asked_with == OWN_TABLE


def test_categories_given_for_numbers_are_refused_where_lightgbm_takes_their_codes() -> None:
    numbers = np.round(X * 3)
    model = LGBMRegressor(verbose=-1, min_child_samples=2).fit(numbers, Y)
    frame = pd.DataFrame(numbers, columns=["a", "b"])
    assert gw.read(model, frame).source.parity.asked_with == OWN_TABLE
    with pytest.raises(gw.ParityError, match="LightGBM itself reads the table differently: column 'a' has dtype categ"):
        gw.read(model, frame.astype({"a": "category"}))


def test_the_certificate_says_what_the_library_was_asked_with() -> None:
    tree = DecisionTreeRegressor(max_depth=3).fit(FRAME, Y)
    assert str(gw.read(tree, FRAME).source.parity).endswith("largest difference in raw 0")
    turned = gw.read(tree, FRAME[["b", "a"]]).source.parity
    assert turned.asked_with == IN_ORDER
    assert str(turned).endswith("; the library predicted the table with its columns in the model's order")
    model = CatBoostRegressor(iterations=3, verbose=0, allow_writing_files=False).fit(X, Y)
    arrow = gw.read(model, pl.from_pandas(FRAME).to_arrow()).source.parity
    assert "values glasswood read from the table, because it refuses the table itself: Invalid data type" in str(arrow)


def test_a_file_is_asked_with_the_values_read_and_says_so(tmp_path) -> None:
    LGBMRegressor(n_estimators=3, verbose=-1).fit(X, Y).booster_.save_model(tmp_path / "model.txt")
    parity = gw.read(tmp_path / "model.txt", X).source.parity
    assert str(parity).endswith("; the library predicted the values glasswood read from the table")


def test_the_words_of_a_library_that_refuses_everything_are_passed_on() -> None:
    tree = DecisionTreeRegressor(max_depth=3).fit(FRAME, Y)
    with pytest.raises(gw.TableError, match="scikit-learn's own predict failed on these rows: Input X contains inf"):
        gw.read(tree, FRAME.assign(a=np.inf))


def test_names_or_none_make_no_warning_and_change_nothing_in_the_model() -> None:
    named, nameless = DecisionTreeRegressor(max_depth=3).fit(FRAME, Y), DecisionTreeRegressor(max_depth=3).fit(X, Y)
    assert gw.read(named, X).source.parity.asked_with == OWN_TABLE
    assert gw.read(nameless, FRAME).source.parity.asked_with == OWN_TABLE
    assert named.feature_names_in_.tolist() == ["a", "b"]
    assert not hasattr(nameless, "feature_names_in_")


def test_rows_beyond_the_first_chunk_are_the_callers_too() -> None:
    many = pl.DataFrame(np.tile(X, (90, 1)), schema=["a", "b"], orient="row")
    parity = gw.read(DecisionTreeRegressor(max_depth=3).fit(FRAME, Y), many).source.parity
    assert (parity.n_rows, parity.asked_with) == (10_800, OWN_TABLE)


def test_a_pipeline_that_computes_in_float32_is_named_and_agrees_in_float64() -> None:
    X = np.random.default_rng(0).normal(50, 10, (400, 2)).astype(np.float32)
    pipeline = make_pipeline(StandardScaler(), XGBRegressor(n_estimators=20, n_jobs=1)).fit(X, X[:, 0] + X[:, 1])
    with pytest.raises(gw.ParityError, match=r"compute with columns of float32 in float32.*numbers as float64"):
        gw.read(pipeline, X)
    assert gw.read(pipeline, X.astype(np.float64)).source.parity.leaves_equal
