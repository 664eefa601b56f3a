"""What scikit-learn's estimators have in common."""

import numpy as np
import pandas as pd
from sklearn.ensemble import GradientBoostingRegressor, HistGradientBoostingRegressor
from sklearn.tree import DecisionTreeRegressor

from glasswood.readers.sklearn._common import allows_missing, feature_schema, is_sklearn, named_like, output_names


def test_names_are_kept_or_made() -> None:
    tree = DecisionTreeRegressor().fit(np.zeros((2, 2)), [0.0, 1.0])
    assert feature_schema(tree).names == ("x0", "x1")
    assert not feature_schema(tree).named


def test_missing_values_are_allowed_where_scikit_learn_says_so() -> None:
    assert allows_missing(HistGradientBoostingRegressor())
    assert allows_missing(DecisionTreeRegressor())
    assert not allows_missing(GradientBoostingRegressor())


def test_a_subclass_is_treated_like_its_parent_and_a_class_of_the_same_name_is_not() -> None:
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


def test_a_model_is_asked_with_as_many_names_as_the_table_has() -> None:
    matrix, y = np.array([[0.0], [1.0]]), [0.0, 1.0]
    frame = pd.DataFrame(matrix, columns=["a"])
    named, plain = DecisionTreeRegressor().fit(frame, y), DecisionTreeRegressor().fit(matrix, y)
    assert named_like(named, frame) is named
    assert named_like(plain, matrix) is plain
    assert named_like(named, matrix).predict(matrix).tolist() == y  # scikit-learn's warnings are errors here
    assert named_like(plain, frame).predict(frame).tolist() == y
    assert hasattr(named, "feature_names_in_") and not hasattr(plain, "feature_names_in_")
