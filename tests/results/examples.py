"""Small results, with one output and with two."""

import numpy as np

import glasswood as gw
from glasswood.results import Effects, Interactions
from tests.ensemble.examples import two_trees
from tests.reference.built import built
from tests.reference.ensembles import Recipe, random_ensemble

X = np.random.default_rng(0).normal(size=(50, 2)) + 1.5


def effects() -> Effects:
    return gw.effects(two_trees(), X)


def interactions() -> Interactions:
    return gw.interactions(two_trees(), X)


def two_outputs() -> gw.Ensemble:
    recipe = Recipe(n_trees=6, n_features=3, n_category_features=1, n_outputs=2, n_leaves=5, max_levels=4)
    return built(random_ensemble(np.random.default_rng(2), recipe))
