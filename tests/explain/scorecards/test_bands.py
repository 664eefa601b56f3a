"""Bands, compared with all divisions."""

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood.explain.scorecards._bands import band_starts


def judged(value, weight, starts, tolerance) -> float:
    """Sum of squares of a division; infinite if an item is out of tolerance."""
    total = 0.0
    for first, last in zip(starts, [*starts[1:], len(value)], strict=True):
        part, mass = value[first:last], weight[first:last, None]
        mean = (part * mass).sum(axis=0) / mass.sum()
        if tolerance is not None and np.abs(part - mean).max() > tolerance:
            return np.inf
        total += float((mass * (part - mean) ** 2).sum())
    return total


def divisions(n: int, n_bands: int):
    return [(0, *cuts) for cuts in combinations(range(1, n), n_bands - 1)]


@given(st.integers(0, 2**32), st.sampled_from([None, 1, 2, 3, 4]), st.sampled_from([None, 0.3, 1.0]))
@settings(max_examples=150)
def test_no_division_is_better(seed: int, max_bands: int | None, tolerance: float | None) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 8))
    value, weight = rng.normal(size=(n, int(rng.integers(1, 3)))).round(1), rng.uniform(0.1, 2, n)
    if max_bands is None and tolerance is None:
        tolerance = 0.5
    starts = band_starts(value, weight, max_bands=max_bands, tolerance=tolerance)
    every = [d for k in range(1, n + 1) for d in divisions(n, k)]
    allowed = [d for d in every if max_bands is None or len(d) <= max_bands]
    costs = {d: judged(value, weight, d, tolerance) for d in allowed}
    possible = [d for d in allowed if np.isfinite(costs[d])]
    if not possible:
        assert len(starts) == 0
        return
    if max_bands is None:
        fewest = min(map(len, possible))
        assert len(starts) == fewest
        possible = [d for d in possible if len(d) == fewest]
    found = judged(value, weight, starts.tolist(), None if tolerance is None else tolerance + 1e-9)
    assert abs(found - min(costs[d] for d in possible)) <= 1e-9


def test_equal_neighbours_need_no_band_of_their_own() -> None:
    value = np.array([[1.0], [1.0], [5.0], [5.0]])
    assert band_starts(value, np.ones(4), max_bands=4).tolist() == [0, 2]
    assert band_starts(value, np.ones(4), tolerance=0.0).tolist() == [0, 2]
