import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import glasswood as gw
from glasswood.ensemble import align
from glasswood.explain.trees import node_rows
from glasswood.web.panels.tree._words import correct_text, depth_captions, rules_of, threshold_texts


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.booleans())
@example(1977, True)  # a split that only tests whether the value is missing, below one on its size
def test_a_rule_holds_exactly_for_the_rows_of_its_node(seed: int, gaps: bool) -> None:
    """Evaluated as Python, every rule selects the rows that the tree sends there."""
    random = np.random.RandomState(seed)
    frame = pd.DataFrame({"a": random.randint(0, 9, 40) / 4, "b": random.rand(40), "c": random.choice(list("xyz"), 40)})
    if gaps:
        frame.loc[random.rand(40) < 0.3, "a"] = np.nan
    tree = gw.TreeClassifier(max_depth=4).fit(frame, random.randint(0, 3, 40)).ensemble_
    seen = node_rows(tree, align(frame, tree.features))
    for node, rule in enumerate(rules_of(tree, seen, threshold_texts(tree, seen))):
        assert sorted(seen.rows[node]) == [k for k in range(40) if holds(rule, frame.iloc[k])]


def holds(rule: str, row: pd.Series) -> bool:
    return rule == "every row" or all(condition_holds(part.strip("()"), row) for part in rule.split(" and "))


def condition_holds(text: str, row: pd.Series) -> bool:
    name = next(name for name in row.index if f" {name} " in f" {text} ")
    value = row[name]
    text, with_missing = text.removesuffix(" or missing"), text.endswith(" or missing")
    if isinstance(value, str):
        return value in text[text.index("{") + 1 : -1].split(", ")
    if np.isnan(value):
        return with_missing or text.endswith("is missing") or text.startswith("any ")
    if text.endswith("is not missing") or text.startswith("any "):
        return True
    return not text.endswith("is missing") and bool(eval(text, {name: float(value)}))


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.sampled_from(["D", "h", "min"]))
def test_a_rule_on_dates_holds_exactly_for_the_rows_of_its_node(seed: int, unit: str) -> None:
    random = np.random.RandomState(seed)
    when = pd.Timestamp("2021-03-05 01:00") + pd.to_timedelta(random.randint(0, 90, 40), unit=unit)
    frame = pd.DataFrame({"when": when, "b": random.rand(40)})
    tree = gw.TreeClassifier(max_depth=4).fit(frame, random.randint(0, 3, 40)).ensemble_
    seen = node_rows(tree, align(frame, tree.features))
    rules = rules_of(tree, seen, threshold_texts(tree, seen, {"when"}))
    for node, rule in enumerate(rules):
        parts = [part for part in rule.split(" and ") if "when" in part]
        texts = [re.sub(r"(\d{4}-[-\d: ]*\d)", r"pd.Timestamp('\1')", part) for part in parts]
        inside = np.ones(40, dtype=bool)
        for part in rule.split(" and "):
            if " b " in f" {part} ":
                inside &= np.array([condition_holds(part, pd.Series({"b": b})) for b in frame["b"]])
        for text in texts:
            inside &= np.array([eval(text, {"when": at, "pd": pd}) for at in frame["when"]])
        assert np.flatnonzero(inside).tolist() == sorted(seen.rows[node])


@pytest.mark.parametrize(
    ("new", "unchanged", "said"),
    [
        (1, 0, "1 new split"),
        (1, 1, "1 new split, which leaves the colours unchanged"),
        (2, 2, "2 new splits, both of which leave the colours unchanged"),
        (3, 3, "3 new splits, all of which leave the colours unchanged"),
        (3, 1, "3 new splits, 1 of which leaves the colours unchanged"),
        (4, 2, "4 new splits, 2 of which leave the colours unchanged"),
    ],
)
def test_changes_are_described(new: int, unchanged: int, said: str) -> None:
    captions = depth_captions(
        regions=[1, 2],
        impurity=["0.5", "0.1"],
        criterion="gini",
        score=["a", "b"],
        new=[0, new],
        unchanged=[0, unchanged],
    )
    assert captions == [
        "Depth 0 of 1 · 1 region · weighted Gini 0.5 · a",
        f"Depth 1 of 1 · 2 regions · weighted Gini 0.1 · b · {said}",
    ]


def test_a_tree_that_is_one_leaf_says_so() -> None:
    said = depth_captions(regions=[1], impurity=["0.000"], criterion="gini", score=[], new=[0], unchanged=[0])
    assert said == ["Depth 0 of 0 · 1 region · weighted Gini 0.000 · nothing to split"]


def test_almost_all_rows_are_not_all_rows() -> None:
    assert correct_text(8, 8) == "8 of 8 rows correct (100 %)"
    assert correct_text(1999, 2000) == "1,999 of 2,000 rows correct (100.0 %)"
    assert correct_text(5, 8) == "5 of 8 rows correct (62.5 %)"
