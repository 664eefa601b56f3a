"""usage: leaves per feature and combination."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glasswood as gw
from glasswood.ensemble import boxes
from glasswood.errors import OptionError
from glasswood.explain.effects._usage import count_usage
from tests.ensemble.examples import two_trees
from tests.reference.effect_cases import Case, cases


def test_leaves_are_counted_per_feature() -> None:
    assert gw.usage(two_trees()).to_frame("pyarrow").to_pydict() == {"feature": ["f2", "f1"], "leaves": [6, 4]}


def test_leaves_are_counted_per_pair() -> None:
    found = gw.usage(two_trees(), degree=2).to_frame("pyarrow").to_pydict()
    assert found == {"feature_0": ["f1"], "feature_1": ["f2"], "leaves": [4]}


@settings(max_examples=20)
@given(case=cases(), degree=st.integers(1, 4))
def test_usage_equals_a_naive_count(case: Case, degree: int) -> None:
    found = boxes(case.ensemble)
    count: Counter[tuple[int, ...]] = Counter()
    for first, last in zip(found.start[:-1], found.start[1:], strict=True):
        count.update(combinations(sorted(found.feature[first:last].tolist()), degree))
    tuples, leaves = count_usage(case.ensemble, degree)
    assert {tuple(t): n for t, n in zip(tuples.tolist(), leaves.tolist(), strict=True) if n} == dict(count)


@pytest.mark.parametrize("degree", [0, -1, 1.5])
def test_degree_is_a_positive_integer(degree: int) -> None:
    with pytest.raises(OptionError, match="degree"):
        gw.usage(two_trees(), degree=degree)
