"""TeamTrees: members that share the rows grow the trees of one process, to the bit."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood import _native
from glasswood.ensemble import AlignedRows, FeatureSchema
from glasswood.errors import OptionError
from glasswood.team import Exchange
from glasswood.train.boosting import GAINS, Boosted, BoostingOptions, BoostingTable, LevelLimits, boost
from tests.team.members import cut_rows, run_team
from tests.train.examples import boosting_problems, columns_of

LIMITS = {"bytes": LevelLimits(), "two bytes": LevelLimits(narrow=1)}  # for every category


def check_same(one: Boosted, other: Boosted) -> None:
    """Bits of the models and of their histories."""
    for name, array in one.ensemble._arrays().items():
        assert array.tobytes() == getattr(other.ensemble, name).tobytes(), name
    assert one.history.values.tobytes() == other.history.values.tobytes()
    assert one.history.best_round == other.history.best_round


def table_of(name: str, given: dict[str, Any], rows: Any, row_id: Any = None) -> BoostingTable:
    weight, offset = given.get("weight", np.empty(0)), given.get("offset")
    return BoostingTable(
        name=name,
        rows=AlignedRows(len(given["y"]), given["data"]).take(rows),
        y=given["y"][rows],
        weight=weight[rows] if len(weight) else weight,
        offset=None if offset is None else np.ascontiguousarray(offset[:, rows]),
        row_id=np.empty(0, dtype=np.int64) if row_id is None else row_id,
    )


def fit_cut(
    given: dict[str, Any], parts: Any, eval_parts: Any, features: FeatureSchema, **options: Any
) -> list[Boosted]:
    outputs, n_threads = options.pop("outputs", ("y",)), options.pop("n_threads", 1)
    limits = options.pop("limits", LevelLimits())

    def work(team: Exchange) -> Boosted:
        rows = parts[team.rank]
        watched = table_of("watched", given, eval_parts[team.rank])
        return boost(
            table_of("train", given, rows, rows.astype(np.int64)),
            features,
            BoostingOptions(**options),
            outputs=outputs,
            evaluate=[watched],
            seed=4,
            limits=limits,
            team=team,
            n_threads=n_threads,
        )

    return run_team(len(parts), work)


@st.composite
def cut_problems(draw: Any) -> dict[str, Any]:
    """A problem of boosting, and who holds which rows."""
    problem: dict[str, Any] = draw(boosting_problems())
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size = draw(st.sampled_from([1, 2, 3, 5]))
    numbers = [label is None for label in problem["labels"]]
    of_classes = problem["loss"] == "logistic"
    return problem | {
        "parts": cut_rows(len(problem["y"]), size, rng),
        "eval_parts": cut_rows(len(problem["y"]), size, rng),
        "offset": draw(st.sampled_from([None, rng.normal(size=(1, len(problem["y"]))).round(1)])),
        "max_depth": draw(st.integers(1, 5)),
        "min_gain": draw(st.sampled_from([0.0, 0.0, 0.1])),
        "subsample": draw(st.sampled_from([1.0, 0.6])),
        "colsample": draw(st.sampled_from([1.0, 0.5])),
        "monotonic_cst": [int(rng.integers(-1, 2)) if number else 0 for number in numbers],
        "interaction_cst": draw(st.sampled_from([None, [[f] for f in range(len(numbers))], [[0]]])),
        "early_stopping": draw(st.booleans()),
        "n_iter_no_change": 2,
        "n_estimators": 3,
        "metrics": draw(st.sampled_from([None, ["accuracy", "auc"] if of_classes else ["rmse", "mae"]])),
        "statistics": draw(st.sampled_from(["exact", "exact", "quantised"])),
        "limits": draw(st.sampled_from([*LIMITS.values()])),
    }


@pytest.mark.filterwarnings("ignore::glasswood.errors.GlasswoodWarning")
@settings(max_examples=150)
@given(cut_problems())
def test_any_cut_of_the_rows_gives_the_model_of_one_process(problem: dict[str, Any]) -> None:
    options = dict(problem)
    X, labels = options.pop("X"), options.pop("labels")
    parts, eval_parts = options.pop("parts"), options.pop("eval_parts")
    data, features = columns_of(X, labels)
    given_ = {"data": data, **{name: options.pop(name) for name in ("y", "weight", "offset")}}
    every, watched = np.arange(len(X)), np.sort(np.concatenate(eval_parts))
    (alone,) = fit_cut(given_, [every], [watched], features, **options)
    for found in fit_cut(given_, parts, eval_parts, features, **options):
        check_same(alone, found)


@pytest.mark.parametrize("statistics", ["exact", "quantised"])
@pytest.mark.parametrize("size", [2, 5])
def test_many_classes_weights_and_offsets_are_shared(size: int, statistics: str) -> None:
    rng = np.random.default_rng(size)
    n = 400
    X = rng.normal(size=(n, 9)).round(1)
    X[rng.random(X.shape) < 0.1] = np.nan
    given_ = {
        "data": X,
        "y": rng.integers(0, 3, n).astype(float),
        "weight": rng.gamma(1.0, size=n) * (rng.random(n) < 0.9),
        "offset": rng.normal(size=(3, n)),
    }
    options: dict[str, Any] = {
        "loss": "softmax",
        "outputs": ("a", "b", "c"),
        "n_estimators": 3,
        "subsample": 0.7,
        "colsample": 0.6,
        "min_samples_leaf": 5,
        "statistics": statistics,
        "metrics": ["accuracy"],
    }
    features = FeatureSchema.numeric(FeatureSchema.positions(9))
    every = np.arange(n)
    (alone,) = fit_cut(given_, [every], [every], features, **options)
    for found in fit_cut(given_, cut_rows(n, size, rng), cut_rows(n, size, rng), features, **options):
        check_same(alone, found)


@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_trees_of_five_classes_share_their_questions(size: int, limits: str) -> None:
    rng = np.random.default_rng(size)
    n = 300
    columns = [*rng.normal(size=(4, n)).round(1), rng.integers(0, 6, n).astype(float)]
    columns[0][rng.random(n) < 0.1] = np.nan
    data, features = columns_of(np.column_stack(columns), [*[None] * 4, tuple("abcdef")])
    given_ = {
        "data": data,
        "y": rng.integers(0, 5, n).astype(float),
        "weight": rng.gamma(1.0, size=n) * (rng.random(n) < 0.9),
        "offset": rng.normal(size=(5, n)),
    }
    options: dict[str, Any] = {
        "loss": "softmax",
        "outputs": tuple("vwxyz"),
        "n_estimators": 3,
        "subsample": 0.7,
        "colsample": 0.6,
        "min_samples_leaf": 5,
        "interaction_cst": [[0, 1, 4], [2, 3]],
        "early_stopping": True,
        "limits": LIMITS[limits],
    }
    every = np.arange(n)
    (alone,) = fit_cut(given_, [every], [every], features, **options)
    first, second = (alone.ensemble.feature[slice(*alone.ensemble.tree_start[k : k + 2])] for k in (0, 1))
    assert np.array_equal(first, second) and len(first) > 3
    for found in fit_cut(given_, cut_rows(n, size, rng), cut_rows(n, size, rng), features, **options):
        check_same(alone, found)


def wide_problem(rng: np.random.Generator, n: int) -> tuple[dict[str, Any], FeatureSchema]:
    """Two categories of more than 254 levels, one of few and a number, with missing values."""
    n_levels = [700, 40, 400]
    codes = [np.where(rng.random(n) < 0.3, rng.zipf(1.3, n) % k, rng.integers(0, k, n)) for k in n_levels]
    columns = [rng.normal(size=n).round(1), *codes]
    X = np.column_stack(columns).astype(float)
    X[rng.random(X.shape) < 0.05] = np.nan
    labels = [None, *(tuple(f"l{code:03d}" for code in range(k)) for k in n_levels)]
    data, features = columns_of(X, labels)
    effect = rng.normal(size=701)[np.nan_to_num(X[:, 1], nan=700).astype(int)]
    given_ = {
        "data": data,
        "y": effect + rng.normal(size=n),
        "weight": rng.gamma(1.0, size=n) * (rng.random(n) < 0.9) if rng.random() < 0.6 else np.empty(0),
    }
    assert min(len(np.unique(data[f])) for f in (1, 3)) > 256
    return given_, features


@pytest.mark.parametrize("seed", range(24))
def test_the_best_leaf_of_all_members_is_split_first(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, size = 400, [1, 2, 3, 5][seed % 4]
    X = np.column_stack([rng.normal(size=(n, 4)).round(1), rng.integers(0, 30, n)])
    X[rng.random(X.shape) < 0.1] = np.nan
    X[:, 1] = X[:, 0]  # gains that are equal
    labels = [None] * 4 + [tuple(f"l{k:02d}" for k in range(30)) if seed % 3 else None]
    data, features = columns_of(X, labels)
    given_: dict[str, Any] = {"data": data, "y": np.nan_to_num(X[:, 0]).round() + rng.normal(size=n).round(1)}
    if seed % 2:
        given_["weight"] = rng.gamma(1.0, size=n) * (rng.random(n) < 0.9)
    options: dict[str, Any] = {
        "loss": ["squared_error", "absolute_error", "poisson", "softmax", "logistic"][seed % 5],
        "gain": GAINS[seed % len(GAINS)],
        "statistics": str(rng.choice(["exact", "quantised"])),
        "max_leaf_nodes": int(rng.choice([2, 3, 8, 31, 400])),
        "max_depth": [None, 3, 8][int(rng.integers(3))],
        "min_gain": float(rng.choice([0.0, 0.3])),
        "min_samples_leaf": int(rng.choice([1, 4])),
        "min_weight_leaf": float(rng.choice([0.0, 1.0])),
        "subsample": float(rng.choice([0.6, 1.0])),
        "colsample": float(rng.choice([0.6, 1.0])),
        "monotonic_cst": [1, 0, 0, 0, 0] if rng.random() < 0.3 else None,
        "early_stopping": bool(rng.integers(2)),
        "n_estimators": 4,
        "limits": LIMITS["two bytes" if seed % 2 else "bytes"],
    }
    if options["loss"] in ("logistic", "softmax", "poisson"):
        n_classes = 2 if options["loss"] == "logistic" else 5
        given_["y"] = (np.argsort(np.argsort(given_["y"])) * n_classes // n).astype(float)
        options["outputs"] = tuple("abcde") if options["loss"] == "softmax" else ("y",)
    every = np.arange(n)
    (alone,) = fit_cut(given_, [every], [every], features, **options)
    for found in fit_cut(given_, cut_rows(n, size, rng), cut_rows(n, size, rng), features, **options):
        check_same(alone, found)
    assert alone.ensemble.n_nodes > alone.ensemble.n_trees


def test_of_leaves_that_gain_alike_the_older_is_split_at_two_messages() -> None:
    X = np.array([[a, b] for a in (0.0, 1.0) for b in (0.0, 1.0)] * 25)
    given_ = {"data": X, "y": 10 * X[:, 0] + X[:, 1]}
    features = FeatureSchema.numeric(["a", "b"])
    parts = [np.arange(0, 100, 3), np.arange(0), np.flatnonzero(np.arange(100) % 3)]
    n_swaps = []
    for n_leaves in (2, 3, 4):

        def work(team: Any, n_leaves: int = n_leaves) -> Any:
            rows = parts[team.rank]
            options = BoostingOptions(n_estimators=1, colsample=1.0, l2=0.0, max_leaf_nodes=n_leaves)
            table = table_of("train", given_, rows, rows)
            return boost(table, features, options, outputs=("y",), team=team).ensemble, team.n_swaps

        tree, swaps = run_team(3, work)[1]
        n_swaps.append(swaps)
        assert tree.feature.tolist() == [0, *{2: [-1, -1], 3: [1, -1, -1, -1], 4: [1, 1, *[-1] * 4]}[n_leaves]]
    assert np.diff(n_swaps).tolist() == [2, 2]  # for both children of a split, unless it was the last


@pytest.mark.filterwarnings("ignore::glasswood.errors.GlasswoodWarning")
@pytest.mark.parametrize("seed", range(24))
def test_categories_of_many_levels_are_shared(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, size = int(rng.choice([1000, 3000])), [1, 2, 3, 5][seed % 4]
    given_, features = wide_problem(rng, n)
    parts = cut_rows(n, size, rng)
    if seed % 3 == 0:  # most levels are those of one member
        owner = np.clip(np.nan_to_num(given_["data"][1].astype(float)), 0, None).astype(int) % size
        parts = [np.flatnonzero(owner == rank) for rank in range(size)]
    options: dict[str, Any] = {
        "loss": ["squared_error", "absolute_error", "quantile", "logistic", "softmax"][seed % 5],
        "gain": GAINS[seed % len(GAINS)],
        "statistics": rng.choice(["exact", "quantised"]),
        "max_depth": int(rng.integers(1, 6)),
        "max_leaf_nodes": 9 if seed % 6 == 5 else None,
        "symmetric": seed % 6 != 5 and bool(rng.random() < 0.4),
        "min_samples_leaf": int(rng.choice([1, 4])),
        "subsample": float(rng.choice([0.6, 1.0])),
        "colsample": float(rng.choice([0.6, 1.0])),
        "interaction_cst": [[0, 1], [1, 2, 3]] if rng.random() < 0.3 else None,
        "early_stopping": bool(rng.integers(2)),
        "n_estimators": 4,
    }
    if options["loss"] in ("logistic", "softmax"):
        n_classes = 2 if options["loss"] == "logistic" else 5
        given_["y"] = (np.argsort(np.argsort(given_["y"])) * n_classes // n).astype(float)
        options["outputs"] = ("y",) if n_classes == 2 else tuple("abcde")
    every = np.arange(n)
    (alone,) = fit_cut(given_, [every], [every], features, **options)
    for found in fit_cut(given_, parts, cut_rows(n, size, rng), features, **options):
        check_same(alone, found)
    assert {1, 3} & set(alone.ensemble.feature.tolist())


@pytest.mark.parametrize("n_threads", [1, 3])
@pytest.mark.parametrize("max_leaf_nodes", [None, 12])
def test_threads_of_a_member_share_its_large_nodes(max_leaf_nodes: int | None, n_threads: int) -> None:
    rng = np.random.default_rng(0)
    n = 150_000 if max_leaf_nodes is None else 50_000
    given_, features = wide_problem(rng, n)
    options: dict[str, Any] = {"n_estimators": 1, "max_depth": 3, "max_leaf_nodes": max_leaf_nodes, "colsample": 1.0}
    every = np.arange(n)
    (alone,) = fit_cut(given_, [every], [every[:9]], features, **options)
    parts = [every[: n // 9], every[n // 9 :]]
    for found in fit_cut(given_, parts, [every[:9], every[:0]], features, n_threads=n_threads, **options):
        check_same(alone, found)


@pytest.mark.parametrize("max_leaf_nodes", [None, 9])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("loss", ["squared_error", "absolute_error", "quantile"])
def test_numbers_alone_are_shared_as_pairs(
    loss: str, weighted: bool, max_leaf_nodes: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[bool] = []

    def statistics(exact: bool, *, pairs: bool = False) -> Any:
        made.append(pairs)
        return RowStatistics(exact, pairs=pairs)

    RowStatistics = _native.RowStatistics
    monkeypatch.setattr(_native, "RowStatistics", statistics)
    rng = np.random.default_rng(0)
    n = 300
    X = rng.normal(size=(n, 5)).round(1)
    X[rng.random(X.shape) < 0.1] = np.nan
    given_: dict[str, Any] = {"data": X, "y": np.nan_to_num(X[:, 0]) + rng.normal(size=n)}
    if weighted:
        given_["weight"] = rng.gamma(1.0, size=n) * (rng.random(n) < 0.9)
    options: dict[str, Any] = {
        "loss": loss, "n_estimators": 4, "subsample": 0.7, "min_samples_leaf": 5, "monotonic_cst": [1, 0, 0, 0, 0],
        "interaction_cst": [[0, 1, 2], [2, 3, 4]], "early_stopping": True, "symmetric": False,
        "max_leaf_nodes": max_leaf_nodes,
    }  # fmt: skip
    features = FeatureSchema.numeric(FeatureSchema.positions(5))
    every = np.arange(n)
    (alone,) = fit_cut(given_, [every], [every], features, **options)
    assert alone.ensemble.n_nodes > 20 and made == [False]
    for found in fit_cut(given_, cut_rows(n, 3, rng), cut_rows(n, 3, rng), features, **options):
        check_same(alone, found)
    assert made[1:] == [True] * 3


class Cubic:
    """A loss of the user."""

    def gradient_hessian(self, y: Any, raw: Any) -> Any:
        return raw - y + (raw - y) ** 3, 1 + 3 * (raw - y) ** 2

    def loss(self, y: Any, raw: Any) -> Any:
        return (raw - y) ** 2 / 2 + (raw - y) ** 4 / 4


class WithBaseline(Cubic):
    def baseline(self, y: Any, weight: Any) -> float:
        return 0.0


def test_a_loss_of_the_user_sees_the_rows_of_its_member() -> None:
    rng = np.random.default_rng(0)
    given_ = {"data": rng.normal(size=(200, 3)), "y": rng.normal(size=200)}
    features, every = FeatureSchema.numeric(["a", "b", "c"]), np.arange(200)
    (alone,) = fit_cut(given_, [every], [every], features, loss=Cubic(), n_estimators=4, early_stopping=True)
    parts = cut_rows(200, 3, rng)
    for found in fit_cut(given_, parts, parts, features, loss=Cubic(), n_estimators=4, early_stopping=True):
        check_same(alone, found)
    with pytest.raises(OptionError, match="baseline of WithBaseline would see the rows of one member"):
        fit_cut(given_, parts, parts, features, loss=WithBaseline(), n_estimators=4)
