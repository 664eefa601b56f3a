"""An ensemble knows the classes of the model it was read from."""

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

import glasswood as gw
from glasswood.readers._classes import classes_of
from glasswood.readers._memory import forget

X, Y = load_iris(return_X_y=True)
LABELS: dict[str, Any] = {
    "text": np.array(["setosa", "versicolor", "virginica"])[Y],
    "numbers": Y * 2,
    "floats": Y * 2.0,
}


def classifiers() -> dict[str, Any]:
    import catboost
    import lightgbm
    import perpetual
    import sklearn.ensemble
    import sklearn.tree

    quiet = {"verbose": 0, "thread_count": 1, "allow_writing_files": False}
    return {
        "sklearn tree": sklearn.tree.DecisionTreeClassifier(max_depth=2),
        "sklearn forest": sklearn.ensemble.RandomForestClassifier(3, random_state=0),
        "sklearn bagging": sklearn.ensemble.BaggingClassifier(n_estimators=3, random_state=0),
        "sklearn boosting": sklearn.ensemble.GradientBoostingClassifier(n_estimators=2, random_state=0),
        "sklearn hist": sklearn.ensemble.HistGradientBoostingClassifier(max_iter=2),
        "sklearn adaboost": sklearn.ensemble.AdaBoostClassifier(n_estimators=2),
        "lightgbm": lightgbm.LGBMClassifier(n_estimators=2, verbose=-1),
        "catboost": catboost.CatBoostClassifier(iterations=2, depth=2, **quiet),
        "perpetual": perpetual.PerpetualBooster(objective="LogLoss", budget=0.1),
        "tree": gw.TreeClassifier(max_depth=2),
        "forest": gw.ForestClassifier(3, random_state=0),
        "boosting": gw.BoostingClassifier(n_estimators=2),
        "sirus": gw.SirusClassifier(20, random_state=0),
    }


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("library", classifiers())
def test_the_classes_are_those_of_the_model(library: str, labels: str, n_classes: int) -> None:
    some = n_classes > Y
    y = LABELS[labels][some]
    model = classifiers()[library].fit(X[some], y)
    forget()
    assert gw.read(model).source.classes == tuple(np.unique(y).tolist()) == tuple(model.classes_)


def test_xgboost_numbers_its_classes() -> None:
    import xgboost

    assert gw.read(xgboost.XGBClassifier(n_estimators=2).fit(X, Y)).source.classes == (0, 1, 2)
    several = xgboost.XGBClassifier(n_estimators=2).fit(X, np.column_stack([Y > 0, Y > 1]).astype(int))
    assert gw.read(several).source.classes == () and gw.read(several).source.n_targets == 2


@pytest.mark.parametrize("y", [Y, X[:, 0]])
def test_models_without_a_list_of_classes_have_none_here(y: Any) -> None:
    import lightgbm
    import xgboost

    made = (
        lightgbm.train({"verbose": -1}, lightgbm.Dataset(X, y), 2),
        xgboost.train({}, xgboost.DMatrix(X, y), 2),
        lightgbm.LGBMRegressor(n_estimators=2, verbose=-1).fit(X, y),
        gw.TreeRegressor(max_depth=2).fit(X, y),
        gw.BoostingRegressor(n_estimators=2).fit(X, y),
    )
    assert all(gw.read(model).source.classes == () for model in made)


def test_classes_that_do_not_fit_the_outputs_are_left_out() -> None:
    class Model:
        classes_ = ("a", "b", "c")

    assert classes_of(Model(), 3) == ("a", "b", "c")
    assert classes_of(Model(), 1) == ()


def test_catboost_leaves_out_the_output_of_a_class_without_rows() -> None:
    import catboost

    model = catboost.CatBoostClassifier(
        iterations=3, depth=2, class_names=["d", "c", "b", "a"], verbose=0, thread_count=1, allow_writing_files=False
    )
    y = np.array(["a", "b", "c"])[Y]
    model.fit(X, y)
    ensemble = gw.read(model, X)
    assert ensemble.source.classes == ensemble.outputs == ("c", "b", "a")
    # rules are measured with the class of the output
    assert gw.rules(model, X, y).fidelity > 0.9


def test_a_catboost_file_knows_its_classes(tmp_path: Any) -> None:
    import catboost

    model = catboost.CatBoostClassifier(iterations=2, depth=2, verbose=0, thread_count=1, allow_writing_files=False)
    model.fit(X, LABELS["text"]).save_model(str(tmp_path / "model.cbm"))
    assert gw.read(tmp_path / "model.cbm").source.classes == ("setosa", "versicolor", "virginica")
    several = catboost.CatBoostClassifier(
        iterations=2, loss_function="MultiLogloss", verbose=0, thread_count=1, allow_writing_files=False
    ).fit(X, np.column_stack([Y > 0, Y > 1]).astype(int))
    with pytest.raises(gw.UnsupportedModelError, match="the classes of 2 targets"):
        gw.rules(several, X, Y)


@pytest.mark.parametrize("verb", [gw.rules, gw.tree_profile])
def test_a_verb_needs_only_the_ensemble(verb: Any, tmp_path: Any) -> None:
    """The last class has no rows: only the model knows it."""
    model = gw.TreeClassifier(max_depth=2).fit(X, LABELS["text"])
    model.ensemble_.save(tmp_path / "tree.gw")
    some = Y < 2
    found = [
        verb(given, X[some], LABELS["text"][some]).to_dict()
        for given in (model, model.ensemble_, gw.load(tmp_path / "tree.gw"))
    ]
    assert found[0] == found[1] == found[2]
