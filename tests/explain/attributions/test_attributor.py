"""Attributor: prepared once, it explains rows like a first call."""

import pickle
from typing import Any

import numpy as np
import pytest

import glasswood as gw
from glasswood.errors import OptionError, TableError
from tests.explain.attributions import vectors
from tests.native.attribution_cases import chain, larger
from tests.reference.built import built
from tests.reference.ensembles import Recipe, random_ensemble

X = np.random.default_rng(0).normal(size=(300, 5))
WEIGHT = np.random.default_rng(1).random(300)


def model(n_outputs: int = 1) -> gw.Ensemble:
    recipe = Recipe(n_trees=9, n_features=5, n_leaves=20, n_outputs=n_outputs, width=n_outputs, odd=False)
    return built(random_ensemble(np.random.default_rng(3), recipe))


@pytest.mark.parametrize("n_outputs", [1, 3])
@pytest.mark.parametrize("background", [None, X])
def test_it_gives_the_bits_of_the_verb(n_outputs: int, background: Any) -> None:
    e, weight = model(n_outputs), None if background is None else WEIGHT
    explain = gw.attributor(e, background=background, sample_weight=weight)
    expected = gw.attributions(e, X, background=background, sample_weight=weight, interactions=True)
    found = explain(X, interactions=True)
    np.testing.assert_array_equal(found.values, expected.values)
    np.testing.assert_array_equal(found.interactions, expected.interactions)
    np.testing.assert_array_equal(found.baseline, expected.baseline)
    for row in (0, 7):
        np.testing.assert_array_equal(explain(X[row : row + 1], n_jobs=2).values[0], expected.values[row])
    assert explain.method == expected.method and explain.n_background == expected.n_background


@pytest.mark.parametrize("background", [None, X])
def test_it_can_be_pickled(background: Any) -> None:
    explain = gw.attributor(model(), background=background, sample_weight=None if background is None else WEIGHT)
    again = pickle.loads(pickle.dumps(explain))
    np.testing.assert_array_equal(again(X).values, explain(X).values)
    assert repr(again) == repr(explain)


def test_categories_and_long_paths_survive_pickling() -> None:
    e, columns = larger("categories", 200)
    frame = vectors.pl.DataFrame({f"x{f}": column.astype(float) for f, column in enumerate(columns)}).fill_nan(None)
    frame = frame.with_columns(vectors.pl.when(vectors.pl.all() < 0).then(None).otherwise(vectors.pl.all()).name.keep())
    explain = gw.attributor(e, background=frame)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(explain))(frame).values, explain(frame).values)
    deep, rows = chain(20)
    table = np.column_stack(rows)
    explain = gw.attributor(deep, background=table)
    np.testing.assert_array_equal(explain(table[:9]).values, gw.attributions(deep, table, background=table).values[:9])


def test_a_background_in_parts_is_read_once() -> None:
    e = model()
    explain = gw.attributor(e, background=iter([X[:100], X[100:]]))
    np.testing.assert_array_equal(explain(X).values, gw.attributions(e, X, background=X).values)
    assert explain.n_background == 300


def test_parts_of_a_table_may_come_one_after_the_other() -> None:
    explain = gw.attributor(model())
    parts = [explain(part).values for part in (X[:100], X[100:])]
    np.testing.assert_array_equal(np.concatenate(parts), gw.attributions(model(), X).values)


def test_features_and_output_are_picked() -> None:
    explain = gw.attributor(model(3))
    np.testing.assert_array_equal(explain(X, features=["x2"], output=1).values[:, 0], explain(X).values[:, 2, 1])


def test_bad_requests_are_refused() -> None:
    with pytest.raises(OptionError, match="pass background"):
        gw.attributor(model(), method="interventional")
    with pytest.raises(TableError, match="background has no row"):
        gw.attributor(model(), background=X[:0])
    explain = gw.attributor(model())
    with pytest.raises(TableError, match="the model has 5 features"):
        explain(X[:, :2])
    with pytest.raises(OptionError, match="interactions must be"):
        explain(X, interactions=None)


def test_it_describes_itself() -> None:
    assert repr(gw.attributor(model(), background=X)) == ("<Attributor method='interventional' over 300 rows: 9 trees>")
    assert repr(gw.attributor(model())) == "<Attributor method='path': 9 trees>"


def test_an_iterator_of_tables_is_explained_one_by_one() -> None:
    with pytest.raises(TableError, match="call it for every table of the iterator"):
        gw.attributor(model())(iter([X]))
