"""rules of parts are those of all rows in one table, whatever the cut."""

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glasswood as gw
from glasswood.errors import TableError
from glasswood.explain.rules import rules_of_parts
from tests.explain.several_parts import Several


def table() -> tuple[pd.DataFrame, pd.Series, Any]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=150).round(1), "b": rng.normal(size=150)})
    X["town"] = np.sort(rng.choice(["Ayr", "Bath", "Cork", "Deal"], 150)).astype(object)
    X.loc[rng.random(150) < 0.1, ["b", "town"]] = None
    y = X["a"] * X["b"].fillna(0) + (X["town"] == "Bath") + 0.1 * rng.normal(size=150)
    return X, y, np.exp(3 * rng.normal(size=150)) * (rng.random(150) > 0.1)


X, Y, WEIGHT = table()
TARGETS = {0: Y, 2: np.where(Y.median() < Y, "yes", "no"), 3: np.array(list("rst"))[Y.rank().astype(int) % 3]}
MODELS = {
    n: (gw.BoostingClassifier if n else gw.BoostingRegressor)(n_estimators=8, max_depth=3).fit(X, y).ensemble_
    for n, y in TARGETS.items()
}


def found_in(cuts: list[int], n_classes: int, weight: Any, **options: Any) -> Any:
    ends = [0, *sorted(cuts), len(X)]
    target = TARGETS[n_classes]
    parts = [
        (X[a:b], target[a:b], None if weight is None else weight[a:b]) for a, b in itertools.pairwise(ends) if b > a
    ]
    return rules_of_parts(MODELS[n_classes], Several(parts), kind=None, **options)


@settings(max_examples=8)
@given(st.lists(st.integers(0, len(X)), max_size=3), st.sampled_from([0, 2, 3]), st.booleans())
def test_any_cut_gives_the_rules_of_one_table(cuts: list[int], n_classes: int, weighted: bool) -> None:
    weight = WEIGHT * 1e-200 if weighted else None
    options: dict[str, Any] = {"max_rules": 6, "random_state": 3, "n_quantiles": 5}
    wanted = gw.rules(MODELS[n_classes], X, TARGETS[n_classes], sample_weight=weight, **options)
    assert found_in(cuts, n_classes, weight, **options).to_dict() == wanted.to_dict()


def test_what_is_wrong_is_told() -> None:
    with pytest.raises(TableError, match="weight"):
        found_in([50], 0, np.zeros(150))
    parts = Several([(X[:50], Y[:50], None), (X[50:], Y[50:] * 1e200, None)])
    with pytest.raises(TableError, match="whose square overflows"):
        rules_of_parts(MODELS[0], parts, kind=None)
    unknown = Several([(X[:50], TARGETS[2][:50], None), (X[50:], np.full(100, "maybe"), None)])
    with pytest.raises(TableError, match="'maybe', which the model does not know"):
        rules_of_parts(MODELS[2], unknown, kind=None)
