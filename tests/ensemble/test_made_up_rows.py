"""Rows that reach every leaf."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood.ensemble import boxes, made_up_rows
from tests.reference.built import built
from tests.reference.ensembles import random_ensemble, recipes
from tests.reference.predict import reached


@given(st.integers(0, 2**32), recipes(odd=False, n_leaves=8))
@settings(max_examples=60)
def test_every_leaf_that_a_row_can_reach_is_reached(seed: int, recipe) -> None:
    arrays = random_ensemble(np.random.default_rng(seed), recipe)
    ensemble = built(arrays)
    found = boxes(ensemble)
    columns = made_up_rows(ensemble)
    leaves = set(reached(arrays, columns).ravel().tolist())
    for i, leaf in enumerate(found.leaf.tolist()):
        sides = range(found.start[i], found.start[i + 1])
        possible = all(
            found.missing[s]
            or found.unseen[s]
            or found.lower[s] < found.upper[s]
            or (
                found.category_set[s] >= 0
                and found.set_bits[slice(*found.set_start[found.category_set[s] :][:2])].any()
            )
            for s in sides
        )
        assert not possible or leaf in leaves
