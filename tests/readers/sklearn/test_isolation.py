"""Isolation forests: the mean path length, by hand and against scikit-learn's score."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import IsolationForest

import glasswood as gw
from glasswood.readers.sklearn._isolation import average_length


def test_a_row_that_is_set_apart_at_once_has_a_short_path() -> None:
    X = np.array([[0.0], [0.0], [0.0], [100.0]])
    ensemble = gw.read(IsolationForest(n_estimators=20, bootstrap=False, random_state=0).fit(X), X)
    assert ensemble.outputs == ("path length",)
    # each tree parts 100 from the three zeros, which it cannot part: depth 1, and what is expected of three rows
    assert ensemble.predict_raw(X).ravel() == pytest.approx([1 + average_length(np.array([3]))[0]] * 3 + [1.0])
    assert "score_samples" in ensemble.source.notes[0]
    with pytest.raises(gw.UnsupportedModelError, match="raw is the mean path length"):
        ensemble.predict(X)


@given(st.integers(0, 10**6), st.sampled_from([1.0, 0.5]), st.booleans(), st.sampled_from(["auto", 7, 0.9]))
@settings(max_examples=15)
def test_leaves_and_path_lengths_are_those_of_scikit_learn(
    seed: int, max_features: float, bootstrap: bool, max_samples: str | int | float
) -> None:
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(np.round(rng.normal(size=(60, 3)), 1), columns=["a", "b", "c"])
    model = IsolationForest(
        n_estimators=5, max_features=max_features, bootstrap=bootstrap, max_samples=max_samples, random_state=seed
    ).fit(X)
    ensemble = gw.read(model, X)
    assert ensemble.source.parity.leaves_equal
    expected = average_length(np.array([model.max_samples_]))[0]
    assert -(2.0 ** (-ensemble.predict_raw(X).ravel() / expected)) == pytest.approx(model.score_samples(X), rel=1e-12)


def test_effects_of_a_path_length_need_nothing_else() -> None:
    X = np.random.default_rng(0).normal(size=(80, 2))
    model = IsolationForest(n_estimators=10, random_state=0).fit(X)
    effect = gw.effects(model, X)["x0"].to_frame("pandas")
    assert effect["value"].iloc[0] < effect["value"].max()  # the edge is set apart sooner than the middle


def test_predict_is_refused_with_what_raw_is() -> None:
    X = np.random.default_rng(0).normal(size=(50, 2))
    ensemble = gw.read(IsolationForest(n_estimators=3, random_state=0).fit(X))
    with pytest.raises(gw.UnsupportedModelError, match=r"^raw is the mean path length; score_samples is.*predict_raw"):
        ensemble.predict(X)
