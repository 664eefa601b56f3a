"""FitPlan: `boost` hands the same plan to every source of rounds."""

from typing import Any

import numpy as np

from glasswood.ensemble import AlignedRows, FeatureSchema
from glasswood.train.boosting import BoostingOptions, BoostingTable, FitPlan, boost
from glasswood.train.boosting._rounds import start_rounds
from glasswood.train.boosting._tree_source import LocalTrees


def table(name: str) -> BoostingTable:
    return BoostingTable(name=name, rows=AlignedRows(4, np.arange(4.0)[:, None]), y=np.array([0, 0, 1.0, 1.0]))


def test_rounds_are_prepared_from_the_plan() -> None:
    plans = []

    def prepare(plan: FitPlan, done: int) -> Any:
        plans.append((plan, done))
        return start_rounds(plan, LocalTrees)

    options = BoostingOptions(n_estimators=2)
    given: Any = (table("train"), FeatureSchema.numeric(["x"]), options)
    first = boost(*given, outputs=("y",), evaluate=[table("valid")], make_rounds=prepare)
    more = BoostingOptions(n_estimators=3)
    boost(given[0], given[1], more, outputs=("y",), before=first, make_rounds=prepare)
    (plan, done), (again, done_before) = plans
    assert plan.train.name == "train" and [t.name for t in plan.tables] == ["train", "valid"]
    assert (done, done_before) == (0, 2) and plan.grown is None and again.grown is first.ensemble
    np.testing.assert_array_equal(first.ensemble.value, boost(*given, outputs=("y",)).ensemble.value)
