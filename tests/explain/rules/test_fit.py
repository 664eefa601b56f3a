"""Outputs of rules are computed from all training rows, and masks equal the leaves of the trees."""

import numpy as np
import pytest

import glasswood as gw
from glasswood.ensemble import align
from glasswood.errors import OptionError
from glasswood.explain.rules import RuleOptions, RuleTarget
from glasswood.explain.rules._fit import rule_masks
from glasswood.explain.rules._grid import grown_grid
from glasswood.explain.rules._paths import count_paths
from tests.explain.rule_cases import mixed


@pytest.mark.parametrize("bad", [{"p0": -0.1}, {"p0": 1.0}, {"max_rules": 0}, {"max_rules": 2.5}, {"l2": -1.0}])
def test_options_that_cannot_be_are_refused(bad: dict[str, float]) -> None:
    with pytest.raises(OptionError, match=next(iter(bad))):
        RuleOptions(**bad)  # type: ignore[arg-type]


def test_outputs_are_the_weighted_means_inside_and_outside() -> None:
    X, y = mixed()
    weight = np.random.default_rng(3).integers(0, 4, len(y)).astype(float)
    rules = gw.SirusRegressor(100, p0=0.0, random_state=0).fit(X, y, weight).rules_
    masks = rule_masks([rule.conditions for rule in rules.rules], rules.features, align(X, rules.features), None)
    for rule, mask in zip(rules.rules, masks.T, strict=True):
        np.testing.assert_allclose(rule.support, weight[mask].sum())
        np.testing.assert_allclose(rule.inside[0], np.average(y[mask], weights=weight[mask]), rtol=1e-10)
        np.testing.assert_allclose(rule.outside[0], np.average(y[~mask], weights=weight[~mask]), rtol=1e-10)


def test_masks_are_where_the_trees_send_the_rows() -> None:
    X, y = mixed()
    sirus = gw.SirusRegressor(20, max_depth=3, random_state=0).fit(X, y)
    forest = sirus.forest_
    rows = align(X, forest.features)
    counts = count_paths(forest, grown_grid(forest, rows, y, np.ones(len(y))), None)
    every = [counts.conditions(p) for p in range(len(counts.count))]
    masks = rule_masks(every, forest.features, rows, None)
    found = {mask.tobytes() for mask in masks.T}
    leaf = forest.apply(X)
    for tree in range(forest.n_trees):
        for one in np.unique(leaf[:, tree]):
            assert (leaf[:, tree] == one).tobytes() in found


def test_levels_are_ordered_by_the_most_frequent_of_several_classes() -> None:
    target = RuleTarget.of_classes(np.array([0, 2, 2, 1]), ["a", "b", "c"])
    assert target.place.tolist() == [0, 1, 1, 0]
    assert target.outputs == ("a", "b", "c")
    assert RuleTarget.of_classes(np.array([0, 1]), ["no", "yes"]).outputs == ("yes",)
