"""Native prediction equals the slow reference to the bit, on every path through it."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from glasswood import _native
from tests.forked import holds_in_child
from tests.reference import predict as reference
from tests.reference.ensembles import (
    Arrays,
    Recipe,
    ensembles_with_columns,
    native_trees,
    random_columns,
    random_ensemble,
)

LEVELS = ("plain", "v3", "v4")
BATCHES = (1, 2, 7, 8, 63, 64, 65, 127, 128, 129, 511, 512, 513, 1100)

RECIPES = {
    "few leaves": Recipe(n_trees=20, n_leaves=8),
    "17 to 32 leaves": Recipe(n_trees=20, n_leaves=31),
    "33 to 64 leaves": Recipe(n_trees=10, n_leaves=60),
    "256 leaves": Recipe(n_trees=4, n_leaves=256, shapes=("grown",)),
    "257 leaves": Recipe(n_trees=4, n_leaves=257, shapes=("grown",)),
    "oblivious": Recipe(n_trees=12, n_leaves=64, shapes=("oblivious",)),
    "oblivious and deep": Recipe(n_trees=3, n_leaves=1024, shapes=("oblivious",)),
    "deep": Recipe(n_trees=5, n_leaves=1500, shapes=("grown", "leaf")),
    "deep chains": Recipe(n_trees=3, n_leaves=600, shapes=("chain",)),
    "255 thresholds": Recipe(n_trees=30, n_leaves=200, n_features=2, n_thresholds=255, shapes=("grown",)),
    "256 thresholds": Recipe(n_trees=30, n_leaves=200, n_features=2, n_thresholds=256, odd=False, shapes=("grown",)),
    "wide codes": Recipe(n_trees=30, n_leaves=60, n_features=1, n_thresholds=5000),
    "wide codes, oblivious": Recipe(n_trees=80, n_leaves=32, n_features=1, n_thresholds=5000, shapes=("oblivious",)),
    "wide codes, deep": Recipe(n_trees=4, n_leaves=700, n_thresholds=5000, shapes=("grown",)),
    "categories": Recipe(n_trees=20, n_category_features=3, n_leaves=31),
    "many levels": Recipe(n_trees=10, n_category_features=4, max_levels=300, n_leaves=31),
    "more levels than a set has": Recipe(n_trees=10, n_category_features=4, max_levels=900, n_leaves=31),
    "categories, 256 leaves": Recipe(n_trees=4, n_category_features=3, max_levels=500, n_leaves=256, shapes=("grown",)),
    "categories, oblivious": Recipe(n_trees=12, n_category_features=3, max_levels=200, shapes=("oblivious",)),
    "categories, wide codes": Recipe(
        n_trees=30, n_features=4, n_category_features=3, max_levels=300, n_leaves=60, n_thresholds=5000
    ),
    "categories, deep": Recipe(n_trees=3, n_category_features=2, n_leaves=400, shapes=("grown",)),
    "outputs in turn": Recipe(n_trees=21, n_outputs=3, n_leaves=31),
    "wide leaves": Recipe(n_trees=9, n_outputs=3, width=3, n_leaves=31),
    "wide leaves, deep": Recipe(n_trees=3, n_outputs=4, width=2, n_leaves=400, shapes=("grown",)),
}


@pytest.fixture(params=LEVELS)
def level(request: pytest.FixtureRequest) -> Iterator[str]:
    """Kernels limited to one CPU level."""
    if _native.use_cpu_level(request.param) != request.param:
        _native.use_cpu_level("v4")
        pytest.skip(f"this CPU has no {request.param}")
    yield request.param
    _native.use_cpu_level("v4")


class Case:
    """An ensemble, rows that probe it, and the predictions of the reference."""

    def __init__(self, recipe: Recipe, n_rows: int = max(BATCHES)) -> None:
        rng = np.random.default_rng(7)
        self.ensemble = random_ensemble(rng, recipe)
        self.columns = random_columns(rng, self.ensemble, n_rows)
        self.leaves = reference.reached(self.ensemble, self.columns)
        self.raw = reference.predict_raw(self.ensemble, self.columns)
        self.leaf_ids = self.ensemble["leaf_id"][self.leaves]

    def first(self, n: int) -> list[NDArray[Any]]:
        return [column[:n] for column in self.columns]


_cases: dict[str, Case] = {}


@pytest.fixture(params=RECIPES)
def case(request: pytest.FixtureRequest) -> Case:
    """One case per recipe, made once."""
    if request.param not in _cases:
        _cases[request.param] = Case(RECIPES[request.param])
    return _cases[request.param]


def new_plan(ensemble: Arrays) -> _native.Plan:
    """A plan that walks the trees, because it has seen no rows yet."""
    return _native.Plan(native_trees(ensemble))


def compiled_plan(ensemble: Arrays) -> _native.Plan:
    """A plan that has seen enough rows to encode trees."""
    plan = new_plan(ensemble)
    n_rows = 4 * len(ensemble["feature"]) + 1000
    plan.apply([np.zeros(n_rows, dtype=np.int32 if n else np.float64) for n in ensemble["n_levels"]], 1)
    return plan


def check(plan: _native.Plan, case: Case, n: int, n_threads: int = 1) -> None:
    X = case.first(n)
    np.testing.assert_array_equal(plan.apply(X, n_threads), case.leaf_ids[:n])
    np.testing.assert_array_equal(plan.predict_raw(X, n_threads), case.raw[:n])


@settings(max_examples=150)
@given(ensembles_with_columns())
def test_native_equals_the_reference(drawn: tuple[Arrays, list[NDArray[Any]]]) -> None:
    ensemble, columns = drawn
    raw, leaf_ids = reference.predict_raw(ensemble, columns), reference.apply(ensemble, columns)
    for plan in (new_plan(ensemble), compiled_plan(ensemble)):
        np.testing.assert_array_equal(plan.predict_raw(columns), raw)
        np.testing.assert_array_equal(plan.apply(columns), leaf_ids)


def test_walking_equals_the_reference(case: Case) -> None:
    for n in (1, 2, 65):
        check(new_plan(case.ensemble), case, n)


def test_every_level_and_batch_size_equals_the_reference(case: Case, level: str) -> None:
    plan = compiled_plan(case.ensemble)
    for n in BATCHES:
        check(plan, case, n)


@pytest.mark.parametrize("n_threads", [1, 2, 3, 7])
def test_any_number_of_threads_gives_the_same_bits(case: Case, n_threads: int) -> None:
    for n in (1100, 70):
        check(compiled_plan(case.ensemble), case, n, n_threads)
    check(new_plan(case.ensemble), case, 300, n_threads)


@pytest.mark.parametrize("n_leaves", [31, 400])
def test_large_batches_are_cut_into_blocks(n_leaves: int) -> None:
    case = Case(Recipe(n_trees=2, n_leaves=n_leaves, shapes=("grown",)), 2500)
    repeats = 16  # 40 000 rows: several blocks of the largest size
    X = [np.tile(column, repeats) for column in case.columns]
    plan = compiled_plan(case.ensemble)
    np.testing.assert_array_equal(plan.predict_raw(X, 3), np.tile(case.raw, (repeats, 1)))
    np.testing.assert_array_equal(plan.apply(X, 3), np.tile(case.leaf_ids, (repeats, 1)))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("n", [3, 700])
def test_matrices_are_read_at_any_stride(dtype: type, n: int) -> None:
    rng = np.random.default_rng(1)
    ensemble = random_ensemble(rng, Recipe(n_trees=10, n_features=5))
    with np.errstate(over="ignore", under="ignore"):
        X = np.column_stack(random_columns(rng, ensemble, n)).astype(dtype)
    raw = reference.predict_raw(ensemble, list(X.T))
    doubled = np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)
    frozen = X.copy()
    frozen.flags.writeable = False
    views = [
        X,
        np.asfortranarray(X),
        X[::-1].copy()[::-1],
        doubled[::2, ::3],
        X[:, ::-1].copy()[:, ::-1],
        frozen,
    ]
    for plan in (new_plan(ensemble), compiled_plan(ensemble)):
        for view in views:
            np.testing.assert_array_equal(plan.predict_raw(view), raw)
            np.testing.assert_array_equal(plan.predict_raw(list(view.T)), raw)


def test_columns_of_different_types_stand_side_by_side() -> None:
    rng = np.random.default_rng(2)
    ensemble = random_ensemble(rng, Recipe(n_trees=10, n_features=4, n_category_features=1))
    columns = random_columns(rng, ensemble, 300)
    with np.errstate(over="ignore", under="ignore"):
        columns[1] = columns[1].astype(np.float32)
    columns[3] = np.repeat(columns[3], 2)[::2]
    raw = reference.predict_raw(ensemble, columns)
    for plan in (new_plan(ensemble), compiled_plan(ensemble)):
        np.testing.assert_array_equal(plan.predict_raw(columns), raw)


@pytest.mark.parametrize("n_leaves", [70_000, 300])
def test_more_thresholds_than_a_code_can_count(n_leaves: int) -> None:
    # a tree with too many thresholds for the codes is walked; trees that exceed them together are encoded in groups
    rng = np.random.default_rng(3)
    n_trees = 1 if n_leaves > 65_536 else 240
    recipe = Recipe(n_trees=n_trees, n_features=1, n_leaves=n_leaves, n_thresholds=10**6, shapes=("grown",), odd=False)
    ensemble = random_ensemble(rng, recipe)
    assert len(np.unique(ensemble["threshold"])) > 65_536
    columns = random_columns(rng, ensemble, 50)
    plan = compiled_plan(ensemble)
    np.testing.assert_array_equal(plan.predict_raw(columns), reference.predict_raw(ensemble, columns))
    np.testing.assert_array_equal(plan.apply(columns), reference.apply(ensemble, columns))


def test_one_tree_may_ask_more_category_questions_than_a_group_has_columns() -> None:
    rng = np.random.default_rng(4)
    recipe = Recipe(n_trees=40, n_features=2, n_category_features=2, max_levels=40, n_leaves=200, shapes=("grown",))
    ensemble = random_ensemble(rng, recipe)
    columns = random_columns(rng, ensemble, 100)
    np.testing.assert_array_equal(
        compiled_plan(ensemble).predict_raw(columns), reference.predict_raw(ensemble, columns)
    )


@pytest.mark.parametrize("n", [0, 1, 100, 5000])
def test_empty_inputs_work(n: int) -> None:
    rng = np.random.default_rng(5)
    no_trees = random_ensemble(rng, Recipe(n_trees=0, n_outputs=2))
    only_leaves = random_ensemble(rng, Recipe(n_trees=3, shapes=("leaf",)))
    no_features = random_ensemble(rng, Recipe(n_trees=3, n_features=0))
    some = random_ensemble(rng, Recipe())
    for ensemble, p in ((no_trees, 4), (only_leaves, 4), (no_features, 0), (some, 4)):
        raw = new_plan(ensemble).predict_raw(np.zeros((n, p)))
        assert raw.shape == (n, len(ensemble["baseline"]))
        columns = [np.zeros(n)] * max(p, 1)
        np.testing.assert_array_equal(raw, reference.predict_raw(ensemble, columns))
        assert new_plan(ensemble).apply(np.zeros((n, p))).shape == (n, len(ensemble["tree_output"]))


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.zeros((3, 2)), "X has 2 columns, the model has 4 features"),
        (np.zeros(3), "X must have 2 dimensions, found 1"),
        (np.zeros((3, 4), dtype=np.int64), "must be float64, float32 or int32"),
        (np.zeros((3, 4), dtype=object), "must be float64, float32 or int32"),
        (np.zeros((3, 4)), "feature 3 is a category"),
        ([np.zeros(3)] * 3, "X has 3 columns, the model has 4 features"),
        (
            [np.zeros(3), np.zeros(2), np.zeros(3), np.zeros(3, dtype=np.int32)],
            "column 1 has 2 rows, column 0 has 3",
        ),
        ([np.zeros(3, dtype=np.int32)] * 4, "feature 0 is a number"),
        ([np.zeros((3, 1))] * 4, "column 0 must have 1 dimension, found 2"),
        ([[1.0]] * 4, "column 0 must be a NumPy array"),
        ("rows", "X must be a NumPy array"),
    ],
)
def test_tables_that_do_not_fit_are_refused(X: Any, message: str) -> None:
    recipe = Recipe(n_trees=30, n_features=4, n_category_features=1)
    plan = new_plan(random_ensemble(np.random.default_rng(6), recipe))
    for verb in (plan.predict_raw, plan.apply):
        with pytest.raises(ValueError, match=message):
            verb(X)


def test_a_feature_cannot_be_number_and_category() -> None:
    ensemble = random_ensemble(np.random.default_rng(6), Recipe(n_trees=30))
    ensemble["n_levels"] = np.full(4, 3, dtype=np.int32)
    with pytest.raises(ValueError, match="both as a number and as a category"):
        new_plan(ensemble)


def test_unknown_levels_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown CPU level 'v5'"):
        _native.use_cpu_level("v5")
    assert _native.cpu_level() in LEVELS


@pytest.mark.serial
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_child_predicts_although_its_parent_had_threads() -> None:
    if "257 leaves" not in _cases:
        _cases["257 leaves"] = Case(RECIPES["257 leaves"])
    case = _cases["257 leaves"]
    plan = compiled_plan(case.ensemble)
    check(plan, case, 1100, 2)
    assert holds_in_child(lambda: np.array_equal(plan.predict_raw(case.columns, 2), case.raw))
