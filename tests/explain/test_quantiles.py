"""Cuts divide rows into parts of about equal weight."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood.explain._quantiles import cut_positions


@settings(max_examples=100)
@given(st.lists(st.integers(0, 9), min_size=1, max_size=30), st.integers(2, 12))
def test_each_cut_is_the_first_value_that_reaches_its_share(mass: list[int], n_quantiles: int) -> None:
    found = cut_positions(np.array(mass, dtype=float), n_quantiles).tolist()
    if len(mass) <= n_quantiles:
        assert found == list(range(len(mass) - 1))
        return
    total, known = sum(mass), set()
    for k in range(1, n_quantiles):
        first = next(i for i in range(len(mass)) if sum(mass[: i + 1]) * n_quantiles >= k * total)
        known.add(first)
    assert found == sorted(known - {len(mass) - 1})
