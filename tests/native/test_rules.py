"""Paths counted and chosen natively equal those of the slow reference and of the published example."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood import _native
from tests.reference import rules as slow

Cells = tuple[int, bool]  # number of cells of a feature, and whether values may be missing


def make_cells(features: list[Cells]) -> _native.RuleCells:
    return _native.RuleCells(
        n_cells=np.array([n for n, _ in features], dtype=np.int32),
        has_missing=np.array([missing for _, missing in features]),
        rank=np.arange(len(features), dtype=np.int32),
        level_start=np.zeros(len(features) + 1, dtype=np.int64),
        level_cell=np.zeros(0, dtype=np.int32),
    )


def universe_of(features: list[Cells]) -> list[slow.Region]:
    return [frozenset(range(n + missing)) for n, missing in features]


def make_paths(rules: list[slow.RulePath], counts: list[int]) -> _native.RulePaths:
    regions = sorted({region for rule in rules for region in rule}, key=lambda r: (r[0], sorted(r[1])))
    number = {region: i for i, region in enumerate(regions)}
    return _native.RulePaths(
        region_feature=np.array([feature for feature, _ in regions], dtype=np.int32),
        region_start=np.arange(len(regions) + 1, dtype=np.int64),
        region_bits=np.array([sum(1 << cell for cell in cells) for _, cells in regions], dtype=np.uint64),
        start=np.concatenate([[0], np.cumsum([len(rule) for rule in rules])]).astype(np.int64),
        region=np.array([number[region] for rule in rules for region in rule], dtype=np.int32),
        count=np.array(counts, dtype=np.int32),
    )


def kept(rules: list[slow.RulePath], features: list[Cells]) -> list[int]:
    n = len(rules)
    paths = make_paths(rules, list(range(n, 0, -1)))
    return _native.choose_paths(paths, make_cells(features), n, 0.0, n, np.zeros(n, dtype=bool)).tolist()


def test_the_filter_drops_the_same_rules_as_the_paper() -> None:
    # AISTATS supplement, table 3; x4 is cut at e and at g
    low, high = frozenset([0]), frozenset([1])
    below = {"x1<a": (0, low), "x2<b": (1, low), "x3<c": (2, low), "x5<f": (4, low)}
    above = {name.replace("<", ">="): (f, high) for name, (f, _) in below.items()}
    x4 = {"x4<e": {0}, "x4>=e": {1, 2}, "x4<g": {0, 1}, "x4>=g": {2}}
    atoms = below | above | {name: (3, frozenset(cells)) for name, cells in x4.items()}
    table = (
        "x1<a | x1>=a | x2<b | x2>=b | x3<c | x3>=c | x1>=a&x3>=c | x4<e | x4>=e | x5<f | x5>=f | x1>=a&x3<c | "
        "x1<a&x4>=e | x1>=a&x4>=g | x1>=a&x4<g | x2>=b&x4>=g | x2>=b&x4<g"
    )
    rules = [tuple(atoms[name] for name in rule.split("&")) for rule in table.split(" | ")]
    features = [(2, False), (2, False), (2, False), (3, False), (2, False)]
    dropped = {k + 1 for k in range(17)} - {k + 1 for k in kept(rules, features)}
    assert dropped == {2, 4, 6, 9, 11, 12, 15, 17}


@st.composite
def rule_lists(draw: st.DrawFn) -> tuple[list[slow.RulePath], list[Cells]]:
    features = draw(st.lists(st.tuples(st.integers(2, 4), st.booleans()), min_size=1, max_size=4))
    rules = []
    for _ in range(draw(st.integers(1, 24))):
        chosen = draw(st.lists(st.sampled_from(range(len(features))), min_size=1, max_size=4, unique=True))
        rule = []
        for f in sorted(chosen):
            n, missing = features[f]
            size = n + missing
            bits = draw(st.integers(1, 2**size - 2))
            rule.append((f, frozenset(c for c in range(size) if bits >> c & 1)))
        rules.append(tuple(rule))
    return rules, features


@settings(max_examples=150)
@given(rule_lists())
def test_dependence_is_that_of_the_whole_grid(case: tuple[list[slow.RulePath], list[Cells]]) -> None:
    rules, features = case
    rules = list(dict.fromkeys(rules))
    assert kept(rules, features) == slow.independent(rules, universe_of(features))


def random_tree(rng: np.random.Generator, features: list[Cells], depth: int) -> slow.CellTree:
    if depth == 0 or rng.random() < 0.15:
        return slow.CellTree(None)
    f = int(rng.integers(len(features)))
    n, missing = features[f]
    left = set(range(int(rng.integers(-1, n)) + 1)) | ({n} if missing and rng.random() < 0.5 else set())
    return slow.CellTree(
        (f, frozenset(left)), random_tree(rng, features, depth - 1), random_tree(rng, features, depth - 1)
    )


def flat(trees: list[slow.CellTree], features: list[Cells]) -> dict[str, np.ndarray]:
    arrays: dict[str, list[int]] = {k: [] for k in ("feature", "left", "right", "cut", "missing_left")}
    tree_start = [0]

    def add(tree: slow.CellTree) -> int:
        node = len(arrays["feature"])
        f, left = tree.split if tree.split is not None else (-1, frozenset())
        n = features[f][0] if f >= 0 else 0
        for name, value in zip(arrays, (f, -1, -1, len(left - {n}) - 1, n in left), strict=True):
            arrays[name].append(value)
        if tree.left is not None and tree.right is not None:
            arrays["left"][node], arrays["right"][node] = add(tree.left), add(tree.right)
        return node

    for tree in trees:
        add(tree)
        tree_start.append(len(arrays["feature"]))
    out = {name: np.array(values, dtype=np.int32) for name, values in arrays.items()}
    return out | {
        "tree_start": np.array(tree_start, dtype=np.int32),
        "missing_left": out["missing_left"].astype(bool),
        "category_set": np.full(len(out["feature"]), -1, dtype=np.int32),
        "set_start": np.zeros(1, dtype=np.int64),
        "set_bits": np.zeros(0, dtype=np.uint64),
    }


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(1, 5))
def test_paths_are_counted_as_the_reference_counts_them(seed: int, max_depth: int) -> None:
    rng = np.random.default_rng(seed)
    features = [(int(rng.integers(2, 5)), bool(rng.random() < 0.5)) for _ in range(3)]
    trees = [random_tree(rng, features, 4) for _ in range(8)]
    cells = make_cells(features)
    native = _native.count_paths(cells, **flat(trees, features), max_depth=max_depth).to_dict()
    found = {}
    for p, count in enumerate(native["count"].tolist()):
        regions = native["region"][native["start"][p] : native["start"][p + 1]]
        path = tuple(
            (
                int(native["region_feature"][r]),
                frozenset(c for c in range(5) if int(native["region_bits"][native["region_start"][r]]) >> c & 1),
            )
            for r in regions
        )
        found[path] = count
    assert found == slow.count_paths(trees, universe_of(features), max_depth)


def test_equal_frequencies_go_by_length_feature_rank_and_side() -> None:
    features = [(4, False), (4, True)]
    cells = frozenset
    rules = [
        ((0, cells([1, 2])),),  # two conditions
        ((1, cells([4])),),  # x1 is missing: right of the last rank
        ((1, cells([0, 1, 4])),),  # x1 <= q2 or missing
        ((1, cells([0, 1])),),  # x1 <= q2
        ((0, cells([2, 3])),),  # x0 > q2
        ((0, cells([0])),),  # x0 <= q1
    ]
    paths = make_paths(rules, [3] * 6)
    chosen = _native.choose_paths(paths, make_cells(features), 10, 0.2, 10, np.zeros(6, dtype=bool))
    assert chosen.tolist() == [5, 4, 3, 2, 0]  # not 1: missing is the difference of two earlier rules


def test_paths_at_p0_and_excluded_paths_are_not_rules() -> None:
    rules = [((0, frozenset([0])),), ((1, frozenset([0])),)]
    paths, cells = make_paths(rules, [3, 2]), make_cells([(2, False), (2, False)])
    assert _native.choose_paths(paths, cells, 10, 0.2, 5, np.array([False, False])).tolist() == [0]
    assert _native.choose_paths(paths, cells, 10, 0.1, 5, np.array([True, False])).tolist() == [1]
    assert _native.choose_paths(paths, cells, 10, 0.1, 1, np.array([False, False])).tolist() == [0]


def random_problem(seed: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(30, n)) @ rng.normal(size=(n, n))
    return np.ascontiguousarray(rows.T @ rows / 30), rows.T @ rng.normal(size=30) / 30


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(1, 9))
def test_ridge_weights_satisfy_their_conditions(seed: int, n: int) -> None:
    gram, target = random_problem(seed, n)
    penalties = np.array([10.0, 1.0, 1e-2, 1e-4])
    for penalty, beta in zip(penalties, _native.nonnegative_ridge(gram, target, penalties), strict=True):
        slope = target - gram @ beta - penalty * beta
        scale = np.abs(target).max()
        assert np.all(beta >= 0)
        assert np.all(slope <= 1e-8 * scale)
        np.testing.assert_allclose(slope[beta > 0], 0, atol=1e-8 * scale)


def test_ridge_weights_are_those_of_coordinate_descent() -> None:
    gram, target = random_problem(3, 6)
    beta = _native.nonnegative_ridge(gram, target, np.array([0.3]))[0]
    np.testing.assert_allclose(beta, slow.nonnegative_ridge(gram, target, 0.3), atol=1e-9)


def test_a_column_twice_does_not_break_the_ridge() -> None:
    gram = np.array([[1.0, 1.0], [1.0, 1.0]])
    beta = _native.nonnegative_ridge(gram, np.array([1.0, 1.0]), np.array([1e-9, 0.0]))
    np.testing.assert_allclose(beta.sum(axis=1), 1.0, rtol=1e-6)
