"""The terms of a subject are made once, and refused where they would take minutes."""

import numpy as np
import pytest

import glasswood as gw
from glasswood.explain.effects import ledger_of
from glasswood.web.panels import _interactions, _terms
from glasswood.web.panels._interactions import build_interactions
from glasswood.web.panels._overview import build_overview
from glasswood.web.panels._subject import Subject
from glasswood.web.panels._terms import term_rows, terms_of
from tests.web.cases import binary


def test_terms_are_made_once_and_are_those_of_the_ledger() -> None:
    model, X, y = binary()
    subject = Subject("", model, X, y)
    terms = terms_of(subject)
    assert terms_of(subject) is terms
    assert ledger_of(terms).to_dict() == gw.ledger(model, X).to_dict()


def test_a_model_that_would_take_minutes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    model, X, y = binary()
    monkeypatch.setattr(_terms, "_MAX_PAIR_LEAVES", 5)
    with pytest.raises(gw.OptionError, match=r"takes minutes\. gw\.ledger\(model, X, progress=True\)"):
        terms_of(Subject("", model, X, y))


def test_large_tables_are_thinned_and_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    model, X, y = binary()
    monkeypatch.setattr(_terms, "_MAX_WORK", 1)
    monkeypatch.setattr(_terms, "_MIN_ROWS", 150)
    monkeypatch.setattr(_interactions, "_MAX_TABLE_CELLS", 10)
    weight = np.arange(400) % 3 + 1.0
    subject = Subject("", model, X, y, weight)
    rows = term_rows(subject)
    assert rows is not None and len(rows) == 150
    known = gw.ledger(model, X.iloc[rows], sample_weight=weight[rows])
    shown = build_overview(subject)["ledger"]
    assert shown["n_rows"] == "150 rows of the table, evenly spaced"
    assert shown["parts"][0]["shares"][0]["share"] == pytest.approx(known.effects[0], abs=1e-5)
    assert "computed over 150 rows of the table, evenly spaced" in build_interactions(subject)["note"]
    assert term_rows(Subject("", gw.read(model), X.iloc[:100])) is None
