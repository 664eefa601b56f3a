"""LeafRows: every leaf lists the rows that reach it."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glasswood as gw
from glasswood.ensemble import align
from glasswood.explain.examples import _leaf_rows
from glasswood.explain.examples._leaf_rows import leaf_rows, number_leaves
from tests.reference.built import built
from tests.reference.effect_cases import as_frame
from tests.reference.ensembles import Recipe, random_columns, random_ensemble
from tests.reference.predict import reached


@settings(max_examples=40)
@given(
    seed=st.integers(0, 2**32),
    weighted=st.booleans(),
    drawn=st.booleans(),
    min_rows_per_leaf=st.integers(1, 4),
    n_threads=st.integers(1, 3),
)
def test_lists_equal_the_slow_reference(
    seed: int, weighted: bool, drawn: bool, min_rows_per_leaf: int, n_threads: int
) -> None:
    rng = np.random.default_rng(seed)
    arrays = random_ensemble(rng, Recipe(n_trees=int(rng.integers(0, 40)), n_category_features=2))
    columns = random_columns(rng, arrays, 20)
    weight = rng.choice([0.0, 1.0, 2.0], 20) if weighted else None
    copies = rng.integers(0, 4, (20, len(arrays["tree_output"]))).astype(np.uint8) if drawn else None
    ensemble = built(arrays)
    found = leaf_rows(
        number_leaves(ensemble),
        align(as_frame(ensemble, columns), ensemble.features),
        weight=weight,
        copies=copies,
        min_rows_per_leaf=min_rows_per_leaf,
        n_threads=n_threads,
    )
    nodes = reached(arrays, columns)
    for leaf, node in enumerate(np.flatnonzero(arrays["feature"] < 0)):
        tree = int(np.searchsorted(arrays["tree_start"], node, side="right")) - 1
        times = np.where(nodes[:, tree] == node, 1 if copies is None else copies[:, tree], 0)
        times = np.where((weight == 0) if weight is not None else False, 0, times)
        listed = np.repeat(np.arange(20), times) if np.count_nonzero(times) >= min_rows_per_leaf else np.empty(0)
        assert found.row[found.start[leaf] : found.start[leaf + 1]].tolist() == listed.tolist()
        assert found.mass[leaf] == np.sum(times * (1.0 if weight is None else weight))
        assert found.kept[leaf] == (len(listed) > 0)


def test_pieces_change_nothing(monkeypatch: Any) -> None:
    rng = np.random.default_rng(0)
    arrays = random_ensemble(rng, Recipe(n_trees=20, n_leaves=20))
    ensemble = built(arrays)
    rows = align(as_frame(ensemble, random_columns(rng, arrays, 100)), ensemble.features)
    numbered, weight = number_leaves(ensemble), rng.uniform(size=100)
    options: dict[str, Any] = {"weight": weight, "copies": None, "min_rows_per_leaf": 1, "n_threads": 1}
    whole = leaf_rows(numbered, rows, **options)
    monkeypatch.setattr(_leaf_rows, "_CHUNK_ROWS", 7)
    pieces = leaf_rows(numbered, rows, **options)
    np.testing.assert_array_equal(whole.row, pieces.row)
    np.testing.assert_array_equal(whole.mass, pieces.mass)


def test_progress_counts_the_rows_of_both_passes(capsys: pytest.CaptureFixture[str]) -> None:
    X = np.arange(12.0)[:, None]
    model = gw.TreeRegressor(max_depth=2).fit(X, X[:, 0])
    gw.examples(model, X)
    assert capsys.readouterr().err == ""
    gw.examples(model, X, progress=True)
    assert "24/24" in capsys.readouterr().err
