"""A subject reads its model once."""

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestRegressor

from glasswood.web.panels._subject import Subject
from tests.web.cases import binary


def test_targets_need_not_be_known() -> None:
    assert Subject("t", model=None, X=[[1.0]]).y is None


def test_what_several_panels_need_is_made_once() -> None:
    model, X, _ = binary()
    subject = Subject("t", model, X)
    assert subject.ensemble() is subject.ensemble()
    assert subject.effects() is subject.effects()
    assert list(subject.effects()) == list(X.columns)


def test_a_model_without_names_takes_those_of_the_table() -> None:
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(40, 2)), columns=["size", "age"])
    model = RandomForestRegressor(2, random_state=0).fit(X.to_numpy(), X["age"])
    assert Subject("", model, X).ensemble().feature_names == ("size", "age")
    assert Subject("", model, X.to_numpy()).ensemble().feature_names == ("x0", "x1")


def test_rows_are_called_by_the_index_where_it_says_more_than_a_number() -> None:
    X = pd.DataFrame({"a": [1.0, 2.0]})
    assert Subject("", None, X).row_name(1) == "row 1"
    assert Subject("", None, X.set_axis(["Ann", "Bob"], axis=0)).row_name(1) == "row 1 (Bob)"
