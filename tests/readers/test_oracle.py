"""The bound of a library that adds in float32 covers what float32 addition can lose."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from glasswood.readers._oracle import float32_sums


@given(st.lists(st.floats(-1e6, 1e6, width=32), min_size=1, max_size=60))
def test_adding_float32_numbers_stays_within_the_bound(values: list[float]) -> None:
    total = np.float32(0)
    for value in values:
        total += np.float32(value)
    exact = float(np.sum(np.array(values, dtype=np.float64)))
    assert abs(float(total) - exact) <= float32_sums(len(values)) * np.sum(np.abs(values)) * (1 + 1e-6)
