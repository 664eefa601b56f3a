"""A model is read and checked once, a change in place is noticed, and no object is kept alive."""

import gc
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import glasswood as gw
from glasswood.readers import _memory, as_ensemble
from glasswood.readers import _read as reading
from glasswood.readers._memory import Known, recall, remember
from tests.ensemble.examples import stump

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 3))
Y = (X[:, 0] + X[:, 1] > 0).astype(int)


@pytest.fixture(autouse=True)
def _nothing_known() -> None:
    gw.forget()


def lightgbm_booster() -> Any:
    import lightgbm as lgb

    return lgb.train({"verbose": -1, "num_threads": 1, "num_leaves": 4, "objective": "binary"}, lgb.Dataset(X, Y), 3)


def lightgbm_estimator() -> Any:
    import lightgbm as lgb

    return lgb.LGBMClassifier(n_estimators=3, num_leaves=4, verbose=-1, n_jobs=1).fit(X, Y)


def xgboost_booster() -> Any:
    import xgboost as xgb

    return xgb.train({"objective": "binary:logistic", "max_depth": 2, "nthread": 1}, xgb.DMatrix(X, Y), 3)


def xgboost_estimator() -> Any:
    import xgboost as xgb

    return xgb.XGBClassifier(n_estimators=3, max_depth=2, n_jobs=1).fit(X, Y)


def catboost_estimator() -> Any:
    from catboost import CatBoostClassifier

    return CatBoostClassifier(iterations=3, depth=2, verbose=0, thread_count=1, allow_writing_files=False).fit(X, Y)


def perpetual_booster() -> Any:
    from perpetual import PerpetualBooster

    return PerpetualBooster(objective="LogLoss", iteration_limit=3, num_threads=1).fit(X, Y)


def sklearn_model(name: str, **options: Any) -> Callable[[], Any]:
    def fit() -> Any:
        from sklearn import ensemble, tree

        return (getattr(ensemble, name, None) or getattr(tree, name))(random_state=0, **options).fit(X, Y)

    fit.__name__ = name
    return fit


tree_model = sklearn_model("DecisionTreeClassifier", max_depth=2)
forest_model = sklearn_model("RandomForestClassifier", n_estimators=3, max_depth=2)
bag_model = sklearn_model("BaggingClassifier", n_estimators=3)
boosting_model = sklearn_model("GradientBoostingClassifier", n_estimators=3, max_depth=2)
hist_model = sklearn_model("HistGradientBoostingClassifier", max_iter=3, max_leaf_nodes=4)
ada_model = sklearn_model("AdaBoostClassifier", n_estimators=3)

MODELS = [
    lightgbm_booster,
    lightgbm_estimator,
    xgboost_booster,
    xgboost_estimator,
    catboost_estimator,
    perpetual_booster,
    tree_model,
    forest_model,
    bag_model,
    boosting_model,
    hist_model,
    ada_model,
]


class Count:
    """Counts the calls of a reader function."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        self.calls, inner = 0, getattr(reading, name)

        def counted(*args: Any, **kwargs: Any) -> Any:
            self.calls += 1
            return inner(*args, **kwargs)

        monkeypatch.setattr(reading, name, counted)


@pytest.mark.parametrize("fit", MODELS, ids=lambda fit: fit.__name__)
def test_a_model_is_checked_once(fit: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    model, proofs = fit(), Count(monkeypatch, "check_parity")
    first = as_ensemble(model, X)
    assert as_ensemble(model, X[:5]) is first
    gw.usage(model)
    assert proofs.calls == 1


@pytest.mark.parametrize("fit", MODELS, ids=lambda fit: fit.__name__)
def test_explanations_trust_a_model_that_read_has_checked(
    fit: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    model, proofs = fit(), Count(monkeypatch, "check_parity")
    ensemble = gw.read(model, X)
    assert as_ensemble(model, X) is ensemble
    assert as_ensemble(model)._plan() is ensemble._plan()
    assert proofs.calls == 1
    gw.read(model, X)
    assert proofs.calls == 2  # who asks for a proof gets one


def load_another(model: Any) -> None:
    other = lightgbm_booster()
    other.set_leaf_output(1, 1, 9.0)
    model.model_from_string(other.model_to_string())


def shuffle(model: Any) -> None:
    model.shuffle_models()


def set_leaf(model: Any) -> None:
    getattr(model, "booster_", model).set_leaf_output(0, 0, 9.0)


def append_xgboost(model: Any) -> None:
    import xgboost as xgb

    booster = model if hasattr(model, "update") else model.get_booster()
    booster.update(xgb.DMatrix(X, 1 - Y), booster.num_boosted_rounds())


def overwrite_threshold(model: Any) -> None:
    members = getattr(model, "estimators_", [model])
    tree = np.ravel(members)[0].tree_
    tree.threshold[0] += 0.25


def overwrite_value(model: Any) -> None:
    np.ravel(getattr(model, "estimators_", [model]))[0].tree_.value[-1] *= 0.5


def overwrite_hist(model: Any) -> None:
    model._predictors[0][0].nodes["num_threshold"][0] += 0.25


def shrink_catboost(model: Any) -> None:
    model.shrink(2)


def scale_catboost(model: Any) -> None:
    model.set_scale_and_bias(2.0, 0.5)


def learn_slower(model: Any) -> None:
    model.learning_rate = 0.01


def weigh_otherwise(model: Any) -> None:
    model.estimator_weights_[0] *= 3


def fit_anew(model: Any) -> None:
    model.fit(X, 1 - Y)


def drop_a_tree(model: Any) -> None:
    model.estimators_.pop()


CHANGES = [
    (lightgbm_booster, set_leaf),
    (lightgbm_booster, load_another),
    (lightgbm_booster, shuffle),
    (lightgbm_estimator, set_leaf),
    (lightgbm_estimator, fit_anew),
    (xgboost_booster, append_xgboost),
    (xgboost_estimator, append_xgboost),
    (xgboost_estimator, fit_anew),
    (catboost_estimator, shrink_catboost),
    (catboost_estimator, scale_catboost),
    (catboost_estimator, fit_anew),
    (perpetual_booster, fit_anew),
    (tree_model, overwrite_threshold),
    (tree_model, overwrite_value),
    (tree_model, fit_anew),
    (forest_model, overwrite_threshold),
    (forest_model, drop_a_tree),
    (bag_model, overwrite_threshold),
    (boosting_model, overwrite_threshold),
    (boosting_model, learn_slower),
    (hist_model, overwrite_hist),
    (hist_model, fit_anew),
    (ada_model, weigh_otherwise),
]


@pytest.mark.parametrize(
    ("fit", "change"), CHANGES, ids=[f"{fit.__name__}-{change.__name__}" for fit, change in CHANGES]
)
def test_a_change_in_place_is_noticed(fit: Callable[[], Any], change: Callable[[Any], None]) -> None:
    model = fit()
    before = as_ensemble(model, X)
    change(model)
    after = as_ensemble(model, X)
    gw.forget()
    assert after != before
    assert after == gw.read(model)


def test_an_override_is_asked_every_time() -> None:
    from sklearn.tree import DecisionTreeRegressor

    class Shifted(DecisionTreeRegressor):
        shift = 0.0

        def predict(self, rows: Any) -> Any:
            return super().predict(rows) + self.shift

    model = Shifted(max_depth=2).fit(X, Y)
    as_ensemble(model, X)
    Shifted.shift = 1.0
    with pytest.raises(gw.ParityError, match="not scikit-learn's own predict"):
        as_ensemble(model, X)


def test_labels_found_in_one_table_do_not_stay_for_the_next() -> None:
    import pandas as pd
    from catboost import CatBoostRegressor

    rows = pd.DataFrame({"colour": ["red", "blue", "green", "red"] * 10, "size": np.arange(40.0)})
    model = CatBoostRegressor(iterations=3, depth=2, verbose=0, one_hot_max_size=10, allow_writing_files=False)
    model.fit(rows, rows["colour"].str.len(), cat_features=["colour"])
    both = as_ensemble(model, rows)
    assert as_ensemble(model, rows) is both
    red = as_ensemble(model, rows[rows["colour"] == "red"])
    assert "blue" in (both.features.categories[0] or ())
    assert "blue" not in (red.features.categories[0] or ())
    assert red._plan() is both._plan()


def test_a_table_with_an_unseen_level_is_checked_again() -> None:
    """XGBoost 3.2 treats a new level that sorts before all others as the first; always refused."""
    pd, xgboost = pytest.importorskip("pandas"), pytest.importorskip("xgboost")
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.normal(size=300), "level": pd.Categorical(rng.choice(list("abcdefg"), 300))})
    code = X["level"].cat.codes
    model = xgboost.XGBRegressor(n_estimators=6, max_depth=4, n_jobs=1, enable_categorical=True)
    model.fit(X, X["x"] * (code % 3) + code)
    unseen = X.head(1).assign(level=pd.Categorical(["NEW"]))
    with pytest.raises(gw.ParityError):
        gw.attributions(model, unseen)
    gw.attributions(model, X)
    with pytest.raises(gw.ParityError):
        gw.attributions(model, unseen)


def test_a_check_without_rows_is_not_remembered() -> None:
    model = tree_model()
    assert as_ensemble(model, X[:0]).source.parity == "not checked"
    assert as_ensemble(model, X).source.parity != "not checked"


def test_nothing_is_kept_alive() -> None:
    model = tree_model()
    ensemble = weakref.ref(as_ensemble(model, X))
    gone = weakref.ref(model)
    assert len(_memory._known) == 1
    del model
    gc.collect()
    assert gone() is None
    assert ensemble() is None
    assert not _memory._known


def test_few_kinds_of_tables_are_kept() -> None:
    known = Known(b"", stump())
    for kind in range(100):
        known = known.proved(kind, stump())
    assert list(known.proofs) == list(range(92, 100))


def test_what_cannot_be_referenced_weakly_is_not_remembered() -> None:
    thing = (1, 2)
    remember(thing, Known(b"a", stump()))
    assert recall(thing, b"a") is None


def test_another_fingerprint_is_another_model() -> None:
    model = tree_model()
    known = remember(model, Known(b"a", stump()))
    assert recall(model, b"a") is known
    assert recall(model, b"b") is None


def test_forget_empties_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    model, proofs = tree_model(), Count(monkeypatch, "check_parity")
    as_ensemble(model, X)
    gw.forget()
    as_ensemble(model, X)
    assert proofs.calls == 2


def test_threads_may_ask_and_forget_at_once() -> None:
    models = [tree_model() for _ in range(4)]
    plain = [gw.read(model) for model in models]

    def work(k: int) -> bool:
        if k % 10 == 0:
            gw.forget()
        return as_ensemble(models[k % 4], X) == plain[k % 4]

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(work, range(200)))
