"""The first k rules predict what a list of k rules predicts."""

import numpy as np

import glasswood as gw
from tests.explain.rule_cases import mixed


def test_a_prefix_of_shares_is_the_shorter_model() -> None:
    X, y = mixed()
    labels = (y > 1).astype(int)
    long = gw.SirusClassifier(50, max_rules=6, random_state=0)._prefixes(X, labels, None, X)
    assert len(long.frequency) == len(long.keys) == 6 and len(set(long.keys)) == 6
    np.testing.assert_allclose(long.prediction[0, :, 0], labels.mean())
    for k in (1, 4, 6):
        short = gw.SirusClassifier(50, max_rules=k, random_state=0).fit(X, labels)
        np.testing.assert_allclose(long.prediction[k, :, 0], short.rules_.predict(X), atol=1e-12)


def test_all_rules_of_numbers_are_the_model() -> None:
    X, y = mixed()
    model = gw.SirusRegressor(50, max_rules=8, random_state=0)
    np.testing.assert_allclose(model._prefixes(X, y, None, X).prediction[8, :, 0], model.fit(X, y).predict(X))


def test_keys_are_ranks_so_scale_does_not_matter() -> None:
    X, y = mixed()
    one = gw.SirusRegressor(50, random_state=0)._prefixes(X, y, None, X).keys
    two = gw.SirusRegressor(50, random_state=0)._prefixes(X.assign(b=np.exp(X["b"])), y, None, X).keys
    assert one == two
