"""Maps on the page are the tables of the result; margins and interaction add up to the joint effect."""

from typing import Any

import numpy as np
import pytest

import glasswood as gw
from glasswood.web.page._document import to_json
from glasswood.web.panels import _interactions, _terms
from glasswood.web.panels._interactions import build_interactions, interactions_data
from glasswood.web.panels._subject import Subject
from tests.web.cases import HOSTILE, binary, several


def test_the_map_is_the_table_of_the_result() -> None:
    model, X, _ = binary()
    ix = gw.interactions(model, X, pairs=[("port", HOSTILE)])
    data = interactions_data(ix, gw.read(model))
    table, known = data["tables"][0], ix["port", HOSTILE]
    assert table["features"] == ["port", HOSTILE]
    held = np.ix_(known.weight.any(axis=1), known.weight.any(axis=0))  # nothing is drawn for cells without rows
    assert table["outputs"][0]["interaction"] == pytest.approx(known.interaction[held].ravel(), rel=6e-3, abs=1e-12)
    assert table["weight"] == known.weight[held].ravel().tolist()
    assert data["ranking"][0]["size"] == [pytest.approx(known.strength, rel=1e-5)]
    assert table["note"] == f"{len(held[0])} × {held[1].size} cells"  # as many as are drawn


@pytest.mark.parametrize("case", [binary, several])
def test_parts_add_up_to_the_joint_effect_in_every_cell(case: Any) -> None:
    model, X, _ = case()
    data = interactions_data(gw.interactions(model, X), gw.read(model))
    for table in data["tables"]:
        shape = len(table["across"]["words"]), len(table["up"]["words"])
        for output in table["outputs"]:
            joint, pure = (np.array(output[name], dtype=float).reshape(shape) for name in ("joint", "interaction"))
            first, second = (np.array(part, dtype=float) for part in output["margins"])
            size = np.abs(joint) + np.abs(pure)
            np.testing.assert_array_less(np.abs(first[:, None] + second + pure - joint), 0.006 * size + 1e-9)


def test_pairs_come_strongest_first() -> None:
    model, X, _ = several()
    ix = gw.interactions(model, X)
    data = interactions_data(ix, gw.read(model), "six pairs")
    strengths = [max(pair["size"]) for pair in data["ranking"]]
    assert strengths == sorted(strengths, reverse=True)
    assert [pair["features"] for pair in data["ranking"] if pair["drawn"]] == [t["features"] for t in data["tables"]]
    assert data["note"].startswith("six pairs")
    assert all(len(pair["h2_text"]) == 3 for pair in data["ranking"])


def test_every_pair_that_is_drawn_is_in_the_ranking() -> None:
    X = np.random.default_rng(0).integers(0, 2, size=(200, 12)).astype(float)
    model = gw.ForestRegressor(10, random_state=0).fit(X, X @ np.arange(12.0) + X[:, 0] * X[:, 1])
    data = interactions_data(gw.interactions(model, X), gw.read(model))
    assert len(data["tables"]) > 60
    assert sorted(data["order"][0]) == list(range(len(data["tables"])))
    assert [pair["features"] for pair in data["ranking"] if pair["drawn"]] == [t["features"] for t in data["tables"]]


def test_large_tables_are_merged_with_a_note() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 2))
    model = gw.ForestRegressor(20, random_state=0).fit(X, X[:, 0] * X[:, 1])
    data = interactions_data(gw.interactions(model, X), gw.read(model))
    assert "cells drawn as 32 × 32" in data["tables"][0]["note"] or "33 × 33" in data["tables"][0]["note"]
    assert len(to_json(data)) < 60_000


def test_a_model_without_interaction_can_be_drawn() -> None:
    X = np.arange(40.0).reshape(-1, 2)
    model = gw.BoostingRegressor(n_estimators=4, max_depth=1).fit(X, X.sum(axis=1))
    data = interactions_data(gw.interactions(model, X), gw.read(model))
    assert set(data["tables"][0]["outputs"][0]["interaction"]) == {0.0}
    assert data["tables"][0]["outputs"][0]["reach"] == {"value": 1.0, "text": "0"}


def test_pairs_are_ranked_as_in_python_and_on_the_command_line() -> None:
    model, X, _ = binary()
    for ix in (gw.interactions(model, X), gw.interactions(model)):
        data = interactions_data(ix, gw.read(model))
        assert data["measure"] == "strength: sd of the interaction"
        frame = ix.ranking().to_frame("polars")
        assert [pair["features"] for pair in data["ranking"]] == list(
            map(list, frame.select("feature_0", "feature_1").rows())
        )
        assert [pair["size"][0] for pair in data["ranking"]] == pytest.approx(frame["strength"].to_list(), rel=1e-5)


def test_too_many_cells_are_joined_at_quantiles_and_the_loss_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.random.default_rng(0).normal(size=(700, 4))
    y = X[:, 0] * X[:, 1] + X[:, 2]
    model = gw.ForestRegressor(20, random_state=0).fit(X, y)
    monkeypatch.setattr(_interactions, "_MAX_TABLE_CELLS", 10_000)
    data = build_interactions(Subject("", model, X, y))
    known = gw.interactions(model, X, resolution=32)
    assert len(data["ranking"]) == 6 and "at most 32 cells at quantiles" in data["note"]
    pair = data["tables"][0]
    table = known[tuple(pair["features"])]
    assert data["ranking"][0]["size"][0] == pytest.approx(table.strength, rel=1e-5)
    assert f"keep {table.kept:.1%} of the variance".replace("%", " %") in pair["note"].replace("\u202f", " ")
    shown = np.ix_(table.weight.any(axis=1), table.weight.any(axis=0))  # no lane for missing values, which no row has
    weight, effect = table.weight[shown], table.effect[shown]
    assert pair["weight"] == weight.ravel().tolist()
    shape = len(pair["across"]["words"]), len(pair["up"]["words"])
    (output,) = pair["outputs"]
    joint, pure = (np.array(output[name], dtype=float).reshape(shape) for name in ("joint", "interaction"))
    first, second = (np.array(part, dtype=float) for part in output["margins"])
    held = weight > 0
    np.testing.assert_allclose(joint[held], effect[held], rtol=6e-3, atol=1e-9)
    assert np.isnan(joint[~held]).all()
    size = np.abs(joint) + np.abs(pure)
    np.testing.assert_array_less(np.abs(first[:, None] + second + pure - joint)[held], (0.006 * size + 1e-9)[held])


def test_a_model_of_too_many_leaves_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    model, X, y = binary()
    monkeypatch.setattr(_interactions, "_MAX_LEAVES", 2)
    assert "quantiles" in build_interactions(Subject("", model, X, y))["note"]
    monkeypatch.setattr(_terms, "_MAX_PAIR_LEAVES", 5)
    with pytest.raises(gw.OptionError, match="takes minutes"):
        build_interactions(Subject("", model, X, y))


def test_a_model_that_uses_one_feature_has_no_interaction() -> None:
    X = np.arange(20.0)[:, None]
    with pytest.raises(gw.OptionError, match="no interaction"):
        build_interactions(Subject("", gw.TreeRegressor(max_depth=2).fit(X, X[:, 0]), X))


def test_the_note_says_how_many_of_many_pairs_are_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    model, X, y = binary()
    n = len(build_interactions(Subject("", model, X, y))["ranking"])
    monkeypatch.setattr(_interactions, "_MAX_PAIRS", n - 1)
    data = build_interactions(Subject("", model, X, y))
    assert len(data["tables"]) == n - 1 > 0
    assert data["note"] == f"the {n - 1} of {n} pairs that the most leaves use were computed"
