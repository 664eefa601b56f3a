"""The slow, obvious versions of what rules need: paths as dictionaries, dependence by rank on the whole grid."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

Region = frozenset[int]  # cells of one feature; the cell of missing values is n_cells
RulePath = tuple[tuple[int, Region], ...]  # by feature


@dataclass
class CellTree:
    """A split (feature, cells that go left) or a leaf (None), and the two children."""

    split: tuple[int, Region] | None
    left: "CellTree | None" = None
    right: "CellTree | None" = None


def count_paths(trees: Sequence[CellTree], universe: Sequence[Region], max_depth: int) -> dict[RulePath, int]:
    """Number of trees that contain each path."""
    total: dict[RulePath, int] = {}
    for tree in trees:
        found: set[RulePath] = set()

        def visit(node: CellTree, held: dict[int, Region], depth: int, found: set[RulePath] = found) -> None:
            if node.split is None or depth == max_depth:
                return
            feature, left = node.split
            had = held.get(feature, universe[feature])
            for child, cells in ((node.left, had & left), (node.right, had - left)):
                if not cells:
                    continue
                now = held | {feature: cells} if cells != had else held
                if cells != had:
                    found.add(tuple(sorted(now.items())))
                assert child is not None
                visit(child, now, depth + 1, found)

        visit(tree, {}, 0)
        for path in found:
            total[path] = total.get(path, 0) + 1
    return total


def independent(rules: Sequence[RulePath], universe: Sequence[Region]) -> list[int]:
    """Rules that are not linear combinations of the constant and earlier kept rules, by rank on the whole grid."""
    grid = list(itertools.product(*(sorted(cells) for cells in universe)))
    kept, columns = [], [np.ones(len(grid))]
    for k, rule in enumerate(rules):
        mask = np.array([all(row[feature] in cells for feature, cells in rule) for row in grid], dtype=float)
        if np.linalg.matrix_rank(np.column_stack([*columns, mask])) > len(columns):
            columns.append(mask)
            kept.append(k)
    return kept


def nonnegative_ridge(gram: np.ndarray, target: np.ndarray, penalty: float) -> np.ndarray:
    """Coordinate descent until nothing changes."""
    beta = np.zeros(len(target))
    for _ in range(20_000):
        before = beta.copy()
        for i in range(len(beta)):
            rest = target[i] - gram[i] @ beta + gram[i, i] * beta[i]
            beta[i] = max(0.0, rest / (gram[i, i] + penalty))
        if np.abs(beta - before).max() < 1e-14:
            break
    return beta
