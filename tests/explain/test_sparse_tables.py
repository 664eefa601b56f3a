"""Every explanation of a sparse table has the same bits as that of the dense one."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp

import glasswood as gw
from glasswood.results import Neighbours
from tests.sparse_forms import FEW, dense_table, same_bits, target_of

X = dense_table(300, 8, filled=0.3)
Y = target_of(X)
WEIGHT = np.random.default_rng(1).integers(0, 4, len(X)).astype(np.float64)
MODEL = gw.ForestRegressor(10, max_depth=4, random_state=0).fit(X, Y)
TREE = gw.TreeRegressor(max_depth=3).fit(X, Y)

EXPLANATIONS = {
    "effects": lambda X: gw.effects(MODEL, X).to_dict(),
    "effects, path": lambda X: gw.effects(MODEL, X, method="path").to_dict(),
    "effects, observed": lambda X: gw.effects(MODEL, X, method="observed", sample_weight=WEIGHT).to_dict(),
    "interactions": lambda X: gw.interactions(MODEL, X).to_dict(),
    "ledger": lambda X: gw.ledger(MODEL, X, sample_weight=WEIGHT).to_dict(),
    "attributions": lambda X: gw.attributions(MODEL, X).to_dict(),
    "attributions, background": lambda X: gw.attributions(MODEL, X, background=X).to_dict(),
    "attributions, interactions": lambda X: gw.attributions(MODEL, X, interactions=True).to_dict(),
    "rules": lambda X: gw.rules(MODEL, X, Y, p0=0.0, max_rules=10).to_dict(),
    "neighbours": lambda X: gw.examples(MODEL, X, Y).nearest(X, k=3).to_dict(),
    "tree profile": lambda X: gw.tree_profile(TREE, X, Y).to_dict(),
}


@pytest.mark.parametrize("name", list(EXPLANATIONS))
def test_explanations_of_a_sparse_table_are_those_of_the_dense_one(name):
    explain = EXPLANATIONS[name]
    wanted = repr(explain(X))
    for form, make in FEW.items():
        assert repr(explain(make(X))) == wanted, form


def test_explanations_do_not_depend_on_how_a_sparse_table_is_cut(monkeypatch):
    wanted = {name: repr(explain(X)) for name, explain in EXPLANATIONS.items()}
    monkeypatch.setattr("glasswood.explain.effects._row_stream._CHUNK_CODES", 1)
    monkeypatch.setattr("glasswood.explain.effects._row_stream._MIN_ROWS", 77)
    monkeypatch.setattr("glasswood.explain.examples._leaf_rows._CHUNK_ROWS", 77)
    for make in (sp.csr_array, sp.csc_array, sp.coo_array):
        for name, explain in EXPLANATIONS.items():
            assert repr(explain(make(X))) == wanted[name], name


def test_a_rule_set_predicts_sparse_rows():
    rules = gw.rules(MODEL, X, Y, p0=0.0, max_rules=10)
    for make in FEW.values():
        assert same_bits(rules.predict(make(X)), rules.predict(X))


def test_zeros_that_are_missing_to_the_model_are_so_in_a_sparse_table():
    import lightgbm

    options = {"verbose": -1, "num_threads": 1, "zero_as_missing": True, "min_data_in_leaf": 5}
    model = lightgbm.train(options, lightgbm.Dataset(X, Y), 5)
    ensemble = gw.read(model, sp.csr_matrix(X))
    assert ensemble.features.zero_is_missing.any()
    for make in FEW.values():
        assert same_bits(ensemble.predict_raw(make(X)), ensemble.predict_raw(X))
        assert repr(gw.rules(ensemble, make(X), Y, p0=0.0)) == repr(gw.rules(ensemble, X, Y, p0=0.0))


def test_neighbours_show_the_values_of_their_rows():
    found = gw.examples(MODEL, sp.csc_array(X), Y).nearest(sp.csc_array(X[:2]), k=2)
    assert isinstance(found, Neighbours)
    assert found.to_frame().equals(gw.examples(MODEL, X, Y).nearest(X[:2], k=2).to_frame())


def test_explaining_many_columns_takes_no_dense_copy():
    wide = sp.random(2_000, 5_000, density=0.002, random_state=0, format="csr")
    y = np.asarray(wide[:, :50].sum(axis=1)).ravel() + np.arange(2_000) / 2_000
    model = gw.ForestRegressor(3, max_depth=4, random_state=0).fit(wide, y)
    stored = wide.data.nbytes + wide.indices.nbytes + wide.indptr.nbytes
    tracemalloc.start()
    model.predict(wide)
    gw.effects(model, wide, features=[0, 1])
    gw.examples(model, wide, y).nearest(wide[:5])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2 * stored + 8 * 2**20 < wide.shape[0] * wide.shape[1]  # bytes: an eighth of the dense table
