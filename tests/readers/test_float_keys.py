"""Floats as keys: their order, and the last float at which an answer holds."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from glasswood.readers._float_keys import LARGEST, from_keys, last_true, to_keys

floats = st.floats(allow_nan=False, allow_infinity=False)


@given(floats, floats)
def test_keys_have_the_order_of_the_floats(a: float, b: float) -> None:
    keys = to_keys(np.array([a, b]))
    assert (keys[0] < keys[1]) == (a < b)
    assert from_keys(keys).tolist() == [a, b]


@given(floats, st.floats(allow_infinity=True, allow_nan=True))
def test_the_last_float_on_the_left_is_found_whatever_the_guess(cut: float, guess: float) -> None:
    if cut == LARGEST:
        return
    low, high = np.array([-LARGEST]), np.array([LARGEST])
    found = last_true(lambda which, at: at <= cut, low, high, np.array([guess]))
    assert found[0] == cut


def test_neighbouring_floats_have_neighbouring_keys() -> None:
    around = np.array([-5e-324, 0.0, 5e-324, 1e-300, np.nextafter(1e-300, 1)])
    assert np.diff(to_keys(around))[[0, 1, 3]].tolist() == [1, 1, 1]
