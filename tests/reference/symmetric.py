"""The slow, obvious version of symmetric trees: every question, in every open node of a level."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from tests.reference.boosting import Problem, goes_left

Mask = NDArray[np.bool_]


@dataclass
class Question:
    feature: int
    gain: float  # of all nodes that it divides
    left: dict[int, Mask]  # left rows of these nodes


def questions(problem: Problem, open_rows: dict[int, Mask]) -> Iterator[Question]:
    """Every cut that divides a node, in the order in which ties are decided."""
    level = np.logical_or.reduce(list(open_rows.values()))
    for f in range(problem.X.shape[1]):
        missing = np.isnan(problem.X[:, f])
        for with_missing in (False, True) if (level & missing).any() else (False,):
            for cut in problem.cuts(f, level):
                gains, left = [], {}
                for node, rows in open_rows.items():
                    if not (rows & cut & (problem.weight > 0)).any():
                        continue  # no value of the node lies left of the cut
                    own = rows & (cut | missing if with_missing else cut)
                    gain = problem.gain_at(rows, own)
                    if gain is not None:
                        gains.append(gain)
                        left[node] = own
                if left:
                    yield Question(f, sum(gains), left)


def may_split(problem: Problem, rows: Mask) -> bool:
    """Whether weight and rows of a node allow a split."""
    heavy = problem.weight[rows].sum() >= 2 * problem.min_weight_leaf
    return bool(heavy) and np.count_nonzero(rows) >= 2 * max(problem.min_samples_leaf, 1)


def check_symmetric_tree(problem: Problem, ensemble: Ensemble, tree: int) -> dict[int, Mask]:
    """Assert that every level asks the best question; returns the rows of every node."""
    root = int(ensemble.tree_start[tree])
    rows_of = {root: problem.weight > 0}
    open_rows = dict(rows_of) if may_split(problem, rows_of[root]) else {}
    for level in range(problem.max_depth):
        found = list(questions(problem, open_rows)) if open_rows else []
        rounding = [problem.rounding(rows) for rows in open_rows.values()]
        scale, share = sum(one[0] for one in rounding), max((one[1] for one in rounding), default=0.0)
        best = max((question.gain for question in found), default=-np.inf)
        near = [one for one in found if one.gain >= best - 2 * share * abs(best) - scale]
        asked = [one for one in near if fits(problem, ensemble, open_rows, one)]
        if not asked or not any(ensemble.feature[node] >= 0 for node in open_rows):
            assert best <= problem.min_gain + scale, (level, best)
            break
        for node, left in asked[0].left.items():
            rows = open_rows.pop(node)
            gain = problem.gain_at(rows, left)
            np.testing.assert_allclose(ensemble.gain[node], gain, rtol=share, atol=scale)
            for child, part in ((int(ensemble.left[node]), left), (int(ensemble.right[node]), rows & ~left)):
                rows_of[child] = part
                if may_split(problem, part):
                    open_rows[child] = part
    inner = {int(node) for node in range(root, int(ensemble.tree_start[tree + 1])) if ensemble.feature[node] >= 0}
    divided = {node for node in rows_of if ensemble.feature[node] >= 0 and int(ensemble.left[node]) in rows_of}
    assert inner == divided
    return rows_of


def fits(problem: Problem, ensemble: Ensemble, open_rows: dict[int, Mask], question: Question) -> bool:
    """Whether the tree asks this question in every node that it divides."""
    x = problem.X[:, question.feature]
    return all(
        ensemble.feature[node] == question.feature
        and np.array_equal(open_rows[node] & goes_left(ensemble, node, x), left)
        for node, left in question.left.items()
    )
