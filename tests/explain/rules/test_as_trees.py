"""A rule as a tree contains the rows that satisfy its text."""

import numpy as np
import pandas as pd
import pytest

from glasswood.ensemble import FeatureSchema, Provenance
from glasswood.explain.rules._as_trees import rule_trees
from glasswood.results import Condition

SCHEMA = FeatureSchema(
    names=("n", "c"),
    named=True,
    categories=(None, ("a", "b", "z")),
    coded=np.zeros(2, dtype=bool),
    missing_routed=np.ones(2, dtype=bool),
    zero_is_missing=np.zeros(2, dtype=bool),
)
TABLE = pd.DataFrame({"n": [1.0, 2.0, 3.0, np.nan, 2.0], "c": ["a", "b", None, "a", "new"]})
CASES = [
    ([Condition(feature="n", upper=2.0)], [1, 1, 0, 0, 1]),
    ([Condition(feature="n", lower=1.0)], [0, 1, 1, 0, 1]),
    ([Condition(feature="n", lower=1.0, missing=True)], [0, 1, 1, 1, 1]),
    ([Condition(feature="n", lower=1.0, upper=2.0)], [0, 1, 0, 0, 1]),
    ([Condition(feature="n", lower=1.0, upper=2.0, missing=True)], [0, 1, 0, 1, 1]),
    ([Condition(feature="n", present=False, missing=True)], [0, 0, 0, 1, 0]),
    ([Condition(feature="n")], [1, 1, 1, 0, 1]),
    ([Condition(feature="c", levels=("a",))], [1, 0, 0, 1, 0]),
    ([Condition(feature="c", levels=("a",), missing=True)], [1, 0, 1, 1, 0]),
    ([Condition(feature="c", present=False, missing=True)], [0, 0, 1, 0, 0]),
    ([Condition(feature="c")], [1, 1, 0, 1, 1]),
    ([Condition(feature="n", upper=2.0), Condition(feature="c", levels=("b", "z"))], [0, 1, 0, 0, 0]),
]


@pytest.mark.parametrize(("conditions", "inside"), CASES)
def test_rows_inside_are_those_that_satisfy_the_text(conditions: list[Condition], inside: list[int]) -> None:
    source = Provenance(library="glasswood", version="", model="", objective="", weight_kind="weights")
    ensemble, leaf = rule_trees(
        [conditions], SCHEMA, np.ones((1, 1)), np.zeros((1, 1)), baseline=np.zeros(1), outputs=("y",), source=source
    )
    assert ensemble.predict(TABLE).tolist() == inside
    assert (ensemble.apply(TABLE)[:, 0] == leaf[0]).tolist() == [bool(i) for i in inside]
