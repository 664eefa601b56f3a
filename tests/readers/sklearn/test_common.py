"""What scikit-learn's estimators have in common."""

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingRegressor, HistGradientBoostingRegressor
from sklearn.tree import DecisionTreeRegressor

from glasswood.ensemble import FeatureSchema
from glasswood.readers.sklearn._common import allows_missing, feature_schema, is_sklearn, output_names, with_names


def test_names_are_kept_or_made() -> None:
    tree = DecisionTreeRegressor().fit(np.zeros((2, 2)), [0.0, 1.0])
    assert feature_schema(tree).names == ("x0", "x1")
    assert not feature_schema(tree).named


def test_missing_values_are_allowed_where_scikit_learn_says_so() -> None:
    assert allows_missing(HistGradientBoostingRegressor())
    assert allows_missing(DecisionTreeRegressor())
    assert not allows_missing(GradientBoostingRegressor())


def test_a_subclass_counts_as_its_parent_and_a_namesake_does_not() -> None:
    class Mine(DecisionTreeRegressor):
        pass

    namesake = type("DecisionTreeRegressor", (), {})
    assert is_sklearn(Mine(), "DecisionTreeRegressor")
    assert not is_sklearn(namesake(), "DecisionTreeRegressor")
    assert not is_sklearn(Mine(), "ExtraTreeRegressor")


def test_outputs_are_named_by_class_and_target() -> None:
    two, three = np.array(["no", "yes"]), np.array([1, 2, 3])
    assert output_names(None, 1) == ("y",)
    assert output_names([two], 1) == ("yes",)
    assert output_names([two, three], 2) == ("y0=yes", "y1=1", "y1=2", "y1=3")


def test_rows_are_named_where_the_model_knows_names(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = np.zeros((3, 2))
    assert list(with_names(matrix, FeatureSchema.numeric(["a", "b"])).columns) == ["a", "b"]
    assert with_names(matrix, FeatureSchema.numeric(["x0", "x1"], named=False)) is matrix
    monkeypatch.setattr("glasswood.tables._make.find_spec", lambda _: None)
    assert with_names(matrix, FeatureSchema.numeric(["a", "b"])) is matrix
