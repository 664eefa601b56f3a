"""How often one call opens its table, reads the model and compiles it: known results are reused."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import glasswood as gw
import glasswood.web.panels  # imported so that every module that opens tables is counted
from glasswood.ensemble import _ensemble
from glasswood.explain.rules import RuleSet
from glasswood.readers.lightgbm import _reader
from glasswood.tables import _open
from tests.calls import count_calls
from tests.explain.rule_cases import titanic

X, Y = titanic()


@pytest.fixture
def model() -> Any:
    import lightgbm as lgb

    gw.forget()
    rows = X.assign(**{name: X[name].astype("category") for name in X.columns if X[name].dtype.kind not in "if"})
    return lgb.LGBMClassifier(n_estimators=20, verbose=-1, n_jobs=1).fit(rows, Y), rows


def test_reading_opens_the_table_a_few_times_and_compiles_two_plans(
    model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, compiled = count_calls(monkeypatch, _open.open_table), count_calls(monkeypatch, _ensemble._plan)
    gw.read(*model)
    assert opened.n <= 4  # names and dtypes, the number of rows, the rows, and some of them for the public prediction
    assert compiled.n <= 2


VERBS: dict[str, Callable[[Any, Any], Any]] = {
    "effects": gw.effects,
    "interactions": gw.interactions,
    "ledger": gw.ledger,
    "usage": lambda model, rows: gw.usage(model),
    "attributions": gw.attributions,
    "rules": lambda model, rows: gw.rules(model, rows, Y),
    "examples": lambda model, rows: gw.examples(model, rows, Y),
}


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_called_again_reads_nothing_of_the_model(verb: str, model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    ask = VERBS[verb]
    ask(*model)
    opened, parsed = count_calls(monkeypatch, _open.open_table), count_calls(monkeypatch, _reader.parse_text)
    ask(*model)
    assert parsed.n == 0
    again = opened.n
    ensemble = gw.read(*model)
    opened.reset()
    ask(ensemble, model[1])
    assert again <= opened.n + 1  # names and dtypes of the table, which decide how the library reads it


@pytest.mark.parametrize("remembered", [False, True])
def test_a_report_opens_its_table_fewer_than_ten_times(
    remembered: bool, model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    if remembered:
        gw.read(*model)
    opened = count_calls(monkeypatch, _open.open_table)
    page = gw.report(*model, Y)
    assert all("refused" not in section.data for section in page.sections)
    assert 0 < opened.n < 10


def test_rules_are_made_and_compiled_as_trees_once(model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    fitted: RuleSet = gw.SirusClassifier(30, random_state=0).fit(X, Y).rules_
    compiled = count_calls(monkeypatch, _ensemble._plan)
    fitted.predict(X)
    first = compiled.n
    fitted.predict(X)
    fitted.explain(X)
    assert fitted.ensemble() is fitted.ensemble()
    assert compiled.n == first <= 1


def test_rules_of_a_model_keep_the_trees_they_were_measured_with(model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    found = gw.rules(*model, Y)
    compiled = count_calls(monkeypatch, _ensemble._plan)
    np.testing.assert_allclose(found.predict(model[1]), found.explain(model[1]).prediction)
    assert compiled.n == 0
