import numpy as np
from sklearn.datasets import load_iris
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier

import glasswood as gw
from glasswood.ensemble import holds_shares, one_tree

X, Y = load_iris(return_X_y=True)


def test_a_tree_of_a_forest_has_its_own_shares() -> None:
    forest = RandomForestClassifier(4, random_state=0).fit(X, Y)
    ensemble = gw.read(forest)
    for k, tree in enumerate(forest.estimators_):
        np.testing.assert_allclose(one_tree(ensemble, k).predict(X), tree.predict_proba(X), atol=1e-12)
        assert one_tree(ensemble, k).source.classes == (0, 1, 2)


def test_the_trees_of_a_booster_add_up_to_raw() -> None:
    ensemble = gw.read(GradientBoostingClassifier(n_estimators=3, random_state=0).fit(X, Y))
    raw = np.tile(ensemble.baseline, (len(X), 1))
    for k in range(ensemble.n_trees):
        raw[:, ensemble.tree_output[k]] += one_tree(ensemble, k).predict_raw(X)
    np.testing.assert_allclose(raw, ensemble.predict_raw(X), atol=1e-12)
    assert not holds_shares(ensemble)
    assert ensemble.source.classes == (0, 1, 2)
    assert one_tree(ensemble, 0).source.classes == ()  # it adds to one of the three


def test_a_single_tree_is_itself() -> None:
    ensemble = gw.TreeClassifier(max_depth=3).fit(X, Y).ensemble_
    np.testing.assert_array_equal(one_tree(ensemble, 0).predict(X), ensemble.predict(X))
