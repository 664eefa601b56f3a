"""tree_view: one tree with rows in its nodes, as the tree panel shows it."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import AlignedRows, Ensemble, holds_shares, node_depths, predicted_class
from glasswood.explain import TargetRows
from glasswood.explain.trees import NodeRows, class_impurity, levels_left, make_diagram, node_rows
from glasswood.results import Frontiers
from glasswood.web.page._text import many, named, number, signed
from glasswood.web.panels.tree._layout import columns_of, spans_of
from glasswood.web.panels.tree._plane import Plane
from glasswood.web.panels.tree._push import added_to, push_of
from glasswood.web.panels.tree._words import CRITERIA, correct_text, depth_captions, rules_of, threshold_texts

_FEW_OUTPUTS = 4


def tree_view(
    tree: Ensemble,
    plane: Plane,
    table: AlignedRows,
    target: TargetRows,
    drawn: NDArray[np.int64],
    *,
    alone: bool,
    dates: Collection[str] = (),
) -> dict[str, Any]:
    """JSON-ready: the nodes of a tree with their texts, and the profile by depth.

    `alone`: the tree is the whole model, so its values are predictions; otherwise they are what it adds to raw.
    `dates` names the features that are dates.
    """
    seen = node_rows(tree, table)
    depth = node_depths(tree)
    n_rows = seen.rows.sizes
    votes = holds_shares(tree)
    value = _values(tree, n_rows)
    counts = None
    if target.classes is not None:
        k = len(target.classes)
        each = (target.codes[seen.rows.unordered(node)] for node in range(tree.n_nodes))
        counts = np.array([np.bincount(codes, minlength=k) for codes in each], dtype=np.float64)
    impurity = _impurity(tree, seen, target, counts)
    predicted = predicted_class(value, len(target.classes or ())) if votes else None
    frontier = Frontiers(depth, tree.left < 0)
    profile = [float(np.sum(n_rows[f] * impurity[f]) / max(n_rows[0], 1)) for f in frontier]
    start, width = spans_of(tree.left, tree.right, n_rows)
    criterion = _criterion(tree, target)
    push = None if predicted is not None else push_of(tree, target, value)
    added = "" if predicted is not None or (alone and counts is None) else added_to(tree, target)
    same = _same_colour(tree, predicted, value[:, 0])
    return {
        "left": tree.left.tolist(),
        "right": tree.right.tolist(),
        "depth": depth.tolist(),
        **splits_to_dict(tree, plane),
        **_words(tree, seen, target, counts, value, impurity, criterion, added, dates),
        "counts": None if counts is None else counts.astype(int).tolist(),
        "rows": n_rows.tolist(),
        "predicted": None if predicted is None else predicted.tolist(),
        "shade": None if predicted is not None else _shades(value[:, 0]) if push is None else _rounded(push.strength),
        "towards": None if push is None else push.towards.tolist(),
        "serves": added,
        "output": tree.outputs[0] if len(tree.outputs) == 1 else "",
        "same": same.astype(int).tolist(),
        "x": _rounded(columns_of(tree.left, tree.right)),
        "start": _rounded(start),
        "width": _rounded(width),
        "impurity": profile,
        "impurity_text": [_three(value) for value in profile],
        "impurity_end": _impurity_end(criterion, target, profile),
        "impurity_title": f"weighted {CRITERIA[criterion]}",
        "caption": _captions(tree, depth, frontier, profile, criterion, predicted, counts, n_rows, same),
        "leaf": _leaf_of(tree, seen, target.n_rows)[drawn].tolist(),
        "pair": _pair(tree, plane, n_rows, impurity),
    }


def _values(tree: Ensemble, n_rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Value of each node; if the model has no node weights, the mean over the given rows."""
    value = tree.value + tree.baseline
    for node in range(tree.n_nodes - 1, -1, -1):
        if np.isnan(value[node]).any() and tree.left[node] >= 0:
            children = [int(tree.left[node]), int(tree.right[node])]
            share = n_rows[children] if n_rows[children].sum() else np.ones(2)
            value[node] = np.average(value[children], axis=0, weights=share)
    return value


def _criterion(tree: Ensemble, target: TargetRows) -> str:
    if target.classes is None:
        return "squared_error"
    return "entropy" if holds_shares(tree) and tree.source.objective in ("entropy", "log_loss") else "gini"


def _impurity(
    tree: Ensemble, seen: NodeRows, target: TargetRows, counts: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """Impurity of the target among the rows of each node."""
    if counts is None:
        return np.array([target.numbers[rows].var() if len(rows) else 0.0 for rows in seen.rows])
    return np.abs(class_impurity(counts, _criterion(tree, target)))  # 0.0 instead of −0.0


def _impurity_end(criterion: str, target: TargetRows, profile: list[float]) -> float:
    """End of the axis: the largest possible value, so that data sets can be compared."""
    if target.classes is None:
        return max(profile[0], 1e-12)
    k = max(len(target.classes), 2)
    return 1 - 1 / k if criterion == "gini" else float(np.log2(k))


def splits_to_dict(tree: Ensemble, plane: Plane) -> dict[str, Any]:
    """The splits in the numbers of the plane: the cell of a row is compared with `cut` or looked up in `levels`."""
    position = {feature: k for k, feature in enumerate(plane.features)}
    inner = np.flatnonzero(tree.feature >= 0).tolist()
    by_category = [node for node in inner if tree.category_set[node] >= 0]
    cut = [-1] * tree.n_nodes
    for node in inner:
        if tree.category_set[node] < 0:
            cut[node] = plane.rank(int(tree.feature[node]), float(tree.threshold[node]))
    levels: dict[str, list[int]] = {}
    for node in by_category:
        n = int(tree.features.n_levels[tree.feature[node]])
        unseen = [n] if tree.unseen_left[node] else []
        levels[str(node)] = levels_left(tree, node).tolist() + unseen
    return {
        "feature": [position.get(int(feature), -1) for feature in tree.feature],
        "cut": cut,
        "levels": levels,
        "missing_left": tree.missing_left.astype(int).tolist(),
    }


def _words(
    tree: Ensemble,
    seen: NodeRows,
    target: TargetRows,
    counts: NDArray[np.float64] | None,
    value: NDArray[np.float64],
    impurity: NDArray[np.float64],
    criterion: str,
    added: str,
    dates: Collection[str],
) -> dict[str, list[str]]:
    """Conditions and texts of the nodes; `added` is what the value is added to, empty if it is a prediction."""
    mass = seen.rows.sizes.astype(np.float64)
    votes = holds_shares(tree)
    shown = threshold_texts(tree, seen, dates)
    tree = _with_shown_names(tree)
    diagram = make_diagram(
        tree,
        mass,
        value,
        counts if votes else None,
        target.classes if votes else None,
        seen,
        thresholds=shown,
    )
    nodes = range(tree.n_nodes)
    if not added:
        detail = [diagram.detail(node) for node in nodes]
        says = list(diagram.predicted)
    else:
        says = [_added(value[node]) for node in nodes]
        detail = [f"adds {says[node]} to {added}; {_who(mass[node], counts, target, node)}" for node in nodes]
    measure = CRITERIA[criterion].lower()
    note = [
        f"depth {d} · {measure} {_three(impurity[node])} · {n:,} row{'s' * (n != 1)}"
        for node, (d, n) in enumerate(zip(diagram.depth.tolist(), mass.astype(int).tolist(), strict=True))
    ]
    rule = rules_of(tree, seen, shown)
    return {"label": list(diagram.label), "detail": detail, "note": note, "rule": rule, "says": says}


def _with_shown_names(tree: Ensemble) -> Ensemble:
    """The tree with a feature called "" named as the page names it."""
    features = tree.features
    if "" not in features.names:
        return tree
    return tree._with_features(replace(features, names=tuple(named(name) for name in features.names)))


def _who(mass: float, counts: NDArray[np.float64] | None, target: TargetRows, node: int) -> str:
    """The rows of a node: how many of each class, if there are few classes."""
    classes = target.classes
    if counts is None or classes is None or len(classes) > _FEW_OUTPUTS:
        return many(mass, "row")
    return ", ".join(f"{n:,.0f} rows of {name}" for n, name in zip(counts[node].tolist(), classes, strict=True))


def _captions(
    tree: Ensemble,
    depth: NDArray[np.int32],
    frontier: Frontiers,
    profile: list[float],
    criterion: str,
    predicted: NDArray[np.intp] | None,
    counts: NDArray[np.float64] | None,
    n_rows: NDArray[np.int64],
    same: NDArray[np.bool_],
) -> list[str]:
    score: list[str] = []
    if predicted is not None and counts is not None:
        hit = counts[np.arange(len(counts)), predicted].astype(int)
        score = [correct_text(int(hit[f].sum()), int(n_rows[0])) for f in frontier]
    inner = tree.left >= 0
    above = [inner & (depth == d - 1) for d in range(len(frontier))]
    return depth_captions(
        regions=[len(f) for f in frontier],
        impurity=[_three(value) for value in profile],
        criterion=criterion,
        score=score,
        new=[int(split.sum()) for split in above],
        unchanged=[int((split & same).sum()) for split in above],
    )


def _same_colour(tree: Ensemble, predicted: NDArray[np.intp] | None, value: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Splits whose two sides predict the same."""
    said = value if predicted is None else predicted
    same = np.zeros(tree.n_nodes, dtype=bool)
    inner = tree.left >= 0
    same[inner] = said[tree.left[inner]] == said[tree.right[inner]]
    return same


def _leaf_of(tree: Ensemble, seen: NodeRows, n_rows: int) -> NDArray[np.int64]:
    leaf = np.zeros(n_rows, dtype=np.int64)
    for node in np.flatnonzero(tree.left < 0):
        leaf[seen.rows.unordered(int(node))] = node
    return leaf


def _pair(tree: Ensemble, plane: Plane, n_rows: NDArray[np.int64], impurity: NDArray[np.float64]) -> list[int]:
    """The two features whose splits reduce impurity most, as positions in the plane; one if there is no other."""
    mass = n_rows * impurity
    inner = np.flatnonzero(tree.feature >= 0)
    position = np.searchsorted(plane.features, tree.feature[inner])  # the plane has every feature that is split on
    less = mass[inner] - mass[tree.left[inner]] - mass[tree.right[inner]]
    gain = np.bincount(position, less, minlength=len(plane.features))
    best = np.argsort(-gain, kind="stable")[:2]
    return sorted(int(k) for k in best)


def _shades(value: NDArray[np.float64]) -> list[float]:
    """Difference of each node from the root, scaled so that the largest is −1 or 1."""
    away = value - value[0]
    most = float(np.abs(away).max())
    return _rounded(away / most if most > 0 else away)


def _rounded(values: NDArray[np.float64]) -> list[float]:
    return [round(value, 6) for value in values.tolist()]


def _three(value: float) -> str:
    """Three digits; very small and large numbers as elsewhere on the page."""
    return f"{value:.3f}" if value == 0 or 0.001 <= abs(value) < 1000 else number(value, 3)


def _added(values: NDArray[np.float64]) -> str:
    """What a node adds: one number, or one for each output if there are few."""
    shown = [signed(x, 4) for x in values[:_FEW_OUTPUTS].tolist()]
    return ", ".join([*shown, *(["…"] if len(values) > _FEW_OUTPUTS else [])])
