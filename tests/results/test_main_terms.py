"""Main terms of a pair and its interaction add up to the effect."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood.explain.effects import purify
from glasswood.results import main_terms


def table(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    shape = rng.integers(1, 7, size=2)
    weight = rng.choice([0.0, 0.0, 1.0, 2.0, 1e-3], size=shape)
    weight.flat[0] = 1.0
    return rng.normal(size=shape), weight


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.booleans())
def test_main_terms_and_interaction_add_up_in_every_cell(seed: int, holes: bool) -> None:
    value, weight = table(seed)
    if holes:
        value[np.random.default_rng(seed).random(value.shape) < 0.3] = np.nan
    known = ~np.isnan(value)
    mass = np.where(known, weight, 0.0)
    mean = np.nansum(value * mass) / mass.sum() if mass.sum() else 0.0
    effect = value - mean
    pure = purify(effect, weight)
    first, second = main_terms(effect, pure, weight)
    total = first[:, None] + second + pure
    np.testing.assert_allclose(total[known], effect[known], atol=1e-9)
    if mass.sum() and known.any():
        assert abs(np.nansum(mass.sum(axis=1) * first)) < 1e-9 and abs(np.nansum(mass.sum(axis=0) * second)) < 1e-6


def test_main_terms_of_an_additive_table_are_its_summands() -> None:
    first, second = np.array([-1.0, 1.0]), np.array([-2.0, 0.0, 2.0])
    effect = first[:, None] + second
    for found, known in zip(main_terms(effect, np.zeros((2, 3)), np.ones((2, 3))), (first, second), strict=True):
        np.testing.assert_allclose(found, known)
