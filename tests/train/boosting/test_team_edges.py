"""Team edges: values that several members hold give the edges of one process."""

from typing import Any

import numpy as np
import pytest

from glasswood.ensemble import AlignedRows, FeatureSchema
from glasswood.team import Exchange
from glasswood.train.boosting import _binning
from glasswood.train.boosting._binning import make_binning
from tests.team.members import cut_rows, run_team


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("size", [1, 2, 3, 5])
@pytest.mark.parametrize("max_rows", [100, 1000])
def test_edges_and_levels_are_those_of_one_process(
    size: int, max_rows: int, weighted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_binning, "_MAX_ROWS", max_rows)  # fewer than there are: some are drawn
    rng = np.random.default_rng(size)
    n = 500
    data: list[Any] = [
        rng.normal(size=n),
        rng.normal(size=n).astype(np.float32),
        rng.integers(-1, 6, n).astype(np.int32),
        np.where(rng.random(n) < 0.3, np.nan, rng.integers(0, 5, n)),
    ]
    weight = rng.gamma(1.0, size=n) * (rng.random(n) < 0.8) if weighted else np.empty(0)
    number = np.arange(n, dtype=np.int64)
    numeric = FeatureSchema.numeric(["a", "b", "c", "d"])
    features = FeatureSchema.from_dict({**numeric.to_dict(), "categories": [None, None, list("uvwxyz"), None]})

    def binning(rows: Any, team: Any = None) -> _binning.Binning:
        given = {"row_id": number[rows], "max_bins": 20, "seed": 3, "n_threads": 1}
        own = weight[rows] if weighted else weight
        table = AlignedRows(n, data).take(rows)
        return make_binning(table, features, own, **given, **({} if team is None else {"team": team}))

    wanted, parts = binning(np.arange(n)), cut_rows(n, size, rng)

    def work(team: Exchange) -> _binning.Binning:
        return binning(parts[team.rank], team)

    for found in run_team(size, work):
        for name in ("edge_start", "edges", "level_start", "level_bin", "n_shared", "is_wide"):
            assert getattr(found, name).tobytes() == getattr(wanted, name).tobytes(), name
