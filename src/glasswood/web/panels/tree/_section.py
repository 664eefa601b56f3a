"""Tree panel: trees of a model, their impurity by depth, and their regions over pairs of features."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._progress import progress_bar
from glasswood.ensemble import AlignedRows, Ensemble, align, node_depths, one_tree
from glasswood.errors import OptionError, TableError, UnsupportedModelError
from glasswood.explain import TargetRows, target_rows
from glasswood.web.page._budget import within
from glasswood.web.page._document import to_json
from glasswood.web.panels._panel import Panel
from glasswood.web.panels._sample import spread_rows
from glasswood.web.panels._subject import Subject
from glasswood.web.panels.tree._plane import Plane, plane_of, plane_to_dict
from glasswood.web.panels.tree._view import tree_view

MAX_POINTS = 2_000  # rows drawn
MAX_TREES = 50
_FEW_NODES = 50
_NOTES = 1_000  # bytes left for notes


def build_tree(subject: Subject) -> dict[str, Any]:
    """Build the tree panel with as many nodes as fit; the size of a node depends on its texts."""
    if not subject.n_examples:
        raise OptionError("its figures draw rows of the table, and none is to be shown (n_examples=0)")
    if subject.y is None:
        raise OptionError("its nodes count the target: pass y to see it")
    max_nodes, max_bytes = subject.max_nodes, subject.max_tree_bytes
    while True:
        data = _tree_data(replace(subject, max_nodes=max_nodes))
        size = 0 if max_bytes is None else _bytes_of(data)
        if max_bytes is None or max_nodes < _FEW_NODES or size <= max_bytes:
            return data
        # only a first tree that is too large by itself comes here: further trees are left out while it is built
        max_nodes = min(max_nodes * 9 // 10, max_nodes * max_bytes // size)


def _bytes_of(data: Any) -> int:
    return len(to_json(data).encode())


def _tree_data(subject: Subject) -> dict[str, Any]:
    ensemble = subject.ensemble()
    if ensemble.n_trees == 0:
        raise UnsupportedModelError("the model has no trees to show")
    table = align(subject.rows(), ensemble.features)
    if table.n_rows == 0:
        raise TableError("the table has no rows to show")
    target = target_rows(ensemble, subject.y, table.n_rows)
    trees, notes = _shown_trees(ensemble, subject.max_nodes, subject.first_tree)
    plane = plane_of(trees)
    most = max(200, min(MAX_POINTS, subject.max_values // max(len(plane.features), 1)))
    drawn = _drawn_rows(target, most)
    if len(drawn) < table.n_rows:  # the rows of the panel This prediction are always among them
        chosen = spread_rows(subject.raw(), min(subject.n_examples, most // 2))
        others = np.setdiff1d(drawn, chosen)
        kept = others[np.linspace(0, len(others) - 1, most - len(chosen)).astype(np.intp)]
        drawn = np.union1d(kept, chosen)
    if len(drawn) < table.n_rows:
        notes.append(f"{len(drawn):,} of {table.n_rows:,} rows are drawn; every count is of all rows")
    alone, dates = ensemble.n_trees == 1, subject.dates()
    shared = {
        "classes": None if target.classes is None else list(target.classes),
        "features": plane_to_dict(plane, ensemble, table, drawn, dates),
        "rows": {
            "index": drawn.tolist(),
            "class": None if target.classes is None else target.codes[drawn].tolist(),
            "shade": None if target.classes is not None else _shades(target.numbers)[drawn].tolist(),
        },
        "row": _middle_row(plane, table, drawn),
        "n_trees": ensemble.n_trees,
    }
    with progress_bar(trees, "trees", show=subject.progress) as each:
        made = (
            {"number": k, **tree_view(tree, plane, table, target, drawn, alone=alone, dates=dates)}
            for k, tree in enumerate(each, subject.first_tree)
        )
        if subject.max_tree_bytes is None:
            views = list(made)
        else:
            views = within(made, subject.max_tree_bytes - _bytes_of(shared) - _NOTES)
    return {**shared, "trees": views, "notes": [*notes, *_left_out(len(views), ensemble.n_trees, subject.first_tree)]}


def _shown_trees(ensemble: Ensemble, max_nodes: int, first: int) -> tuple[list[Ensemble], list[str]]:
    """Trees from `first` on, as many as may fit into a page; a very large tree is cut at a depth."""
    if not 0 <= first < ensemble.n_trees:
        raise OptionError(f"the model has no tree {first}; its trees are 0 to {ensemble.n_trees - 1:,}")
    trees: list[Ensemble] = []
    notes: list[str] = []
    carried = 0
    for k in range(first, min(ensemble.n_trees, first + MAX_TREES)):
        tree = one_tree(ensemble, k)
        if trees and carried + tree.n_nodes > max_nodes:
            break
        if tree.n_nodes > max_nodes:
            depth = node_depths(tree)
            kept = int(np.searchsorted(np.cumsum(np.bincount(depth)), max_nodes, side="right")) - 1
            notes.append(f"the tree has {tree.n_nodes:,} nodes and is shown to depth {kept} of {int(depth.max())}")
            tree = tree.cut(kept)
        carried += tree.n_nodes
        trees.append(tree)
    return trees, notes


def _left_out(n_shown: int, n_trees: int, first: int) -> list[str]:
    """Which trees are shown, if not all are."""
    if n_shown == n_trees:
        return []
    which = f"tree {first:,} is" if n_shown == 1 else f"trees {first:,} to {first + n_shown - 1:,} are"
    return [
        f"{which} shown, of trees 0 to {n_trees - 1:,}; gw.explore(model, X, y, first_tree=…) and glasswood app show "
        "any other"
    ]


def _drawn_rows(target: TargetRows, most: int) -> NDArray[np.int64]:
    """Rows to draw: all, or evenly spaced ones with each class in its proportion."""
    n = target.n_rows
    if n <= most:
        return np.arange(n)
    if target.classes is None:
        order = np.argsort(target.numbers, kind="stable")
    else:
        order = np.argsort(target.codes, kind="stable")
    # evenly spaced in the order of the targets, so that each class keeps its share
    return np.sort(order[np.linspace(0, n - 1, most).round().astype(np.int64)])


def _shades(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Distance of each target from the mean, from −1 to 1; 1 is one and a half standard deviations."""
    spread = float(numbers.std())
    away = (numbers - numbers.mean()) / (1.5 * spread) if spread > 0 else np.zeros(len(numbers))
    return np.asarray(np.clip(away, -1, 1).round(3))


def _middle_row(plane: Plane, table: AlignedRows, drawn: NDArray[np.int64]) -> int:
    """Position among the drawn rows of the one that is closest to the middle of all features."""
    away = np.zeros(len(drawn))
    for feature in plane.features:
        values: NDArray[Any] = table.column(feature)[drawn].astype(np.float64)
        rank = np.argsort(np.argsort(values, kind="stable"), kind="stable") / max(len(drawn) - 1, 1)
        away += np.abs(rank - 0.5)
    return int(away.argmin())


TREE = Panel("tree", "Tree", build_tree, "panels/tree.js")
