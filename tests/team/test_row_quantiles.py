"""Row quantiles: those of groups of rows that several members hold."""

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from glasswood.team import Exchange, _row_quantiles, group_quantiles
from tests.team.members import cut_rows, run_team


def slow_quantile(values: Any, whole: Any, quantile: float) -> float:
    """The definition, one value after the other."""
    if not len(values):
        return float("nan")
    if not whole.any():
        return values.min() + 0.0
    below, total = 0, int(whole.sum())
    for value, weight in sorted(zip(values.tolist(), whole.tolist(), strict=True)):
        below += weight
        if float(below) >= quantile * float(total) * (1 - 1e-15) and below:
            return value + 0.0
    raise AssertionError("no value reaches the share")


@example(0, 9, 1, 0.97)  # all weights of a group are 0
@settings(max_examples=60)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 60),
    st.sampled_from([1, 2, 3, 5]),
    st.sampled_from([0.01, 0.3, 0.5, 0.97]),
)
def test_quantiles_are_values_of_the_rows_of_all_members(seed: int, n: int, size: int, quantile: float) -> None:
    rng = np.random.default_rng(seed)
    values = rng.choice([0.0, -0.0, 1.5, -2.0, 1e300, -1e-300, *rng.normal(size=5)], n)
    group, whole = rng.integers(0, 4, n), rng.integers(0, 3, n)
    parts = cut_rows(n, size, rng)

    def work(team: Exchange) -> Any:
        rows = parts[team.rank]
        return group_quantiles(team, group[rows], values[rows], whole[rows], 5, quantile)

    wanted = np.array([slow_quantile(values[group == g], whole[group == g], quantile) for g in range(5)])
    for found in run_team(size, work):
        assert found.tobytes() == wanted.tobytes()


def test_many_groups_are_exchanged_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_row_quantiles, "_MAX_GROUPS", 4)
    values = np.arange(10.0)
    (found,) = run_team(1, lambda team: group_quantiles(team, np.arange(10), values, np.ones(10, dtype=int), 10, 0.5))
    np.testing.assert_array_equal(found, values)


@pytest.mark.parametrize("quantile", [0.2, 0.8])
def test_of_two_values_the_lower_is_taken_up_to_one_half(quantile: float) -> None:
    values, ones = np.array([7.0, 3.0]), np.ones(2, dtype=np.int64)
    (found,) = run_team(1, lambda team: group_quantiles(team, np.zeros(2, dtype=int), values, ones, 1, quantile))
    assert found == (3.0 if quantile <= 0.5 else 7.0)
