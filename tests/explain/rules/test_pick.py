"""Rules shown to readers are few, significant and different."""

import numpy as np
import pandas as pd
import pytest

import glasswood as gw
from glasswood.explain.rules import least_rows, pick_rules


def table(n: int = 2000) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(n, 4)), columns=list("abcd"))
    X.loc[0, "d"] = np.nan  # a single row of its kind
    y = 3 * (X["a"] > 0.5) + 2 * (X["b"] > 0) + X["c"].clip(0, 1) + rng.normal(size=n)
    y[0] = 30.0
    return X, y.to_numpy()


@pytest.mark.parametrize("classes", [False, True])
def test_picked_rules_are_few_significant_and_different(classes: bool) -> None:
    X, y = table()
    if classes:
        labels = y > 2.5
        model = gw.ForestClassifier(50, max_depth=3, random_state=0).fit(X, labels)
        found = gw.rules(model, X, labels)
    else:
        model = gw.ForestRegressor(50, max_depth=3, random_state=0).fit(X, y)
        found = gw.rules(model, X, y)
    fired = found.explain(X).fired
    picked = pick_rules(found, fired, None if classes else y, None)
    assert 2 <= len(picked) <= 8 and [one.index for one in picked] == sorted(one.index for one in picked)
    for one in picked:
        assert 20 <= fired[:, one.index].sum() <= len(X) - 20
        rule = found[one.index]
        assert one.low[0] < rule.inside[0] - rule.outside[0] < one.high[0]
        assert one.low[0] > 0 or one.high[0] < 0
    held = np.corrcoef(fired[:, [one.index for one in picked]].T)
    assert np.abs(held - np.eye(len(picked))).max() <= 0.6 + 1e-9


def test_an_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(1)
    hits, known = 0, 0
    for _ in range(200):
        X = pd.DataFrame({"a": rng.uniform(size=300)})
        y = rng.random(300) < np.where(X["a"] > 0.5, 0.7, 0.3)
        found = gw.rules(gw.TreeClassifier(max_depth=1).fit(X, y), X, y)
        fired = found.explain(X).fired
        for one in pick_rules(found, fired, None, None):
            inside = fired[:, one.index]
            above = X["a"] > 0.5
            truth = np.where(above[inside], 0.7, 0.3).mean() - np.where(above[~inside], 0.7, 0.3).mean()
            hits, known = hits + int(one.low[0] <= truth <= one.high[0]), known + 1
    assert known > 150 and hits / known > 0.9


def test_rules_that_hold_for_few_rows_or_say_nothing_are_left_out() -> None:
    X, y = table()
    found = gw.rules(gw.TreeRegressor(max_depth=1).fit(X[["d"]], y), X[["d"]], y)
    fired = np.zeros((len(X), len(found)), dtype=bool)
    fired[:19] = True
    assert pick_rules(found, fired, y, None) == []
    rng = np.random.default_rng(2)
    noise = rng.normal(size=len(X))
    same = gw.rules(gw.ForestRegressor(20, max_depth=1, random_state=0).fit(X[["b", "c"]], noise), X[["b", "c"]], noise)
    assert len(pick_rules(same, same.explain(X[["b", "c"]]).fired, noise, None)) < len(same)


def test_small_tables_ask_for_a_tenth_of_their_rows() -> None:
    assert [least_rows(n) for n in (3, 40, 120, 200, 10**6)] == [5, 5, 12, 20, 20]
