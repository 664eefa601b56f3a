"""Each panel asks its verb, and says in words what it cannot show."""

import numpy as np
import pytest

import glasswood as gw
from glasswood.web.panels import _build
from glasswood.web.panels._build import (
    build_credibility,
    build_effects,
    build_examples,
    build_interactions,
    build_overview,
    build_rules,
)
from glasswood.web.panels._subject import Subject
from tests.web.cases import binary

BUILDS = [build_overview, build_effects, build_interactions, build_rules, build_examples, build_credibility]


@pytest.mark.parametrize("build", BUILDS)
def test_a_panel_has_a_sentence_and_its_kind(build) -> None:
    model, X, y = binary()
    section = build(Subject("", model, X, y))
    assert build.__name__ == f"build_{section.kind}"
    assert section.data["lead"].endswith((".", "?"))


def test_rules_need_a_target() -> None:
    model, X, _ = binary()
    with pytest.raises(gw.OptionError, match="pass y"):
        build_rules(Subject("", model, X))


def test_too_many_cells_are_fewer_pairs_and_in_the_end_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    model, X, y = binary()
    monkeypatch.setattr(_build, "_MOST_CELLS", 150)
    assert "pairs that share a leaf were looked at" in build_interactions(Subject("", model, X, y)).data["note"]
    monkeypatch.setattr(_build, "_MOST_CELLS", 2)
    with pytest.raises(gw.OptionError, match="cells"):
        build_interactions(Subject("", model, X, y))


def test_a_model_that_uses_one_feature_has_no_interaction() -> None:
    X = np.arange(20.0)[:, None]
    with pytest.raises(gw.OptionError, match="no interaction"):
        build_interactions(Subject("", gw.TreeRegressor(max_depth=2).fit(X, X[:, 0]), X))


def test_no_row_is_shown_where_none_may_be() -> None:
    model, X, y = binary()
    with pytest.raises(gw.OptionError, match="n_examples=0"):
        build_examples(Subject("", model, X, y, n_examples=0))
    assert len(build_examples(Subject("", model, X, n_examples=3)).data["queries"]) == 3


def test_long_tables_are_thinned_for_rules_and_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    model, X, y = binary()
    monkeypatch.setattr(_build, "_MOST_INDEXED", 50)
    monkeypatch.setattr(_build, "_MOST_RULE_ROWS", 100)
    assert build_examples(Subject("", model, X, y)).data["note"].startswith("50 rows searched")
    assert build_rules(Subject("", model, X, y)).data["rules"]


def test_weights_count_in_every_panel() -> None:
    model, X, y = binary()
    rng = np.random.default_rng(0)
    copies = rng.integers(0, 3, len(X))
    again = X.loc[X.index.repeat(copies)].reset_index(drop=True)
    weighted, repeated = Subject("", model, X, y, copies), Subject("", model, again, np.repeat(y, copies))
    assert build_effects(weighted).data["features"] == build_effects(repeated).data["features"]
    one, two = build_overview(weighted).data["ledger"], build_overview(repeated).data["ledger"]
    assert one["parts"] == two["parts"]
    assert build_rules(weighted).data["rules"][0]["support"] == build_rules(repeated).data["rules"][0]["support"]
    assert build_interactions(weighted).data["ranking"] == build_interactions(repeated).data["ranking"]
    assert build_examples(weighted).data["queries"]
