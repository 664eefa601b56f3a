"""Symmetric trees of four and more classes: all trees of a round ask the same questions."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import glasswood as gw
from glasswood.ensemble import AlignedRows
from glasswood.train.boosting import Boosted, LevelLimits
from glasswood.train.boosting._binning import make_binning
from glasswood.train.boosting._losses import make_loss
from tests.reference.boosting import check_values
from tests.reference.symmetric import check_shared_trees
from tests.train.examples import asked_of, boosting_problems, columns_of, fit, mixed_table


@st.composite
def class_problems(draw: Any) -> dict[str, Any]:
    """A table with classes, weights and options.

    Offsets differ by row: without them levels that lack a class have the same mean, and rounding puts them in order.
    """
    problem: dict[str, Any] = draw(boosting_problems())
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, n_classes = len(problem["y"]), draw(st.sampled_from([4, 5, 7]))
    known = np.nan_to_num(problem["X"][:, 0])
    y = np.where(rng.random(n) < 0.5, rng.integers(0, n_classes, n), known.astype(int) % n_classes)
    return problem | {
        "y": y.astype(float),
        "offset": rng.normal(size=(n_classes, n)),
        "loss": "softmax",
        "outputs": tuple(f"c{k}" for k in range(n_classes)),
        "symmetric": True,
        "max_leaf_nodes": None,
        "statistics": "exact",
    }


@pytest.mark.filterwarnings("ignore::glasswood.errors.GlasswoodWarning")
@settings(max_examples=100)
@given(class_problems())
def test_every_level_asks_the_best_question_of_the_slow_reference(given_: dict[str, Any]) -> None:
    options = dict(given_)
    X, labels = options.pop("X"), options.pop("labels")
    y, weight, offset = options.pop("y"), options.pop("weight"), options.pop("offset")
    n_outputs = len(options["outputs"])
    n = len(X)
    data, features = columns_of(X, labels)
    model = fit(data, y, features=features, weight=weight, offset=offset, **options).ensemble
    binning = make_binning(AlignedRows(n, data), features, weight, max_bins=options["max_bins"], seed=0, n_threads=1)
    raw = model.baseline[:, None] + offset
    for first in range(0, model.n_trees, n_outputs):
        g, h = np.empty((n_outputs, n)), np.empty((n_outputs, n))
        make_loss("softmax", quantile=0.5, power=1.5).fill(y, raw, weight, g, h, 1)
        problems = [asked_of(X, binning, g[k], h[k], weight, options) for k in range(n_outputs)]
        all_rows = check_shared_trees(problems, model, range(first, first + n_outputs))
        raw = np.array(
            [
                check_values(problem, model, rows_of, options, y, own)
                for problem, rows_of, own in zip(problems, all_rows, raw, strict=True)
            ]
        )
    np.testing.assert_allclose(model._plan().predict_raw(data), (raw - offset).T, atol=1e-9)


@pytest.mark.filterwarnings("ignore::glasswood.errors.GlasswoodWarning")
@settings(max_examples=60)
@given(class_problems())
def test_levels_of_two_bytes_give_the_trees_of_one_byte(given_: dict[str, Any]) -> None:
    options = dict(given_)
    X, labels, y = options.pop("X"), options.pop("labels"), options.pop("y")
    data, features = columns_of(X, labels)
    narrow = fit(data, y, features=features, **options)
    assert fit(data, y, features=features, limits=LevelLimits(narrow=1), **options).ensemble == narrow.ensemble


def classes_of(y: NDArray[np.float64], n_classes: int = 5) -> NDArray[np.int64]:
    return np.searchsorted(np.quantile(y, np.linspace(0, 1, n_classes + 1)[1:-1]), y)


def boosted(X: Any, labels: Any, y: Any, **options: Any) -> Boosted:
    data, features = columns_of(X, labels)
    ways: dict[str, Any] = {"loss": "softmax", "symmetric": True, "n_estimators": 3, "max_depth": 5, **options}
    return fit(data, y, features=features, outputs=tuple(map(str, range(5))), **ways)


def asks(model: Any, tree: int) -> list[tuple[int, float]]:
    nodes = slice(model.tree_start[tree], model.tree_start[tree + 1])
    return list(zip(model.feature[nodes].tolist(), model.threshold[nodes].tolist(), strict=True))


def test_trees_of_a_round_differ_in_their_values_only() -> None:
    X, labels, y = mixed_table(1_500, 30)
    model = boosted(X, labels, classes_of(y), colsample=0.6).ensemble
    for first in range(0, model.n_trees, 5):
        assert all(str(asks(model, first + k)) == str(asks(model, first)) for k in range(1, 5))
    assert str(asks(model, 0)) != str(asks(model, 5))  # rounds draw features of their own
    assert len(np.unique(model.value)) > 100


@pytest.mark.parametrize(
    "options", [{"monotonic_cst": [0, 1, *[0] * 7]}, {"statistics": "quantised"}, {"symmetric": False}]
)
def test_trees_ask_for_themselves_where_they_must(options: dict[str, Any]) -> None:
    X, labels, y = mixed_table(600, 10)
    model = boosted(X, labels, classes_of(y), **options).ensemble
    assert len({str(asks(model, k)) for k in range(5)}) > 1


def test_three_classes_ask_for_themselves() -> None:
    X, _, y = mixed_table(600, 10)
    model = gw.BoostingClassifier(n_estimators=1).fit(X, classes_of(y, 3)).ensemble_
    assert len({str(asks(model, k)) for k in range(3)}) == 3


@pytest.mark.parametrize("n_levels", [30, 300])
def test_threads_change_no_bit(n_levels: int) -> None:
    X, labels, y = mixed_table(3_000, n_levels)
    alone = boosted(X, labels, classes_of(y)).ensemble
    assert boosted(X, labels, classes_of(y), n_threads=4).ensemble == alone


def test_a_sparse_table_gives_the_trees_of_the_dense_one() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(3)
    X = np.where(rng.random((400, 60)) < 0.05, rng.normal(size=(400, 60)).round(1), 0.0)
    y = classes_of(X.sum(axis=1) + 0.1 * rng.normal(size=400))
    dense = gw.BoostingClassifier(n_estimators=5).fit(X, y)
    assert gw.BoostingClassifier(n_estimators=5).fit(sparse.csr_array(X), y).ensemble_ == dense.ensemble_


def test_interactions_keep_apart_what_must_not_meet() -> None:
    X, labels, y = mixed_table(1_000, 10)
    model = boosted(X, labels, classes_of(y), interaction_cst=[[0, 1, 2], [3, 4, 5, 6, 7, 8]]).ensemble
    for t in range(model.n_trees):
        used = {feature for feature, _ in asks(model, t) if feature >= 0}
        assert used <= {0, 1, 2} or used <= set(range(3, 9))


def test_a_fit_that_goes_on_is_the_fit_at_once() -> None:
    X, _, y = mixed_table(500, 10)
    once = gw.BoostingClassifier(n_estimators=6).fit(X, classes_of(y))
    going = gw.BoostingClassifier(n_estimators=2, warm_start=True).fit(X, classes_of(y))
    assert going.set_params(n_estimators=6).fit(X, classes_of(y)).ensemble_ == once.ensemble_
