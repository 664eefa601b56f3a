"""purify: the residual of a table after functions of fewer features."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood.explain.effects import purify
from tests.reference import effects as reference


def table(seed: int, degree: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    shape = rng.integers(1, 7 if degree == 2 else 4, size=degree)
    weight = rng.choice([0.0, 0.0, 1.0, 2.0, 1e-3], size=shape)
    weight.flat[0] = 1.0
    return rng.normal(size=shape), weight


@settings(max_examples=80)
@given(st.integers(0, 2**32))
def test_pairs_equal_dense_least_squares(seed: int) -> None:
    value, weight = table(seed, 2)
    np.testing.assert_allclose(purify(value, weight), reference.purify(value, weight), atol=1e-9)


@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_triples_equal_dense_least_squares(seed: int) -> None:
    value, weight = table(seed, 3)
    np.testing.assert_allclose(purify(value, weight), reference.purify(value, weight), atol=1e-5)


@settings(max_examples=30)
@given(st.integers(0, 2**32))
def test_it_is_the_limit_of_faint_weights(seed: int) -> None:
    value, weight = table(seed, 2)
    np.testing.assert_allclose(purify(value, weight), purify(value, weight + 1e-9), atol=1e-4)


@pytest.mark.parametrize("degree", [2, 3])
@pytest.mark.parametrize("seed", range(5))
def test_functions_of_fewer_features_vanish(degree: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = (40, 30) if degree == 2 else (8, 7, 6)
    value = sum(np.expand_dims(rng.normal(size=np.delete(shape, d)), d) * np.ones(shape) for d in range(degree))
    weight = rng.exponential(size=shape) ** 3 * (rng.random(shape) > 0.6)
    assert np.abs(purify(value, weight)).max() < 1e-12


def test_weak_links_keep_their_digits() -> None:
    weight = np.kron(np.eye(3), np.full((4, 4), 1e4))
    weight[3, 4] = weight[7, 8] = 1e-6
    value = np.add.outer(np.arange(12.0), np.arange(12.0) ** 2)
    assert np.abs(purify(value, weight)).max() < 1e-12


def test_nan_stays_where_it_is() -> None:
    value, weight = np.array([[1.0, np.nan], [0.0, 3.0]]), np.array([[1.0, 0.0], [1.0, 1.0]])
    found = purify(value, weight)
    assert np.isnan(found[0, 1])
    np.testing.assert_allclose(found[[0, 1, 1], [0, 0, 1]], 0, atol=1e-15)
