"""The Ensemble predicts, compares and describes itself."""

import copy
import dataclasses
import pickle

import numpy as np
import pytest

import glasswood as gw
from glasswood.ensemble import LOGIT
from tests.ensemble.examples import category_tree, stump, two_trees


def test_raw_is_the_baseline_plus_the_leaves() -> None:
    assert stump().predict_raw(np.array([[1.5], [np.nextafter(1.5, 2)], [np.nan]])).tolist() == [110.0, 120.0, 110.0]


def test_infinities_are_numbers() -> None:
    assert stump().predict_raw(np.array([[-np.inf], [np.inf]])).tolist() == [110.0, 120.0]


def test_prediction_is_the_inverse_link_of_raw() -> None:
    probability = dataclasses.replace(stump(), link=LOGIT, baseline=np.array([-15.0]))
    assert probability.predict(np.array([[0.0], [2.0]])) == pytest.approx([1 / (1 + np.exp(5)), 1 / (1 + np.exp(-5))])


def test_apply_gives_the_leaf_of_every_tree() -> None:
    assert two_trees().apply(np.array([[0.0, 9.0], [2.0, 2.0]])).tolist() == [[3, 4], [3, 3]]


def test_category_splits_route_missing_and_unseen_levels() -> None:
    import pandas

    frame = pandas.DataFrame({"colour": ["blue", "green", "red", None, "violet"]})
    assert category_tree().predict_raw(frame).tolist() == [2.0, 3.0, 1.0, 2.0, 3.0]


def test_columns_are_matched_by_name() -> None:
    import pandas

    frame = pandas.DataFrame({"f1": [0.0, 2.0], "f2": [9.0, 2.0]})
    assert np.array_equal(two_trees().predict_raw(frame[["f2", "f1"]]), two_trees().predict_raw(frame.to_numpy()))


@pytest.mark.parametrize("shape", [(0, 2), (1, 2)])
def test_no_rows_and_one_row_work(shape: tuple[int, int]) -> None:
    assert two_trees().predict_raw(np.zeros(shape)).shape == shape[:1]
    assert two_trees().apply(np.zeros(shape)).shape == (shape[0], 2)


def test_a_wrong_table_is_refused_by_name() -> None:
    import pandas

    with pytest.raises(gw.TableError, match="2 features"):
        two_trees().predict_raw(np.zeros((3, 5)))
    with pytest.raises(gw.TableError, match="f2"):
        two_trees().predict_raw(pandas.DataFrame({"f1": [1.0], "other": [2.0]}))
    with pytest.raises(gw.TableError, match="'f1' holds text"):
        two_trees().predict_raw(pandas.DataFrame({"f1": ["a"], "f2": [2.0]}))


@pytest.mark.parametrize("n_jobs", [2, 3, -1])
def test_threads_change_no_bit(n_jobs: int) -> None:
    X = np.random.default_rng(0).normal(1.5, 2, size=(3000, 2))
    assert np.array_equal(two_trees().predict_raw(X), two_trees().predict_raw(X, n_jobs=n_jobs))


def test_equality_is_by_content_and_ignores_where_it_came_from() -> None:
    other_source = dataclasses.replace(stump(), source=dataclasses.replace(stump().source, library="other"))
    assert stump() == other_source
    assert stump() != two_trees()
    assert stump() != "stump"


def test_a_broken_ensemble_is_refused_before_a_kernel_sees_it() -> None:
    left = stump().left.copy()
    left[0] = 10**8
    for broken in (
        dataclasses.replace(stump(), left=left),
        dataclasses.replace(stump(), tree_output=np.array([7], dtype=np.int32)),
        dataclasses.replace(stump(), value=stump().value.astype(np.float32)),
    ):
        with pytest.raises(gw.InvalidEnsembleError):
            broken.predict_raw(np.zeros((1, 1)))


@pytest.mark.parametrize("again", [lambda e: pickle.loads(pickle.dumps(e)), copy.deepcopy])
def test_a_copy_is_as_frozen_as_the_original(again) -> None:
    ensemble = again(stump())
    assert not any(array.flags.writeable for array in ensemble._arrays().values())
    assert not ensemble.features.missing_routed.flags.writeable


def test_derived_values_are_computed_once_and_not_copied() -> None:
    ensemble, made = two_trees(), []
    for _ in range(2):
        ensemble._cached("size", lambda model: made.append(model.n_nodes))
    assert made == [ensemble.n_nodes]
    copy.copy(ensemble)._cached("size", lambda model: made.append(0))
    assert len(made) == 2


def test_a_user_sees_what_a_model_is_and_does_and_nothing_of_the_kernels() -> None:
    shown = {name for name in dir(gw.Ensemble) if not name.startswith("_")}
    verbs = {name for name in shown if callable(getattr(gw.Ensemble, name))}
    assert verbs == {"apply", "cut", "predict", "predict_raw", "save"}


def test_another_source_shares_what_was_derived() -> None:
    ensemble = stump()
    plan = ensemble._plan()
    other = ensemble._with_source(dataclasses.replace(ensemble.source, version="another"))
    assert other.source.version == "another"
    assert other._plan() is plan
    assert other._cached("later", lambda _: "made by the other") == ensemble._cached("later", lambda _: "made anew")


def test_another_schema_keeps_what_was_compiled_but_nothing_that_knows_names() -> None:
    ensemble = stump()
    plan = ensemble._plan()
    ensemble._cached("named", lambda model: model.feature_names)
    names = tuple(f"new {name}" for name in ensemble.features.names)
    other = ensemble._with_features(dataclasses.replace(ensemble.features, names=names))
    assert other._plan() is plan
    assert other._cached("named", lambda model: model.feature_names) == names
    assert ensemble._cached("named", lambda model: model.feature_names) != names
    assert ensemble._with_features(ensemble.features) is ensemble


def test_a_schema_that_kernels_see_is_compiled_anew() -> None:
    ensemble = stump()
    plan = ensemble._plan()
    zeros = np.ones(len(ensemble.features), dtype=bool)
    other = ensemble._with_features(dataclasses.replace(ensemble.features, zero_is_missing=zeros))
    assert other._plan() is not plan


def test_a_thread_that_computes_too_late_gets_the_first_result() -> None:
    ensemble, first, second = two_trees(), object(), object()

    def make_slowly(model: gw.Ensemble) -> object:
        model._cached("thing", lambda _: first)  # what another thread does in the meantime
        return second

    assert ensemble._cached("thing", make_slowly) is first
