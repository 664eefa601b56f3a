"""A canonical threshold is the largest float64 that goes left under the source's own comparison."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glasswood.ensemble import at_most, below, float32_at_most, float32_below

FLOAT32_MAX = float(np.finfo(np.float32).max)
finite = st.floats(allow_nan=False, allow_infinity=False)
finite32 = st.floats(width=32, allow_nan=False, allow_infinity=False)


def to_float32(x: float) -> float:
    with np.errstate(all="ignore"):
        return float(np.float64(x).astype(np.float32))


def check(threshold: float, goes_left) -> None:
    assert goes_left(threshold)
    if threshold < np.inf:
        with np.errstate(all="ignore"):
            after = float(np.nextafter(threshold, np.inf))
        assert not goes_left(after)


@given(finite)
def test_at_most_is_the_threshold_itself(t: float) -> None:
    check(float(at_most(t)), lambda x: x <= t)


@given(finite)
def test_below_is_one_step_down(t: float) -> None:
    check(float(below(t)), lambda x: x < t)


@given(finite | st.sampled_from([0.0, -0.0, FLOAT32_MAX, -FLOAT32_MAX, 1e300, -1e300, np.inf, 1e-45, 1e-46, -1e-46]))
def test_float32_at_most_is_the_last_value_rounding_to_it_or_below(t: float) -> None:
    check(float(float32_at_most(t)), lambda x: to_float32(x) <= t)


@given(finite32 | st.sampled_from([0.0, FLOAT32_MAX, -FLOAT32_MAX, np.inf, 1.401298464324817e-45]))
def test_float32_below_is_the_last_value_rounding_below_it(t: float) -> None:
    check(float(float32_below(t)), lambda x: to_float32(x) < t)


def test_the_midpoint_belongs_to_the_even_neighbour() -> None:
    one = np.float32(1.0)
    after = float(np.nextafter(one, np.float32(2)))
    assert float32_at_most(1.0) == 1 + (after - 1) / 2  # 1.0 is even: the tie rounds down to it
    assert float32_at_most(after) < after + (after - 1) / 2  # its neighbour is odd: the tie rounds up, away from it


@pytest.mark.parametrize("shape", [(), (3,), (2, 3)])
def test_arrays_keep_their_shape(shape: tuple[int, ...]) -> None:
    assert float32_at_most(np.zeros(shape)).shape == shape
