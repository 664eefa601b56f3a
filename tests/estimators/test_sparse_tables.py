"""Models fitted to a sparse table have the same bits as those fitted to the dense one."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import glasswood as gw
from glasswood import _native
from glasswood.errors import TableError
from tests.sparse_forms import FEW, dense_table, same_bits, target_of

X = dense_table(250, 10)
Y = target_of(X)
C = (Y > 0).astype(int) + (Y > 2)
WEIGHT = np.random.default_rng(1).integers(0, 4, len(X)) / 3

ESTIMATORS = {
    "tree": (gw.TreeRegressor(), Y),
    "tree, entropy": (gw.TreeClassifier(criterion="entropy"), C),
    "forest": (gw.ForestRegressor(5, random_state=0), Y),
    "forest of classes": (gw.ForestClassifier(5, random_state=0, min_samples_leaf=3), C),
    "forest of two classes": (gw.ForestClassifier(5, random_state=0), C > 0),
    "sirus": (gw.SirusRegressor(60, random_state=0), Y),
    "sirus of classes": (gw.SirusClassifier(60, random_state=0), C > 0),
    "boosting": (gw.BoostingRegressor(n_estimators=10), Y),
    "boosting, bins": (gw.BoostingRegressor(n_estimators=10, max_bins=4, subsample=0.5, random_state=0), Y),
    "boosting of classes": (gw.BoostingClassifier(n_estimators=5), C),
}
FIELDS = ("feature", "threshold", "value", "weight", "gain", "missing_left", "left", "right", "tree_start", "baseline")


def fitted(name, table, **options):
    estimator, y = ESTIMATORS[name]
    return type(estimator)(**estimator.get_params()).set_params(**options).fit(table, y)


def same_model(found, wanted):
    return all(same_bits(getattr(found.ensemble_, f), getattr(wanted.ensemble_, f)) for f in FIELDS)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", list(ESTIMATORS))
def test_a_fit_to_a_sparse_table_is_that_to_the_dense_one(name, dtype):
    table = X.astype(dtype)
    wanted = fitted(name, table)
    assert wanted.ensemble_.n_nodes > wanted.ensemble_.n_trees  # some node is split
    for form, make in FEW.items():
        found = fitted(name, make(table))
        assert same_model(found, wanted), form
        assert same_bits(found.predict(make(table)), wanted.predict(table)), form
        assert found.n_features_in_ == 10


@pytest.mark.parametrize("name", ["forest", "sirus", "boosting"])
def test_a_fit_to_a_sparse_table_has_the_same_bits_with_any_number_of_threads(name):
    one, two = (fitted(name, sp.csr_array(X), n_jobs=n_jobs) for n_jobs in (1, 2))
    assert same_model(one, two)


@pytest.mark.parametrize("name", ["tree", "forest", "sirus", "boosting"])
def test_weights_count_as_in_the_dense_table(name):
    estimator, y = ESTIMATORS[name]
    wanted, found = (
        type(estimator)(**estimator.get_params()).fit(table, y, sample_weight=WEIGHT) for table in (X, sp.coo_array(X))
    )
    assert same_model(found, wanted)


@pytest.mark.parametrize("name", ["tree", "forest", "sirus", "boosting"])
@pytest.mark.parametrize("fill", [0.0, 2.0, -1.0, np.nan])
def test_any_fill_value_of_pandas_gives_the_dense_model(name, fill):
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(10)])
    sparse = frame.astype(pd.SparseDtype("float", fill))
    wanted, found = fitted(name, frame), fitted(name, sparse)
    assert same_model(found, wanted)
    assert same_bits(found.predict(sparse), wanted.predict(frame))


def test_sparse_and_text_columns_of_a_frame_go_together():
    frame = pd.DataFrame({"a": X[:, 0], "b": np.where(Y > 0, "u", "v"), "c": X[:, 1]})
    sparse = frame.astype({"a": pd.SparseDtype("float", 0.0)})
    for estimator in (gw.BoostingRegressor(n_estimators=5), gw.TreeRegressor(max_depth=3)):
        wanted = type(estimator)(**estimator.get_params()).fit(frame, Y)
        assert same_model(estimator.fit(sparse, Y), wanted)


def test_rows_set_aside_and_rows_out_of_bag_are_those_of_the_dense_table():
    for estimator in (
        gw.BoostingRegressor(n_estimators=20, early_stopping=True, validation_fraction=0.2, random_state=0),
        gw.ForestRegressor(30, oob_score=True, random_state=0),
    ):
        wanted = type(estimator)(**estimator.get_params()).fit(X, Y)
        found = estimator.fit(sp.csr_matrix(X), Y)
        assert same_model(found, wanted)
        if hasattr(found, "oob_prediction_"):
            assert same_bits(found.oob_prediction_, wanted.oob_prediction_)


@pytest.mark.parametrize("name", ["tree", "forest", "sirus", "boosting"])
def test_zeros_with_a_sign_are_zeros(name):
    table = np.repeat([-1.0, -0.0, np.inf], [50, 100, 100])[:, None]
    wanted = fitted(name, table)
    assert not np.signbit(wanted.ensemble_.threshold[wanted.ensemble_.threshold == 0]).any()
    assert same_model(fitted(name, sp.csr_array(table)), wanted)


def test_columns_of_a_sparse_table_may_be_categories():
    table = np.abs(np.nan_to_num(X))
    options = {"n_estimators": 5, "categorical_features": [0, 1]}
    wanted = gw.BoostingRegressor(**options).fit(table, Y)
    found = gw.BoostingRegressor(**options).fit(sp.csr_array(table), Y)
    assert same_model(found, wanted)
    assert same_bits(found.predict(sp.csr_array(table)), wanted.predict(table))


FOREST = gw.ForestRegressor(3, random_state=0)


def test_one_hot_columns_and_counts_of_words_are_fitted_as_they_come():
    colours = np.random.default_rng(0).choice(list("abcdefghij"), (250, 2))
    texts = [" ".join(row) * 3 for row in colours]
    for first, rows in ((OneHotEncoder(), colours), (CountVectorizer(analyzer="char"), texts)):
        for estimator in (gw.TreeRegressor(max_depth=4), gw.BoostingRegressor(n_estimators=5), FOREST):
            model = make_pipeline(first, estimator).fit(rows, Y)
            encoded = first.transform(rows)
            assert sp.issparse(encoded)
            dense = np.asarray(encoded.toarray(), dtype=np.float64)
            assert same_bits(model.predict(rows), model[-1].ensemble_.predict(dense))
            assert same_model(model[-1], type(estimator)(**estimator.get_params()).fit(dense, Y))


def one_hot(n_rows=300, n_groups=6, n_levels=10, seed=0):
    random = np.random.default_rng(seed)
    levels = random.integers(0, n_levels, (n_rows, n_groups)) + n_levels * np.arange(n_groups)
    starts = np.arange(0, n_rows * n_groups + 1, n_groups)
    table = sp.csr_array((np.ones(levels.size), levels.ravel(), starts), shape=(n_rows, n_groups * n_levels))
    return table, random.normal(size=n_groups * n_levels)[levels].sum(axis=1)


ONE_HOT_FITS = {
    "best first": {"max_leaf_nodes": 15, "max_depth": None},
    "rows set aside": {"early_stopping": True, "validation_fraction": 0.3},
    "some rows and columns": {"subsample": 0.5, "colsample": 0.5},
    "quantised": {"statistics": "quantised"},
    "quantiles": {"loss": "quantile", "quantile": 0.7},
    "many rows per leaf": {"min_samples_leaf": 12},
}


@pytest.mark.parametrize("name", list(ONE_HOT_FITS))
@pytest.mark.parametrize("weighted", [False, True])
def test_boosting_on_one_hot_columns_has_the_bits_of_the_dense_fit(name, weighted):
    table, y = one_hot()
    weight = np.random.default_rng(2).integers(1, 4, len(y)) / 3 if weighted else None
    options = {"n_estimators": 8, "random_state": 0, **ONE_HOT_FITS[name]}
    others, y_others = one_hot(seed=1)
    more = {} if "early_stopping" in options else {"eval_set": [(others, y_others)]}
    dense_more = {} if not more else {"eval_set": [(others.toarray(), y_others)]}
    found = gw.BoostingRegressor(**options).fit(table, y, sample_weight=weight, **more)
    wanted = gw.BoostingRegressor(**options).fit(table.toarray(), y, sample_weight=weight, **dense_more)
    assert same_model(found, wanted)
    assert same_bits(found.history_.values, wanted.history_.values)


def test_boosting_takes_stored_infinities_and_missing_values_as_the_dense_table_has_them():
    table = X.copy()
    table[::7, 0], table[::11, 1] = np.inf, -np.inf
    wanted = gw.BoostingRegressor(n_estimators=5).fit(table, Y)
    for form, make in FEW.items():
        assert same_model(gw.BoostingRegressor(n_estimators=5).fit(make(table), Y), wanted), form


def test_boosting_takes_unsorted_and_repeated_entries():
    csr = sp.csr_array(X)
    repeated = sp.coo_array(
        (np.append(csr.data, csr.data), (np.tile(csr.tocoo().row, 2)[::-1], np.tile(csr.tocoo().col, 2)[::-1])),
        shape=X.shape,
    )
    wanted = gw.BoostingRegressor(n_estimators=5).fit(repeated.toarray(), Y)
    assert same_model(gw.BoostingRegressor(n_estimators=5).fit(repeated, Y), wanted)


def words(n_rows=400, n_columns=1500, seed=0):
    """Counts of words, a few of them frequent, and a column that is nowhere 0."""
    random = np.random.default_rng(seed)
    share = 1 / np.arange(1, n_columns)
    places = random.choice(n_columns - 1, (n_rows, 40), p=share / share.sum()) + 1
    table = sp.lil_array((n_rows, n_columns))
    for row in range(n_rows):
        for column in places[row]:
            table[row, column] += 1.0
    table[:, 0] = random.integers(1, 9, n_rows)[:, None]
    effect = random.normal(size=n_columns) * (random.random(n_columns) < 0.2)
    return sp.csr_array(table), np.asarray(table @ effect) + random.normal(size=n_rows)


WORD_FITS = {
    **ONE_HOT_FITS,
    "symmetric": {"symmetric": True},
    "monotone": {"monotonic_cst": [0, 1, -1] + [0] * 1497, "max_leaf_nodes": 9},
    "quantised, some rows": {"statistics": "quantised", "subsample": 0.6, "max_leaf_nodes": 9},
}


@pytest.mark.parametrize("name", list(WORD_FITS))
def test_boosting_on_counts_of_words_has_the_bits_of_the_dense_fit(name):
    table, y = words()
    options = {"n_estimators": 4, "random_state": 0, **WORD_FITS[name]}
    wanted = gw.BoostingRegressor(**options).fit(table.toarray(), y)
    assert wanted.ensemble_.n_nodes > wanted.ensemble_.n_trees
    cpus = _native.pretend_cpus(2)
    try:
        found = [gw.BoostingRegressor(**options, n_jobs=n_jobs).fit(table, y) for n_jobs in (1, 2)]
    finally:
        _native.pretend_cpus(cpus)
    assert all(same_model(model, wanted) for model in found)


@pytest.mark.parametrize("options", [{}, {"symmetric": True}, {"max_leaf_nodes": 8, "subsample": 0.5}])
def test_classes_of_texts_have_the_bits_of_the_dense_fit(options):
    table, y = words(300, 600)
    classes = np.digitize(y, np.quantile(y, [0.3, 0.6]))
    options = {"n_estimators": 3, "random_state": 0, **options}
    wanted = gw.BoostingClassifier(**options).fit(table.toarray(), classes)
    assert same_model(gw.BoostingClassifier(**options).fit(table, classes), wanted)


def test_20_000_columns_of_counts_are_fitted():
    random = np.random.default_rng(0)
    places = np.unique(random.integers(0, 200 * 20_000, 20_000))
    counts = random.integers(1, 4, len(places)).astype(float)
    table = sp.csr_array((counts, (places // 20_000, places % 20_000)), shape=(200, 20_000))
    y = np.asarray(table[:, :500].sum(axis=1)) + random.normal(size=200)
    found = gw.BoostingRegressor(n_estimators=2, random_state=0).fit(table, y)
    assert found.ensemble_.n_nodes > 2
    assert same_model(found, gw.BoostingRegressor(n_estimators=2, random_state=0).fit(table.toarray(), y))
    assert same_bits(found.predict(table), found.predict(table.toarray()))


GROWN = (
    gw.TreeRegressor, gw.TreeClassifier, gw.ForestRegressor, gw.ForestClassifier, gw.SirusRegressor,
    gw.SirusClassifier, gw.BoostingRegressor, gw.BoostingClassifier,
)  # fmt: skip


@pytest.mark.parametrize("estimator", GROWN)
@pytest.mark.parametrize("shape", [(0, 3), (3, 0)])
def test_a_table_without_rows_or_columns_is_refused(estimator, shape):
    with pytest.raises(TableError, match=r"0 (sample|feature)"):
        estimator().fit(sp.csr_array(shape), np.zeros(shape[0]))


@pytest.mark.parametrize("estimator", GROWN)
@pytest.mark.filterwarnings("ignore:no path is in more than p0")
def test_a_single_row_needs_two_dimensions(estimator):
    model = estimator().fit(sp.csr_array((40, 3)), np.arange(40) % 2)
    for use in (model.predict, lambda x: estimator().fit(x, [0, 1, 0])):
        with pytest.raises(TableError, match=r"2 dimensions, found 1; give X.reshape\(1, -1\)"):
            use(sp.coo_array(np.zeros(3)))


@pytest.mark.parametrize("estimator", GROWN)
@pytest.mark.filterwarnings("ignore:no path is in more than p0")  # SIRUS has no rule then
def test_a_table_of_zeros_is_fitted_to_one_leaf_per_tree(estimator):
    y, options = np.arange(40) % 2, {} if "Tree" in estimator.__name__ else {"random_state": 0}
    model = estimator(**options).fit(sp.csr_array((40, 3)), y)
    assert model.ensemble_.n_leaves == model.ensemble_.n_trees
    assert same_model(model, estimator(**options).fit(np.zeros((40, 3)), y))
    assert same_bits(model.predict(sp.csr_array((5, 3))), model.predict(np.zeros((5, 3))))
