"""The slow, obvious version of the boxes kernel: walk every path, intersect every condition."""

from dataclasses import dataclass, field

import numpy as np

from glasswood.ensemble import Ensemble


@dataclass
class Side:
    lower: float = -np.inf
    upper: float = np.inf
    missing: bool = True
    unseen: bool = True
    codes: set[int] = field(default_factory=set)


def leaf_boxes(ensemble: Ensemble, *, of_inner: bool = False) -> dict[int, dict[int, Side]]:
    """Box of each leaf, or of each node, as {node: {feature: side}}, with features in the order of the path."""
    found: dict[int, dict[int, Side]] = {}

    def members(node: int) -> set[int]:
        first, last = ensemble.set_start[ensemble.category_set[node] : ensemble.category_set[node] + 2]
        words = ensemble.set_bits[first:last].tolist()
        return {64 * w + bit for w, word in enumerate(words) for bit in range(64) if word >> bit & 1}

    def visit(node: int, conditions: list[tuple[int, bool]]) -> None:
        if ensemble.feature[node] >= 0:
            visit(int(ensemble.left[node]), [*conditions, (node, True)])
            visit(int(ensemble.right[node]), [*conditions, (node, False)])
            if not of_inner:
                return
        box: dict[int, Side] = {}
        for split, goes_left in conditions:
            j = int(ensemble.feature[split])
            labels = ensemble.features.categories[j]
            side = box.setdefault(j, Side(unseen=labels is not None, codes=set(range(len(labels or ())))))
            side.missing &= bool(ensemble.missing_left[split]) == goes_left
            if labels is not None:
                side.unseen &= bool(ensemble.unseen_left[split]) == goes_left
                side.codes &= members(split) if goes_left else set(range(len(labels))) - members(split)
            elif goes_left:
                side.upper = min(side.upper, float(ensemble.threshold[split]))
            else:
                side.lower = max(side.lower, float(ensemble.threshold[split]))
        found[node] = box

    for root in ensemble.tree_start[:-1]:
        visit(int(root), [])
    return found
