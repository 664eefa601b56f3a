"""Every explanation of a sparse table has the same bits as that of the dense one."""

import subprocess
import sys

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


PEAK = """
import sys
import numpy as np
import scipy.sparse as sp
import glasswood as gw

def numbers(key):
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(key))

places = np.unique(np.random.default_rng(0).integers(0, 10_000 * 20_000, 400_000))
X = sp.csr_array((1.0 + places % 3, (places // 20_000, places % 20_000)), shape=(10_000, 20_000))
del places
y = np.asarray(X[:, :50].sum(axis=1)).ravel() + np.arange(10_000) / 10_000
grown = {
    "forest": gw.ForestRegressor(3, max_depth=4, max_features=20, random_state=0),
    "boosting": gw.BoostingRegressor(n_estimators=2, max_depth=3, random_state=0),
}
own = gw.ForestRegressor(3, max_depth=4, random_state=0).fit(X[:50], y[:50])
works = {
    **{name: (lambda model=model: model.fit(X, y)) for name, model in grown.items()},
    "predict": lambda: [model.predict(X) for model in grown.values()],
    "read": lambda: gw.read(grown["forest"], X),
    "effects": lambda: gw.effects(grown["forest"], X, features=[0, 1]),
    "examples": lambda: gw.examples(grown["forest"], X, y).nearest(X[:5], k=3).to_dict(),
    "rules": lambda: gw.rules(grown["forest"], X, y, p0=0.0, max_rules=5).to_dict(),
}
small = X[:50]
gw.rules(own, small, y[:50], p0=0.0, max_rules=5), gw.examples(own, small, y[:50]).nearest(small[:2], k=1)
gw.effects(own, small, features=[0, 1]), own.predict(small)  # loads what is loaded late
for name, work in works.items():
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # the peak begins again
    before = numbers("VmRSS")
    kept = work()
    print(name, 1024 * (numbers("VmHWM") - before))
"""


@pytest.mark.resident
def test_fitting_and_explaining_many_columns_takes_no_dense_copy():
    """Native memory counts too. A dense table would have 200 million values, the sparse one has 5 MB."""
    answer = subprocess.run([sys.executable, "-c", PEAK], capture_output=True, text=True, check=True).stdout
    peaks = {name: int(peak) for name, peak in (line.split() for line in answer.splitlines())}
    assert len(peaks) == 7
    assert max(peaks.values()) < 50e6, peaks  # a quarter of a dense copy in bytes
