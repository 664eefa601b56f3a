"""BoostingSession: the loop gives the same bits for any source of trees."""

from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood.ensemble import AlignedRows
from glasswood.train.boosting import Boosted, BoostingTable
from glasswood.train.boosting._boosted_table import start_table
from glasswood.train.boosting._losses import make_loss
from glasswood.train.boosting._options import BoostingOptions
from glasswood.train.boosting._rounds import Rounds
from glasswood.train.boosting._session import BoostingSession
from tests.train.examples import boosting_problems, columns_of, fit
from tests.train.simulated_machines import RankedTrees

ARRAYS = (
    "tree_start",
    "feature",
    "threshold",
    "left",
    "right",
    "missing_left",
    "unseen_left",
    "value",
    "weight",
    "gain",
    "category_set",
    "set_start",
    "set_bits",
    "baseline",
)


def check_same(one: Boosted, other: Boosted) -> None:
    """Bits of the models and of their histories."""
    for name in ARRAYS:
        assert getattr(one.ensemble, name).tobytes() == getattr(other.ensemble, name).tobytes(), name
    assert one.history.values.tobytes() == other.history.values.tobytes()
    assert one.history.best_round == other.history.best_round


@st.composite
def shared_problems(draw: Any) -> dict[str, Any]:
    """A problem of boosting and the rank of every row."""
    problem: dict[str, Any] = draw(boosting_problems())
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, n_features = problem["X"].shape
    if problem["loss"] in ("absolute_error", "quantile"):  # their leaves are refitted
        problem["loss"] = "squared_error"
    n_ranks = draw(st.sampled_from([1, 2, 3, 7]))
    rank_of = rng.integers(0, n_ranks, n)  # some ranks may have no rows
    if draw(st.booleans()):
        rank_of = np.sort(rank_of)
    is_number = [label is None for label in problem["labels"]]
    return problem | {
        "ranks": (rank_of, n_ranks),
        "max_depth": draw(st.integers(1, 6)),
        "min_gain": draw(st.sampled_from([0.0, 0.0, 0.1])),
        "subsample": draw(st.sampled_from([1.0, 0.6])),
        "colsample": draw(st.sampled_from([1.0, 0.5])),
        "monotonic_cst": [int(rng.integers(-1, 2)) if number else 0 for number in is_number],
        "interaction_cst": draw(st.sampled_from([None, [[f] for f in range(n_features)], [[0]]])),
        "early_stopping": draw(st.booleans()),
        "n_iter_no_change": 2,
        "n_estimators": 4,
    }


@pytest.mark.filterwarnings("ignore::glasswood.errors.GlasswoodWarning")
@settings(max_examples=150)
@given(shared_problems())
def test_ranks_that_share_the_rows_grow_the_model_of_one_machine(problem: dict[str, Any]) -> None:
    options = dict(problem)
    X, labels, ranks = options.pop("X"), options.pop("labels"), options.pop("ranks")
    y, weight = options.pop("y"), options.pop("weight")
    data, features = columns_of(X, labels)
    watched = BoostingTable(name="watched", rows=AlignedRows(len(y), data), y=y)
    ways: dict[str, Any] = {"features": features, "weight": weight, "evaluate": [watched], **options}
    alone = fit(data, y, **ways)
    check_same(alone, fit(data, y, make_trees=partial(RankedTrees, *ranks), **ways))


@pytest.mark.parametrize("statistics", ["exact", "quantised"])
@pytest.mark.parametrize("n_ranks", [1, 2, 3, 7])
def test_several_outputs_weights_and_row_numbers_are_shared(n_ranks: int, statistics: str) -> None:
    rng = np.random.default_rng(n_ranks)
    n = 400
    X = rng.normal(size=(n, 9)).round(1)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = rng.integers(0, 3, n).astype(float)
    weight = rng.gamma(1.0, size=n) * (rng.random(n) < 0.9)
    options: dict[str, Any] = {
        "loss": "softmax",
        "outputs": ("a", "b", "c"),
        "weight": weight,
        "n_estimators": 3,
        "subsample": 0.7,
        "colsample": 0.6,
        "min_samples_leaf": 5,
        "statistics": statistics,
        "n_threads": 2,
    }
    trees = partial(RankedTrees, rng.integers(0, n_ranks, n), n_ranks)
    check_same(fit(X, y, **options), fit(X, y, make_trees=trees, **options))


def test_of_features_that_tie_on_different_ranks_the_first_wins() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 20, 100).astype(float), rng.normal(size=100)
    X = np.column_stack([x] * 7)  # one feature for each rank
    shared = fit(X, y, n_estimators=2, make_trees=partial(RankedTrees, rng.integers(0, 7, 100), 7))
    assert set(shared.ensemble.feature) == {-1, 0}
    check_same(shared, fit(X, y, n_estimators=2))


class NoTrees:
    """A source that must not be used."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(name)


def test_no_tree_is_asked_for_when_all_rounds_are_done() -> None:
    table = BoostingTable(name="train", rows=AlignedRows(3, np.zeros((3, 1))), y=np.arange(3.0))
    bins = np.zeros((3, 8), dtype=np.uint8)[:, :1]
    boosted = start_table(table, bins, np.array([1.0]), None, 1)
    loss = make_loss("squared_error", quantile=0.5, power=1.5)
    options = BoostingOptions(n_estimators=5)
    session = BoostingSession(Rounds([boosted], NoTrees(), loss, options, 0, 1), loss, options, {})
    trees, history = session.run(5, progress=False)
    assert trees == [] and history.best_round == 0
    np.testing.assert_array_equal(boosted.raw_by_output, np.ones((1, 3)))
