"""Floats as keys: their order, and the last float at which an answer holds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

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


@pytest.mark.parametrize("n", [1, 3, 40, 1_000, 9_000])
@pytest.mark.parametrize("how", ["no guess", "a guess nearby", "a guess that is right"])
def test_many_cuts_are_found_together(n: int, how: str) -> None:
    rng = np.random.default_rng(n)
    cuts = from_keys(rng.integers(to_keys(np.array([-1e300]))[0], to_keys(np.array([1e300]))[0], n))
    cuts[:3] = np.array([0.0, -5e-324, np.nextafter(LARGEST, 0)])[:n]
    guess = {"no guess": np.full(n, np.nan), "a guess that is right": cuts}.get(how, cuts * (1 - 1e-9))
    calls = []

    def asked(which: NDArray[np.intp], at: NDArray[np.float64]) -> NDArray[np.bool_]:
        assert np.all(np.diff(which) >= 0)
        calls.append(len(which))
        return np.asarray(at <= cuts[which])

    found = last_true(asked, np.full(n, -LARGEST), np.full(n, LARGEST), guess)
    assert np.array_equal(found, cuts)
    if how == "a guess that is right":
        assert calls == [n, n]
    if n <= 3:
        assert len(calls) <= 16  # few ranges are divided into many parts, one bit at a time takes 64 calls


def test_few_cuts_away_from_their_guesses_take_few_calls() -> None:
    """Widths are asked one by one only where many cuts are left: 20 cuts at 1 to 40,000 floats take six calls."""
    cuts = np.linspace(1, 2, 20)
    guess = from_keys(to_keys(cuts) - np.round(np.geomspace(1, 40_000, 20)).astype(np.int64))
    calls = []

    def asked(which: NDArray[np.intp], at: NDArray[np.float64]) -> NDArray[np.bool_]:
        calls.append(len(which))
        return np.asarray(at <= cuts[which])

    found = last_true(asked, np.full(20, -LARGEST), np.full(20, LARGEST), guess)
    assert np.array_equal(found, cuts)
    assert len(calls) <= 6
