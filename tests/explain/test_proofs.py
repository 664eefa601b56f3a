"""The parts of a proof: cells, domains, pieces and the search, by small examples."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import glasswood as gw
from glasswood.ensemble import text_hash
from glasswood.explain.proofs import _bounds, _search
from glasswood.explain.proofs._cells import FeatureCells, cells_of
from glasswood.explain.proofs._compiled import largest_sum
from glasswood.explain.proofs._domain import make_domain
from glasswood.explain.proofs._pieces import leaf_pieces
from glasswood.explain.proofs._search import Limits, largest, ordered_sum
from glasswood.explain.proofs._steps import StepPieces, most_of_trees, step_pieces, whole_values

X = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "k": pd.Categorical(list("xyxy"))})


def tree() -> gw.Ensemble:
    return gw.TreeRegressor(min_samples_leaf=1, min_samples_split=2).fit(X, [1.0, 2.0, 5.0, 9.0]).ensemble_


def number(*thresholds: float, zero_is_missing: bool = False) -> FeatureCells:
    return FeatureCells("a", np.array(thresholds), None, None, zero_is_missing, True)


def test_a_number_has_intervals_and_missing() -> None:
    cells = number(1.5, 2.5)
    assert len(cells) == 4 and cells.missing == 3
    assert [cells.value_in(i) for i in range(4)] == [1.5, 2.5, 3.5, None]
    assert cells.value_in(1, 1.7, 2.0) == 2.0
    with pytest.raises(LookupError):
        cells.value_in(0, 1.7, 2.0)


def test_cells_without_a_number_have_no_value() -> None:
    assert number(-np.inf).value_in(0) == -np.inf
    with pytest.raises(LookupError):
        number(np.inf).value_in(1)
    tiny = number(-1e-36, 1e-36, zero_is_missing=True)
    with pytest.raises(LookupError):  # every number between the thresholds counts as 0, and 0 as missing
        tiny.value_in(1)
    assert abs(tiny.value_in(2)) > 1e-35


def test_an_unseen_level_is_not_a_known_one() -> None:
    assert FeatureCells("k", np.zeros(0), ("a", "unseen 0"), None, False, True).value_in(2) == "unseen 1"
    assert FeatureCells("k", np.zeros(0), (3, 7), None, False, True).value_in(2) == 8


def test_a_value_is_in_the_cell_it_is_taken_from() -> None:
    for cells in (
        number(1.5, 2.5),
        number(-1.0, 1.0, zero_is_missing=True),
        FeatureCells("k", np.zeros(0), ("a", "b"), None, False, True),
        FeatureCells("k", np.zeros(0), ("a", "b"), (text_hash("a"), text_hash("b")), False, True),
    ):
        assert [cells.cell_of(cells.value_in(i)) for i in range(len(cells))] == list(range(len(cells)))


def test_cells_have_the_thresholds_of_their_feature() -> None:
    rng = np.random.default_rng(0)
    model = gw.BoostingRegressor(n_estimators=9).fit(rng.normal(size=(200, 5)), rng.normal(size=200)).ensemble_
    for j, cells in enumerate(cells_of(model)):
        assert cells.thresholds.tolist() == np.unique(model.threshold[model.feature == j]).tolist()


def test_a_domain_holds_cells_and_values() -> None:
    model = tree()
    cells = cells_of(model)
    space = make_domain(model, cells, {"a": [1.0, 4.0], "k": ["x", None]})
    assert sorted(space.values[0].values()) == [1.0, 4.0]
    assert set(space.values[1].values()) == {"x", None}
    around = make_domain(model, cells, X[1:2])
    assert [set(values.values()) for values in around.values] == [{2.0}, {"y"}]


def test_leaves_divide_the_space() -> None:
    model = tree()
    cells = cells_of(model)
    pieces, leaves = leaf_pieces(model, cells)
    alive = np.ones(len(pieces), dtype=bool)
    for a in range(len(cells[0])):
        for k in range(len(cells[1])):
            assert len(pieces.at(alive, (a, k))) == 1
    assert len(leaves) == model.n_leaves


def test_the_search_finds_the_largest_leaf() -> None:
    model = tree()
    cells = cells_of(model)
    pieces, leaves = leaf_pieces(model, cells)
    space = make_domain(model, cells, None)
    found = largest(pieces.with_value(model.value[leaves, 0]), 0.0, space.bits, Limits.of(100, None))
    assert found.proven and found.value == 9.0
    stopped = largest(pieces.with_value(model.value[leaves, 0]), 0.0, space.bits, Limits.of(100, None), enough=20.0)
    assert stopped.bound <= 20.0 and stopped.point == ()


def test_searches_share_the_time_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(monotonic=lambda: 100.0)
    monkeypatch.setattr(_search, "time", clock)
    assert Limits(7, 110.0).share(5) == Limits(7, 102.0) and Limits(7, 90.0).share(5) == Limits(7, 100.0)
    assert Limits.of(7, None).share(5) == Limits.of(7, None)
    given = []

    def noted(ensemble, start, value, allowed, limits):
        given.append(limits.deadline)
        clock.monotonic = lambda now=limits.deadline: now  # every search uses up its time
        return largest_sum(ensemble, start, value, allowed, limits)

    monkeypatch.setattr(_bounds, "largest_sum", noted)
    gw.bounds(tree(), time_limit=8.0)
    assert given == [104.0, 108.0]


def test_a_step_is_what_the_tree_loses() -> None:
    model = tree()
    cells = cells_of(model)
    pieces, leaves = leaf_pieces(model, cells)
    whole, unit = whole_values(model.value[leaves, 0])
    assert [value / unit for value in whole] == model.value[leaves, 0].tolist()
    steps = StepPieces(pieces, 0)
    trees = steps.changed(0, 1)
    step = step_pieces(steps, trees, whole)
    assert sorted(set((step.value / unit).tolist())) == [-1.0]
    assert most_of_trees(trees, [-value for value in whole]) == unit and steps.changed(1, 1) == []
    assert step_pieces(steps, trees, whole, lambda: True) is None


def test_sums_are_rounded_as_predictions_are() -> None:
    parts = np.array([1e16, 1.0, -1e16])
    assert ordered_sum(0.5, parts) == ((0.5 + 1e16) + 1.0) - 1e16
