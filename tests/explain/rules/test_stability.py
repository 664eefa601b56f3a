"""Expected stability rises with the number of trees."""

import numpy as np

from glasswood.explain.rules import expected_stability


def test_more_trees_are_more_stable() -> None:
    frequency = np.linspace(0.01, 0.3, 30)
    values = [expected_stability((frequency * n).astype(int), n) for n in (100, 1_000, 10_000, 1_000_000)]
    assert values == sorted(values)
    assert values[0] < 0.9 and values[-1] > 0.99


def test_without_a_choice_nothing_is_unstable() -> None:
    assert expected_stability(np.zeros(0, dtype=int), 10) == 1.0
    assert expected_stability(np.array([5, 5]), 10) == 1.0


def test_it_is_the_share_two_runs_have_in_common() -> None:
    rng = np.random.default_rng(0)
    frequency, n = rng.uniform(0.02, 0.3, 60), 400
    count = np.round(frequency * n).astype(int)
    top = np.unique(count)[::-1][:51] / n
    runs = rng.binomial(n, count / n, size=(200, len(count))) / n
    shared = []
    for p0 in (top[:-1] + top[1:]) / 2:
        chosen = runs > p0
        both = (chosen[::2] & chosen[1::2]).sum(axis=1)
        shared.append(2 * both.sum() / (chosen[::2].sum() + chosen[1::2].sum()))
    assert abs(np.mean(shared) - expected_stability(count, n)) < 0.03
