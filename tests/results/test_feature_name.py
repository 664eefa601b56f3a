"""A feature is found by its name or its position."""

import numpy as np
import pytest

from glasswood.errors import GlasswoodError
from glasswood.results._feature_name import feature_name


def test_names_and_positions_find_the_same_feature() -> None:
    assert [feature_name(key, ("a", "b")) for key in ("b", 1, -1, np.int64(1))] == ["b"] * 4


def test_features_that_the_model_lacks_are_named() -> None:
    with pytest.raises(KeyError, match="no feature 'c'; it has 'a', 'b'"):
        feature_name("c", ("a", "b"))
    with pytest.raises(KeyError, match="no feature 'Fare'; did you mean 'fare'\\?"):
        feature_name("Fare", ("age", "fare"))
    with pytest.raises(GlasswoodError, match=r"^the model has no feature None; it has 'a'$"):
        feature_name(None, ("a",))  # without quotes, unlike a KeyError
    with pytest.raises(KeyError, match="no feature 2; the model has 2"):
        feature_name(2, ("a", "b"))


@pytest.mark.parametrize("key", [True, 1.5, np.array([0, 1]), ["a"], ("a",), object()])
def test_only_a_name_or_a_position_is_a_key(key) -> None:
    with pytest.raises(KeyError, match="the model has no feature"):
        feature_name(key, ("a", "b"))
