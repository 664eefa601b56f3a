"""rule_trees: rules as an Ensemble with one small tree per rule, which predicts and can be explained like any model."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble, FeatureSchema, Provenance, build_ensemble, pack_set
from glasswood.results import Condition


@dataclass(frozen=True, slots=True, eq=False)
class _Test:
    """One comparison on the path to the inside of a rule."""

    feature: int
    stays_left: bool
    missing_left: bool
    threshold: float = math.nan
    members: NDArray[np.bool_] | None = None  # (n_levels,) codes that go left
    unseen_left: bool = False


def rule_trees(
    rules: Sequence[Sequence[Condition]],
    features: FeatureSchema,
    inside: NDArray[np.float64],
    outside: NDArray[np.float64],
    *,
    baseline: NDArray[np.float64],
    outputs: tuple[str, ...],
    source: Provenance,
) -> tuple[Ensemble, NDArray[np.int32]]:
    """Make a tree for each rule; `inside` and `outside` are (n_rules, n_outputs).

    Returns
    -------
    Ensemble
    ndarray of int32, (n_rules,)
        The leaf of each tree, as numbered by `apply`, that contains the rows inside.
    """
    tests = [[test for condition in rule for test in _tests(condition, features)] for rule in rules]
    sizes = np.array([2 * len(chain) + 1 for chain in tests], dtype=np.int64)
    first = np.concatenate([[0], np.cumsum(sizes)])
    n = int(first[-1])
    feature, left, right = np.full(n, -1), np.full(n, -1), np.full(n, -1)
    threshold, category_set = np.full(n, np.nan), np.full(n, -1)
    missing_left, unseen_left = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
    value = np.zeros((n, inside.shape[1]))
    sets: list[NDArray[np.uint64]] = []
    for r, chain in enumerate(tests):
        root, m = int(first[r]), len(chain)
        value[root + m], value[root + m + 1 : root + 2 * m + 1] = inside[r], outside[r]
        for i, test in enumerate(chain):
            node, stay, leave = root + i, root + i + 1, root + m + 1 + i
            feature[node], threshold[node] = test.feature, test.threshold
            missing_left[node], unseen_left[node] = test.missing_left, test.unseen_left
            left[node], right[node] = (stay, leave) if test.stays_left else (leave, stay)
            if test.members is not None:
                category_set[node] = len(sets)
                sets.append(pack_set(test.members))
    ensemble = build_ensemble(
        tree_start=first,
        feature=feature,
        threshold=threshold,
        left=left,
        right=right,
        value=value,
        baseline=baseline,
        features=features,
        source=source,
        missing_left=missing_left,
        category_set=category_set,
        unseen_left=unseen_left,
        set_start=np.concatenate([[0], np.cumsum([len(words) for words in sets])]).astype(np.int64),
        set_bits=np.concatenate([np.zeros(0, dtype=np.uint64), *sets]),
        outputs=outputs,
    )
    return ensemble, np.array([len(chain) for chain in tests], dtype=np.int32)


def _tests(condition: Condition, features: FeatureSchema) -> list[_Test]:
    f = features.names.index(condition.feature)
    labels = features.categories[f]
    if labels is not None and (condition.levels is None or not condition.present):
        # any level, known or not, as opposed to missing
        everything = np.ones(len(labels), dtype=bool)
        return [_Test(f, stays_left=condition.present, missing_left=False, members=everything, unseen_left=True)]
    if labels is not None:
        wanted = set(condition.levels or ())
        members = np.array([label in wanted for label in labels], dtype=bool)
        return [_Test(f, stays_left=True, missing_left=condition.missing, members=members)]
    if not condition.present or (condition.lower == -math.inf and condition.upper == math.inf):
        return [_Test(f, stays_left=condition.present, missing_left=False, threshold=math.inf)]
    tests = []
    if condition.upper < math.inf:
        tests.append(_Test(f, stays_left=True, missing_left=condition.missing, threshold=condition.upper))
    if condition.lower > -math.inf:
        tests.append(_Test(f, stays_left=False, missing_left=not condition.missing, threshold=condition.lower))
    return tests
