"""Row draw: a team draws the rows that one process draws."""

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood import _native
from glasswood.team import Exchange, draw_rows
from tests.team.members import cut_rows, run_team


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(1, 300), st.sampled_from([1, 2, 3, 5]), st.floats(0, 1))
def test_members_draw_the_rows_of_one_process(seed: int, n_rows: int, size: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    number = rng.permutation(10 * n_rows)[:n_rows].astype(np.int64)
    every, n = np.arange(n_rows, dtype=np.uint32), round(share * n_rows)
    wanted = set(number[_native.choose_rows(every, number, n, seed, 5)[0]].tolist())
    parts = cut_rows(n_rows, size, rng)

    def work(team: Exchange) -> Any:
        own = number[parts[team.rank]]
        drawn, left_out = draw_rows(team, np.arange(len(own), dtype=np.uint32), own, n, seed, 5)
        assert sorted([*drawn, *left_out]) == list(range(len(own))) and (np.diff(drawn.astype(int)) > 0).all()
        return own[drawn].tolist()

    drawn = [row for own in run_team(size, work) for row in own]
    assert len(drawn) == n and set(drawn) == wanted
