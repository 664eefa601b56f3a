"""The overview says what was read and how it was checked, with the texts and numbers of the results."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

import glasswood as gw
from glasswood.web.panels import _terms
from glasswood.web.panels._overview import build_overview, overview_data
from glasswood.web.panels._subject import Subject
from tests.ensemble.examples import two_trees
from tests.web.cases import binary


def test_ledger_and_importance_are_those_of_the_results() -> None:
    model, X, _ = binary()
    ledger, importance = gw.ledger(model, X), gw.effects(model, X).importance()
    data = overview_data(gw.read(model), len(X), shares=ledger, importance=importance)
    shares = [part["share"] for part in data["ledger"]["parts"][0]["shares"]]
    assert shares == pytest.approx([ledger.effects[0], ledger.pairs[0], ledger.left_over[0]], 1e-5)
    assert sum(shares) == pytest.approx(1.0, abs=1e-5)
    assert data["importance"]["features"] == list(importance.features)
    assert data["importance"]["sd"][0] == pytest.approx(importance.sd, rel=1e-5)
    assert ["trees", "20"] in data["facts"]


def test_the_certificate_is_put_in_words() -> None:
    X = np.random.default_rng(0).normal(size=(50, 2))
    forest = RandomForestClassifier(5, random_state=0).fit(X, X[:, 0] > 0)
    data = overview_data(gw.read(forest, X), 50, shares="too large", importance="too many")
    assert data["parity"]["state"] == "checked"
    assert data["parity"]["title"] == "Checked against scikit-learn on 50 rows"
    assert "same leaf in every tree" in data["parity"]["words"]
    assert data["ledger"] == {"refused": "too large"}
    assert data["importance"] == {"refused": "too many"}


def test_an_unchecked_model_says_so() -> None:
    data = overview_data(two_trees(), 1, shares="", importance="")
    assert data["parity"]["state"] in ("unchecked", "own")
    model, _, _ = binary()
    assert overview_data(gw.read(model), 1, shares="", importance="")["parity"]["state"] == "own"
    X = np.random.default_rng(0).normal(size=(50, 2))
    forest = RandomForestClassifier(2, random_state=0).fit(X, X[:, 0] > 0)
    assert overview_data(gw.read(forest), 1, shares="", importance="")["parity"]["state"] == "unchecked"


def test_overlap_is_mentioned_if_plain_terms_reproduce_less() -> None:
    model, X, _ = binary()
    ledger = gw.ledger(model, X)
    for plain, said in (
        (ledger.effects_and_pairs, ""),
        (ledger.effects_and_pairs - 0.3, "only"),
        (ledger.effects - 9, "none of"),
    ):
        data = overview_data(gw.read(model), 1, shares=replace(ledger, as_they_stand=plain), importance="")
        words = data["ledger"]["parts"][0]["overlap"]
        assert (said in words) if said else words == ""


def test_shares_that_would_take_minutes_are_left_out_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    model, X, y = binary()
    monkeypatch.setattr(_terms, "_MAX_PAIR_LEAVES", 5)
    data = build_overview(Subject("", model, X, y))
    assert "gw.ledger(model, X, progress=True)" in data["ledger"]["refused"]
    assert "refused" not in data["importance"]
