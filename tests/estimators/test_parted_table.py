"""PartedTable: a table in parts gives the model of the whole table."""

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest

from glasswood import BoostingClassifier, BoostingRegressor
from glasswood.errors import TableError
from glasswood.estimators import PartedTable

RNG = np.random.default_rng(0)
N = 200
TOWNS = np.sort(RNG.choice(["Ayr", "Bath", "Cork", "Deal"], N))  # every part has others
FRAME = pd.DataFrame({"a": RNG.normal(size=N), "town": TOWNS, "b": RNG.normal(size=N).astype(np.float32)})
FRAME.loc[::7, "a"] = np.nan
Y = (FRAME["a"].fillna(0) + (FRAME["town"] == "Cork") + RNG.normal(size=N)).to_numpy()
CUTS = [0, 60, 60, 130, 200]


def in_parts(table: Any) -> PartedTable:
    take = table.iloc.__getitem__ if hasattr(table, "iloc") else table.__getitem__
    parts = [take(slice(a, b)) for a, b in itertools.pairwise(CUTS)]
    return PartedTable(parts.__getitem__, [len(part) for part in parts], take(slice(0, 0)))


def check_same(one: Any, other: Any) -> None:
    assert one.ensemble_ == other.ensemble_
    assert one.history_.values.tobytes() == other.history_.values.tobytes()
    assert one.n_features_in_ == other.n_features_in_


@pytest.mark.parametrize("options", [{}, {"early_stopping": True, "n_iter_no_change": 2}, {"max_bins": 8}])
def test_a_frame_in_parts_gives_the_model_of_the_frame(options: dict[str, Any]) -> None:
    given: dict[str, Any] = {"n_estimators": 5, "subsample": 0.6, "random_state": 1, **options}
    weight = RNG.gamma(1.0, size=N)
    one = BoostingRegressor(**given).fit(FRAME, Y, weight)
    check_same(one, BoostingRegressor(**given).fit(in_parts(FRAME), Y, weight))


def test_arrays_and_evaluation_tables_in_parts() -> None:
    X = FRAME[["a", "b"]].to_numpy()
    y = (Y > 0).astype(int)
    given: dict[str, Any] = {"n_estimators": 4, "metrics": ["auc"], "random_state": 0}
    one = BoostingClassifier(**given).fit(X, y, eval_set=[(X, y)])
    check_same(one, BoostingClassifier(**given).fit(in_parts(X), y, eval_set=[(in_parts(X), y)]))


def test_parts_that_differ_are_named() -> None:
    parts = [FRAME.iloc[:5], FRAME.iloc[5:9].rename(columns={"a": "z"})]
    table = PartedTable(parts.__getitem__, [5, 4], FRAME.iloc[:0])
    with pytest.raises(TableError, match=r"part 1 has the columns \['z', 'town', 'b'\], part 0 has"):
        BoostingRegressor().fit(table, Y[:9])
