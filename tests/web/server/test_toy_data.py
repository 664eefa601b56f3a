import numpy as np
import pytest
from sklearn.datasets import make_circles, make_moons

from glasswood.web.server._toy_data import GENERATORS, circles, moons


@pytest.mark.parametrize(("n", "noise", "seed"), [(200, 0.3, 7), (201, 0.0, 0), (5, 1.5, 4_294_967_295)])
def test_moons_of_two_classes_are_those_of_scikit_learn(n: int, noise: float, seed: int) -> None:
    X, y = moons(n, 2, noise, seed)
    expected_X, expected_y = make_moons(n, noise=noise or None, random_state=seed)
    np.testing.assert_array_equal(X, expected_X)
    np.testing.assert_array_equal(y, expected_y)


def test_circles_of_two_classes_are_those_of_scikit_learn() -> None:
    X, y = circles(101, 2, 0.1, 3)
    expected_X, expected_y = make_circles(101, noise=0.1, factor=0.5, random_state=3)
    np.testing.assert_array_equal(X, expected_X)
    np.testing.assert_array_equal(y, expected_y)


@pytest.mark.parametrize("kind", GENERATORS)
@pytest.mark.parametrize("classes", [2, 3, 5])
def test_a_seed_gives_the_same_rows_and_every_class(kind: str, classes: int) -> None:
    X, y = GENERATORS[kind](120, classes, 0.2, 11)
    again, labels = GENERATORS[kind](120, classes, 0.2, 11)
    assert X.shape == (120, 2) and np.isfinite(X).all()
    np.testing.assert_array_equal(X, again)
    np.testing.assert_array_equal(y, labels)
    assert set(y.tolist()) == set(range(classes))
    assert not np.array_equal(X, GENERATORS[kind](120, classes, 0.2, 12)[0])


def test_fields_of_the_board_alternate() -> None:
    X, y = GENERATORS["xor"](50, 2, 0.0, 0)
    np.testing.assert_array_equal(y, (X[:, 0] >= 1) ^ (X[:, 1] >= 1))
