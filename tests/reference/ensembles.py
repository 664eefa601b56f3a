"""Random ensembles: every shape of tree and every special threshold a kernel may meet, as plain arrays.

An ensemble is a dict of arrays with the field names of `_native.Trees` plus ``weight`` per node. It obeys
what kernels rely on: trees one after the other, children after their parent, weight of a parent = sum of its children,
value of an inner node = weighted mean of its children, leaf ids distinct within a tree.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from glasswood import _native

Arrays = dict[str, NDArray[Any]]
SHAPES = ("grown", "chain", "oblivious", "leaf")


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a random ensemble is made of."""

    n_trees: int = 5
    n_features: int = 4
    n_category_features: int = 0  # the last ones
    n_outputs: int = 1
    width: int = 1  # outputs per tree
    n_leaves: int = 8  # of a grown tree or a chain; an oblivious tree takes the largest power of two
    n_thresholds: int = 20  # candidates per numeric feature
    max_levels: int = 6  # of a category feature
    shapes: tuple[str, ...] = SHAPES
    odd: bool = True  # thresholds at infinities, subnormals and beside float32 values; zero as missing


@st.composite
def recipes(draw: st.DrawFn, **fixed: Any) -> Recipe:
    """Recipes of small ensembles; keyword arguments fix fields."""
    n_outputs = draw(st.integers(1, 3))
    n_features = draw(st.integers(1, 6))
    drawn = {
        "n_trees": draw(st.integers(0, 12)),
        "n_features": n_features,
        "n_category_features": draw(st.integers(0, n_features)),
        "n_outputs": n_outputs,
        "width": draw(st.sampled_from([1, n_outputs])),
        "n_leaves": draw(st.sampled_from([2, 3, 8, 31, 40, 70])),
        "n_thresholds": draw(st.sampled_from([1, 2, 20])),
        "max_levels": draw(st.sampled_from([1, 6, 62, 63, 64, 130])),
    }
    return Recipe(**(drawn | fixed))


@st.composite
def ensembles(draw: st.DrawFn, **fixed: Any) -> Arrays:
    """Random valid ensembles; keyword arguments fix fields of their `Recipe`."""
    return random_ensemble(np.random.default_rng(draw(st.integers(0, 2**32))), draw(recipes(**fixed)))


@st.composite
def ensembles_with_columns(draw: st.DrawFn, n_rows: int = 40, **fixed: Any) -> tuple[Arrays, list[NDArray[Any]]]:
    """A random ensemble and rows that probe it, as a list of columns."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    ensemble = random_ensemble(rng, draw(recipes(**fixed)))
    return ensemble, random_columns(rng, ensemble, n_rows)


def random_ensemble(rng: np.random.Generator, recipe: Recipe) -> Arrays:
    """One ensemble after the recipe."""
    p = recipe.n_features
    n_levels = np.zeros(p, dtype=np.int32)
    first_category = p - recipe.n_category_features
    n_levels[first_category:] = rng.integers(1, recipe.max_levels + 1, size=p - first_category)
    zero_is_missing = (n_levels == 0) & (rng.random(p) < (0.2 if recipe.odd else 0))
    candidates = [_thresholds(rng, recipe) for _ in range(p)]
    trees = [_tree(rng, recipe, candidates, n_levels) for _ in range(recipe.n_trees)]
    pool = [bits for tree in trees for bits in tree.sets]
    return {
        "tree_start": np.cumsum([0, *(len(tree.feature) for tree in trees)]).astype(np.int32),
        "tree_output": rng.integers(0, recipe.n_outputs - recipe.width + 1, recipe.n_trees).astype(np.int32),
        **_stack(rng, trees, recipe.width),
        "set_start": np.cumsum([0, *(len(bits) for bits in pool)]).astype(np.int64),
        "set_bits": np.array([word for bits in pool for word in bits], dtype=np.uint64),
        "baseline": rng.normal(size=recipe.n_outputs),
        "n_levels": n_levels,
        "zero_is_missing": zero_is_missing,
    }


def random_columns(rng: np.random.Generator, ensemble: Arrays, n_rows: int) -> list[NDArray[Any]]:
    """Rows on the thresholds, one step beside them and far away; missing values, infinities, unseen codes."""
    columns: list[NDArray[Any]] = []
    for feature, n_levels in enumerate(ensemble["n_levels"]):
        if n_levels > 0:
            columns.append(rng.integers(-1, n_levels + 2, size=n_rows).astype(np.int32))
            continue
        mine = (ensemble["feature"] == feature) & (ensemble["category_set"] < 0)
        pool = np.concatenate([ensemble["threshold"][mine], rng.normal(size=5)])
        x = rng.choice(pool, size=n_rows)
        with np.errstate(over="ignore"):
            near = [x, np.nextafter(x, np.inf), np.nextafter(x, -np.inf), rng.normal(size=n_rows)]
        x = np.choose(rng.integers(len(near), size=n_rows), near)
        special = rng.choice([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-35, -1e-36, 5e-324], size=n_rows)
        columns.append(np.where(rng.random(n_rows) < 0.15, special, x))
    return columns


def native_trees(ensemble: Arrays) -> _native.Trees:
    """The ensemble as kernels take it."""
    return _native.Trees(**{name: array for name, array in ensemble.items() if name != "weight"})


@dataclass(slots=True)
class _Tree:
    """One tree under construction; node indices and set indices count from 0."""

    feature: list[int]
    threshold: list[float]
    left: list[int]
    right: list[int]
    missing_left: list[bool]
    category_set: list[int]
    unseen_left: list[bool]
    sets: list[list[int]]

    @classmethod
    def leaf(cls) -> "_Tree":
        return cls([-1], [np.nan], [-1], [-1], [False], [-1], [False], [])

    def split(self, node: int, feature: int, threshold: float, missing_left: bool) -> None:
        """Turn a leaf into an inner node with two leaves."""
        self.feature[node], self.threshold[node], self.missing_left[node] = feature, threshold, missing_left
        self.left[node], self.right[node] = len(self.feature), len(self.feature) + 1
        for _ in range(2):
            self.feature.append(-1)
            self.threshold.append(np.nan)
            self.left.append(-1)
            self.right.append(-1)
            self.missing_left.append(False)
            self.category_set.append(-1)
            self.unseen_left.append(False)


def _thresholds(rng: np.random.Generator, recipe: Recipe) -> NDArray[np.float64]:
    pool = rng.normal(size=recipe.n_thresholds)
    if recipe.odd:
        single = rng.normal(size=4).astype(np.float32).astype(np.float64)
        odd = [np.inf, -np.inf, 0.0, -0.0, 5e-324, -5e-324, 1.7e308, -1.7e308, 1e-35]
        beside = [*single, *np.nextafter(single, np.inf), *np.nextafter(single, -np.inf)]
        take = rng.random(recipe.n_thresholds) < 0.2
        pool = np.where(take, rng.choice([*odd, *beside], size=recipe.n_thresholds), pool)
    return pool


def _tree(
    rng: np.random.Generator,
    recipe: Recipe,
    candidates: list[NDArray[np.float64]],
    n_levels: NDArray[np.int32],
) -> _Tree:
    tree = _Tree.leaf()
    shape = rng.choice(recipe.shapes)
    if recipe.n_features == 0 or shape == "leaf":
        return tree
    if shape == "oblivious":
        level = [0]
        while 2 * len(level) <= recipe.n_leaves:
            _split_level(rng, tree, level, candidates, n_levels)
            level = [child for node in level for child in (tree.left[node], tree.right[node])]
        return tree
    leaves = [0]
    while len(leaves) < recipe.n_leaves:
        at = int(rng.integers(len(leaves))) if shape == "grown" else -1
        node = leaves.pop(at)
        _split_level(rng, tree, [node], candidates, n_levels)
        leaves += [tree.left[node], tree.right[node]]
    return tree


def _split_level(
    rng: np.random.Generator,
    tree: _Tree,
    nodes: list[int],
    candidates: list[NDArray[np.float64]],
    n_levels: NDArray[np.int32],
) -> None:
    """Split all nodes with the same split."""
    feature = int(rng.integers(len(candidates)))
    by_category = n_levels[feature] > 0
    threshold = np.nan if by_category else float(rng.choice(candidates[feature]))
    missing_left, unseen_left = bool(rng.random() < 0.5), bool(rng.random() < 0.5)
    if by_category:
        members = [code for code in range(n_levels[feature]) if rng.random() < 0.5]
        # a set may have fewer words than there are levels; codes beyond them are not members
        words = [0] * (members[-1] // 64 + 1 if members else int(rng.integers(2)))
        for code in members:
            words[code // 64] |= 1 << (code % 64)
        tree.sets.append(words)
    for node in nodes:
        tree.split(node, feature, threshold, missing_left)
        if by_category:
            tree.category_set[node] = len(tree.sets) - 1
            tree.unseen_left[node] = unseen_left


def _stack(rng: np.random.Generator, trees: list[_Tree], width: int) -> Arrays:
    """The node arrays of all trees, joined."""
    parts: dict[str, list[NDArray[Any]]] = {name: [] for name in _NODE_DTYPES}
    n_nodes = n_sets = 0
    for tree in trees:
        feature = np.array(tree.feature)
        leaf_id = np.where(feature < 0, rng.permutation(len(feature)), -1)
        weight, value = _mass(rng, tree, width)
        node_arrays = {
            "feature": feature,
            "threshold": np.array(tree.threshold),
            "left": np.where(feature < 0, -1, np.array(tree.left) + n_nodes),
            "right": np.where(feature < 0, -1, np.array(tree.right) + n_nodes),
            "missing_left": np.array(tree.missing_left),
            "category_set": np.where(np.array(tree.category_set) < 0, -1, np.array(tree.category_set) + n_sets),
            "unseen_left": np.array(tree.unseen_left),
            "leaf_id": leaf_id,
            "value": value,
            "weight": weight,
        }
        for name, array in node_arrays.items():
            parts[name].append(array)
        n_nodes += len(feature)
        n_sets += len(tree.sets)
    empty = {name: np.empty((0, width) if name == "value" else 0) for name in _NODE_DTYPES}
    return {name: np.concatenate([empty[name], *arrays]).astype(_NODE_DTYPES[name]) for name, arrays in parts.items()}


_NODE_DTYPES: dict[str, Any] = {
    "feature": np.int32,
    "threshold": np.float64,
    "left": np.int32,
    "right": np.int32,
    "missing_left": np.bool_,
    "category_set": np.int32,
    "unseen_left": np.bool_,
    "leaf_id": np.int32,
    "value": np.float64,
    "weight": np.float64,
}


def _mass(rng: np.random.Generator, tree: _Tree, width: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weight and value per node: random in the leaves, summed and averaged upwards."""
    n = len(tree.feature)
    weight = rng.integers(1, 50, size=n).astype(np.float64)
    value = rng.normal(size=(n, width))
    for node in reversed(range(n)):
        if tree.feature[node] >= 0:
            left, right = tree.left[node], tree.right[node]
            weight[node] = weight[left] + weight[right]
            value[node] = (weight[left] * value[left] + weight[right] * value[right]) / weight[node]
    return weight, value


def random_pair(seed: int, **fixed: int) -> tuple[Arrays, Arrays, np.random.Generator]:
    """Two random ensembles over the same features, with other trees, levels and widths."""
    rng = np.random.default_rng(seed)
    n_outputs = int(rng.integers(1, 4))
    p = int(rng.integers(1, 5))
    shared = {"n_features": p, "n_category_features": int(rng.integers(0, p + 1)), "n_outputs": n_outputs} | fixed
    a, b = (
        random_ensemble(
            rng,
            Recipe(**shared, n_trees=int(rng.integers(0, 6)), width=int(rng.choice([1, n_outputs])), max_levels=70),
        )
        for _ in range(2)
    )
    b["zero_is_missing"] = a["zero_is_missing"]
    return a, b, rng
