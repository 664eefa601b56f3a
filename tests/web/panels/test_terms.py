"""The terms of a subject are made once, and refused where they would take minutes."""

import pytest

import glasswood as gw
from glasswood.explain.effects import ledger_of
from glasswood.web.panels import _terms
from glasswood.web.panels._subject import Subject
from glasswood.web.panels._terms import terms_of
from tests.web.cases import binary


def test_terms_are_made_once_and_are_those_of_the_ledger() -> None:
    model, X, y = binary()
    subject = Subject("", model, X, y)
    terms = terms_of(subject)
    assert terms_of(subject) is terms
    assert ledger_of(terms).to_dict() == gw.ledger(model, X).to_dict()


def test_a_model_that_would_take_minutes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    model, X, y = binary()
    monkeypatch.setattr(_terms, "_MOST_PAIR_LEAVES", 5)
    with pytest.raises(gw.OptionError, match=r"takes minutes\. gw\.ledger\(model, X, progress=True\)"):
        terms_of(Subject("", model, X, y))
