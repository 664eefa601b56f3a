"""Sparse tables and the libraries: each gets the same table object; if it reads it differently, we say so."""

import warnings

import catboost
import lightgbm
import numpy as np
import pytest
import scipy.sparse as sp
import xgboost
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor

import glasswood as gw
from glasswood.errors import ParityError, TableError
from tests.sparse_forms import FORMS, dense_table, same_bits, target_of

X = dense_table(150, 8, filled=0.3, missing=False)
Y = target_of(X)
ITSELF = "the table itself"


def quietly(call, *args):
    """Result of a call; LightGBM and XGBoost warn when they convert a table."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return call(*args)


def models():
    return {
        "forest": RandomForestRegressor(5, random_state=0).fit(sp.csr_array(X), Y),
        "lightgbm": lightgbm.LGBMRegressor(n_estimators=5, min_child_samples=5, verbose=-1).fit(sp.csr_matrix(X), Y),
        "booster": lightgbm.train({"verbose": -1, "num_threads": 1}, lightgbm.Dataset(sp.csr_matrix(X), Y), 5),
        "catboost": catboost.CatBoostRegressor(iterations=5, verbose=0, thread_count=1, allow_writing_files=False).fit(
            sp.csr_matrix(X), Y
        ),
        "hist": HistGradientBoostingRegressor(max_iter=5).fit(X, Y),
    }


@pytest.mark.parametrize("name", ["forest", "lightgbm", "booster", "catboost", "hist"])
def test_a_model_is_checked_with_a_sparse_table_of_any_form(name):
    model = models()[name]
    wanted = gw.read(model).predict_raw(X)
    for form, make in FORMS.items():
        table = make(X)
        ensemble = quietly(gw.read, model, table)
        assert same_bits(ensemble.predict_raw(table), wanted), form
        assert ensemble.source.parity.n_rows == len(X)
        refuses = name == "hist" or (name == "catboost" and form.endswith("_array"))
        asked_with = ensemble.source.parity.asked_with
        assert "refuses the table itself" in asked_with if refuses else asked_with == ITSELF, form


def test_xgboost_treats_values_that_are_not_stored_as_missing_and_the_error_says_so():
    model = xgboost.XGBRegressor(n_estimators=5, n_jobs=1).fit(sp.csr_matrix(X), Y)
    with pytest.raises(ParityError, match=r"XGBoost takes a value that is not stored for missing, glasswood for 0"):
        gw.read(model, sp.csr_matrix(X))
    assert gw.read(model, X).source.parity.asked_with == ITSELF


def test_a_table_of_many_columns_is_compared_in_small_pieces(monkeypatch):
    monkeypatch.setattr("glasswood.readers._parity._CHUNK_NUMBERS", 100)  # 12 rows at a time
    model = RandomForestRegressor(5, random_state=0).fit(X, Y)
    for make in (sp.csr_array, sp.csc_matrix, sp.coo_array):
        assert gw.read(model, make(X)).source.parity.n_rows == len(X)


def test_a_file_is_checked_with_a_sparse_table(tmp_path):
    model = models()["booster"]
    model.save_model(tmp_path / "model.txt")
    assert gw.read(tmp_path / "model.txt", sp.csr_array(X)).source.parity.n_rows == len(X)


def test_another_number_of_columns_is_refused_with_and_without_names():
    for table in (X, FORMS["pandas"](X).rename(columns=str)):
        ensemble = gw.TreeRegressor().fit(table, Y).ensemble_
        assert same_bits(ensemble.predict_raw(sp.csr_array(X)), ensemble.predict_raw(table))
        with pytest.raises(TableError, match=r"8 features .*the table has 7 columns"):
            ensemble.predict_raw(sp.csr_array(X[:, :7]))


def test_whole_numbers_of_a_sparse_table_are_categories_if_the_model_says_so():
    levels = np.abs(np.nan_to_num(X)).astype(int)
    data = lightgbm.Dataset(levels.astype(float), Y, categorical_feature=[0, 1])
    options = {"verbose": -1, "num_threads": 1, "min_data_per_group": 5, "cat_smooth": 1, "min_data_in_leaf": 5}
    model = lightgbm.train(options, data, 5)
    ensemble = gw.read(model, sp.csr_matrix(levels))
    assert ensemble.features.is_category.any()
    assert same_bits(ensemble.predict_raw(sp.csr_array(levels)), ensemble.predict_raw(levels))
