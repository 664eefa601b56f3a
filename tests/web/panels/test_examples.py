"""Neighbours on the page are those of the index, without the row itself and above the privacy limit."""

import dataclasses
import warnings
from typing import Any

import numpy as np
import pytest

import glasswood as gw
from glasswood.tables import pick_rows
from glasswood.web.panels import _examples
from glasswood.web.panels._answers import answer_texts
from glasswood.web.panels._examples import build_examples, examples_data
from glasswood.web.panels._sample import few_rows
from glasswood.web.panels._subject import Subject
from tests.web.cases import binary


def section(
    min_rows_per_leaf: int = 1, some: np.ndarray | None = None, k: int = 5
) -> tuple[dict[str, Any], gw.Ensemble, object]:
    model, X, y = binary()
    ensemble = gw.read(model)
    rows = np.array([3, 200])
    index = gw.examples(model, few_rows(X, some), y if some is None else y[some], min_rows_per_leaf=min_rows_per_leaf)
    made = examples_data(
        index,
        pick_rows(X, rows),
        rows=rows,
        indexed=some,
        ensemble=ensemble,
        target=y[rows],
        order=ensemble.feature_names,
        k=k,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gw.NoNeighbourWarning)
        return made, ensemble, index.nearest(pick_rows(X, rows), 30)


def test_neighbours_are_the_nearest_rows_without_the_row_itself() -> None:
    made, _, found = section()
    for q, query in enumerate(made["queries"]):
        assert query["row"] == (3, 200)[q]
        near = [int(row) for row in found.row[q] if row != query["row"]][:5]  # type: ignore[attr-defined]
        assert [one["row"] for one in query["neighbours"]] == near
        assert query["row"] not in near


def test_values_targets_and_differences_are_marked() -> None:
    _, X, y = binary()
    made, _, _ = section()
    query = made["queries"][0]
    assert query["target"] == y[3]
    assert query["prediction"].endswith(" %")
    one = query["neighbours"][0]
    assert one["target"] == y[one["row"]]
    age = made["features"].index("age")
    mine, theirs = X["age"][3], X["age"][one["row"]]
    assert one["differs"][age] == (mine != theirs and not (np.isnan(mine) and np.isnan(theirs)))
    if one["differs"][age] and np.isfinite(theirs - mine):
        assert one["change"][age] is not None


def test_rows_keep_their_numbers_where_only_some_are_searched() -> None:
    some = np.arange(0, 400, 2)
    made, _, _ = section(some=some)
    assert all(one["row"] % 2 == 0 for query in made["queries"] for one in query["neighbours"])
    _, X, _ = binary()
    one = made["queries"][0]["neighbours"][0]
    port = made["features"].index("port")
    assert one["values"][port] == X["port"][one["row"]]


def test_the_privacy_limit_is_applied_and_mentioned() -> None:
    made, _, _ = section(min_rows_per_leaf=10_000)
    assert all(query["neighbours"] == [] and query["empty"] for query in made["queries"])
    assert "leaves of fewer than 10000 rows do not count" in made["note"]


@pytest.mark.parametrize("k", [1, 3])
def test_at_most_k_neighbours_are_embedded(k: int) -> None:
    made, _, _ = section(k=k)
    assert all(len(query["neighbours"]) <= k for query in made["queries"])


def test_similarities_are_related_to_a_row_in_all_the_same_leaves() -> None:
    made, _, _ = section()
    for query in made["queries"]:
        shares = [float(one["similarity_text"].removesuffix(" %")) for one in query["neighbours"]]
        assert shares == sorted(shares, reverse=True) and 5 < shares[0] <= 100
        assert [one["bar"] for one in query["neighbours"]] == pytest.approx([x / 100 for x in shares], abs=0.006)
    assert "100 % for a row that ends in all the same leaves" in made["note"]


def test_no_row_is_shown_if_none_may_be_shown() -> None:
    model, X, y = binary()
    with pytest.raises(gw.OptionError, match="n_examples=0"):
        build_examples(Subject("", model, X, y, n_examples=0))
    assert len(build_examples(Subject("", model, X, n_examples=3))["queries"]) == 3


def test_long_tables_are_thinned(monkeypatch: pytest.MonkeyPatch) -> None:
    model, X, y = binary()
    monkeypatch.setattr(_examples, "_MAX_INDEXED", 50)
    assert build_examples(Subject("", model, X, y))["note"].startswith("50 rows searched")


def test_of_equal_shares_the_first_class_is_the_answer_as_in_predict() -> None:
    X = np.arange(3.0)[:, None]
    ensemble = gw.TreeClassifier().fit(X, ["a", "b", "c"]).ensemble_
    # 0.1 + 0.2 misses 0.3 by rounding
    equal = dataclasses.replace(ensemble, value=np.zeros_like(ensemble.value), baseline=np.array([0.3, 0.1 + 0.2, 0.3]))
    assert {answer.partition(":")[0] for answer in answer_texts(equal, equal.predict_raw(X))} == {"a"}
