"""The slow, obvious version of symmetric trees: every question, in every open node of a level.

The trees of several outputs that share their questions have one problem each; they differ in their gradients only.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from tests.reference.boosting import Problem, goes_left

Mask = NDArray[np.bool_]


@dataclass
class Question:
    feature: int
    gain: float  # of all nodes that it divides, in all trees
    left: dict[int, Mask]  # left rows of these nodes
    gains: dict[int, list[float]]  # of these nodes, in every tree


def questions(problems: Sequence[Problem], open_rows: dict[int, Mask]) -> Iterator[list[Question]]:
    """For every order in which a feature may be cut: every cut that divides a node, as ties are decided."""
    first = problems[0]
    level = np.logical_or.reduce(list(open_rows.values()))
    for f in range(first.X.shape[1]):
        missing = np.isnan(first.X[:, f])
        for ordering in ordering_problems(problems, f, level):
            yield [
                question
                for with_missing in ((False, True) if (level & missing).any() else (False,))
                for cut in ordering.cuts(f, level)
                if (question := question_of(problems, f, open_rows, cut, missing if with_missing else None)) is not None
            ]


def question_of(
    problems: Sequence[Problem], f: int, open_rows: dict[int, Mask], cut: Mask, missing: Mask | None
) -> Question | None:
    """The question; None if it divides no node."""
    asked = Question(f, 0.0, {}, {})
    for node, rows in open_rows.items():
        if not (rows & cut & (problems[0].weight > 0)).any():
            continue  # no value of the node lies left of the cut
        left = rows & cut if missing is None else rows & (cut | missing)
        gains = [problem.gain_at(rows, left) for problem in problems]
        if any(gain is not None for gain in gains):
            asked.left[node], asked.gains[node] = left, [gain or 0.0 for gain in gains]
    asked.gain = sum(sum(gains) for gains in asked.gains.values())
    return asked if asked.left else None


def ordering_problems(problems: Sequence[Problem], f: int, level: Mask) -> list[Problem]:
    """The problem that gains most by telling levels apart, whose means put them in order; all of those that tie."""
    if not problems[0].is_category[f]:
        return [problems[0]]
    gains = []
    for problem in problems:
        x = problem.X[:, f]
        bins = np.where(np.isnan(x), -1, problem.level_bin[f][np.where(np.isnan(x), 0, x).astype(int)])
        sums = [problem.sums(level & (bins == b)) for b in np.unique(bins[level])]
        S, W = sum(s.S for s in sums), sum(s.W for s in sums)
        gains.append(sum(s.S**2 / (s.W + problem.l2) for s in sums if s.W > 0) - S**2 / (W + problem.l2))
    scale = 1e-9 * (1 + sum(float(np.abs(problem.g[level]).sum()) for problem in problems))
    return [problem for problem, gain in zip(problems, gains, strict=True) if gain >= max(gains) - scale]


def may_split(problem: Problem, rows: Mask) -> bool:
    """Whether weight and rows of a node allow a split."""
    heavy = problem.weight[rows].sum() >= 2 * problem.min_weight_leaf
    return bool(heavy) and np.count_nonzero(rows) >= 2 * max(problem.min_samples_leaf, 1)


def check_symmetric_tree(problem: Problem, ensemble: Ensemble, tree: int) -> dict[int, Mask]:
    """Assert that every level asks the best question; returns the rows of every node."""
    return check_shared_trees([problem], ensemble, [tree])[0]


def check_shared_trees(problems: Sequence[Problem], ensemble: Ensemble, trees: Sequence[int]) -> list[dict[int, Mask]]:
    """Assert that every level of these trees asks the question that is best for all; the rows of every node of each."""
    roots = [int(ensemble.tree_start[tree]) for tree in trees]
    (n_nodes,) = {int(np.diff(ensemble.tree_start)[tree]) for tree in trees}
    rows_of = {0: problems[0].weight > 0}  # by the number of a node in its tree, which is the same in all
    open_rows = dict(rows_of) if may_split(problems[0], rows_of[0]) else {}
    for level in range(problems[0].max_depth):
        orders = list(questions(problems, open_rows)) if open_rows else []
        rounding = [problem.rounding(rows) for problem in problems for rows in open_rows.values()]
        scale, share = sum(one[0] for one in rounding), max((one[1] for one in rounding), default=0.0)
        best = best_gain(orders)
        near = [one for order in orders for one in order if one.gain >= best - 2 * share * abs(best) - scale]
        asked = [one for one in near if all(fits(problems[0], ensemble, root, open_rows, one) for root in roots)]
        if not asked or not any(ensemble.feature[roots[0] + node] >= 0 for node in open_rows):
            assert best <= problems[0].min_gain + scale, (level, best)
            break
        # where rounding lets questions tie, some divide only a part of the nodes that the trees divide
        question = max(asked, key=lambda one: len(one.left))
        for node, left in question.left.items():
            rows = open_rows.pop(node)
            for root, gain in zip(roots, question.gains[node], strict=True):
                np.testing.assert_allclose(ensemble.gain[root + node], gain, rtol=share, atol=scale)
            left_child, right_child = (
                int(side[roots[0] + node]) - roots[0] for side in (ensemble.left, ensemble.right)
            )
            for child, part in ((left_child, left), (right_child, rows & ~left)):
                rows_of[child] = part
                if may_split(problems[0], part):
                    open_rows[child] = part
    for root in roots:
        inner = {node for node in range(n_nodes) if ensemble.feature[root + node] >= 0}
        assert inner == {
            node for node in rows_of if node in inner and int(ensemble.left[root + node]) - root in rows_of
        }
    return [{root + node: rows for node, rows in rows_of.items()} for root in roots]


def best_gain(orders: list[list[Question]]) -> float:
    """The largest gain; where a feature could be cut in several orders, in the worst of them."""
    by_feature: dict[int, float] = {}
    for order in orders:
        if order:
            gain, feature = max(question.gain for question in order), order[0].feature
            by_feature[feature] = min(gain, by_feature.get(feature, np.inf))
    return max(by_feature.values(), default=-np.inf)


def fits(problem: Problem, ensemble: Ensemble, root: int, open_rows: dict[int, Mask], question: Question) -> bool:
    """Whether the tree asks this question in every node that it divides."""
    x = problem.X[:, question.feature]
    return all(
        ensemble.feature[root + node] == question.feature
        and np.array_equal(open_rows[node] & goes_left(ensemble, root + node, x), left)
        for node, left in question.left.items()
    )
