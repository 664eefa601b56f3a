"""Row sums: those of a team have the bits of those of all rows in one process."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood._exact import exact_auc, exact_group_sums, exact_mean, exact_sum, fixed_numbers
from glasswood.team import Exchange, team_auc, team_group_sums, team_mean, team_sum, whole_weights
from tests.team.members import cut_rows, run_team


@st.composite
def cut_values(draw: Any) -> tuple[Any, Any, Any, Any]:
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, size = draw(st.integers(1, 40)), draw(st.sampled_from([1, 2, 3, 5]))
    values = (
        rng.normal(size=n) * 10.0 ** rng.integers(-30, 30, n) if draw(st.booleans()) else rng.normal(size=n).round(1)
    )
    kind = draw(st.sampled_from(["finite", "finite", "inf", "nan", "huge"]))
    if kind != "finite":
        values[rng.integers(0, n)] = {"inf": np.inf, "nan": np.nan, "huge": 1.7e308}[kind]
    weight = np.empty(0) if draw(st.booleans()) else rng.gamma(1.0, size=n) * (rng.random(n) < 0.8)
    return values, weight, rng, cut_rows(n, size, rng)


def of(array: Any, rows: Any) -> Any:
    return array[rows] if len(array) else array


def same(found: float, wanted: float) -> None:
    assert np.float64(found).tobytes() == np.float64(wanted).tobytes() or (np.isnan(found) and np.isnan(wanted))


@settings(max_examples=100)
@given(cut_values())
def test_sums_and_means_have_the_bits_of_one_process(given_: tuple[Any, Any, Any, Any]) -> None:
    values, weight, _, parts = given_

    def work(team: Exchange) -> Any:
        rows = parts[team.rank]
        return team_sum(team, values[rows]), team_mean(team, values[rows], of(weight, rows))

    for total, mean in run_team(len(parts), work):
        same(total, exact_sum(values))
        same(mean, exact_mean(values, weight))


@settings(max_examples=60)
@given(cut_values())
def test_areas_under_curves_group_sums_and_whole_weights_too(given_: tuple[Any, Any, Any, Any]) -> None:
    values, weight, rng, parts = given_
    score, positive, group = (
        np.where(np.abs(values) < 1e300, values, 0.5),
        rng.random(len(values)) < 0.5,
        rng.integers(0, 3, len(values)),
    )

    def work(team: Exchange) -> Any:
        rows = parts[team.rank]
        return (
            team_auc(team, score[rows], positive[rows], of(weight, rows)),
            team_group_sums(team, group[rows], score[rows], 3),
            whole_weights(team, of(weight, rows), len(rows)),
        )

    results = run_team(len(parts), work)
    whole = fixed_numbers(weight)[0] if len(weight) else np.ones(len(values), dtype=np.int64)
    for rows, (area, sums, own) in zip(parts, results, strict=True):
        same(area, exact_auc(score + 0.0, positive, weight))
        assert sums.tobytes() == exact_group_sums(group, score, 3).tobytes()
        np.testing.assert_array_equal(own, whole[rows])


@pytest.mark.parametrize("size", [1, 3])
def test_the_mean_of_no_rows_is_missing(size: int) -> None:
    assert all(np.isnan(run_team(size, lambda team: team_mean(team, np.empty(0)))))
