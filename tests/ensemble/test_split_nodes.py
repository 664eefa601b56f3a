"""Every inner node is listed once, with the feature it splits on."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import glasswood as gw
from glasswood.ensemble import split_nodes
from tests.ensemble.examples import two_trees
from tests.reference.built import built
from tests.reference.ensembles import Recipe, random_ensemble


def test_nodes_stand_with_their_feature() -> None:
    model = two_trees()
    for feature, nodes in enumerate(split_nodes(model)):
        assert nodes.tolist() == np.flatnonzero(model.feature == feature).tolist()


@given(st.integers(0, 2**32))
def test_they_are_those_that_a_search_for_each_feature_finds(seed: int) -> None:
    recipe = Recipe(n_trees=3, n_features=6, n_category_features=2, n_leaves=5)
    model = built(random_ensemble(np.random.default_rng(seed), recipe))
    found = split_nodes(model)
    assert len(found) == len(model.features)
    for feature, nodes in enumerate(found):
        assert nodes.tolist() == np.flatnonzero(model.feature == feature).tolist()


def test_a_model_without_splits_has_none() -> None:
    model = gw.TreeRegressor().fit([[0.0, 1.0]], [1.0]).ensemble_
    assert [len(nodes) for nodes in split_nodes(model)] == [0, 0]
