"""effects: the worked example, and what must hold for every model."""

import dataclasses
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

import glasswood as gw
from glasswood.ensemble import Ensemble, FeatureSchema, build_ensemble
from glasswood.errors import OptionError, TableError, UnsupportedModelError
from tests.ensemble.examples import SOURCE, stump, two_trees
from tests.reference import effects as reference
from tests.reference.effect_cases import Case, cases, random_case

# value, weight, baseline, effect of f2 and of f1
WORKED = {
    "shared": (
        ([1.454, 1.986, 2.282], [43.75, 31.25, 25], 1.82725, [-0.37325, 0.15875, 0.45475]),
        ([1.5871, 1.7661, 2.0782], [40, 28.75, 31.25], 1.79201, [-0.2049, -0.0259, 0.2861]),
    ),
    "leafmean": (
        ([1.454, 1.986, 2.282], [87.5, 62.5, 50], 1.82725, [-0.37325, 0.15875, 0.45475]),
        ([1.6362, 1.7533, 1.8762], [72.5, 70, 65], 1.75088, [-0.1147, 0.0025, 0.1253]),
    ),
    "treemind": (
        ([1.454, 1.986, 2.282], [62.5, 62.5, 37.5], 1.84969, [-0.3957, 0.1363, 0.4323]),
        ([1.6362, 1.7533, 1.8762], [72.5, 70, 65], 1.75088, [-0.1147, 0.0025, 0.1253]),
    ),
    "path": (
        ([1.454, 1.986, 2.282], [43.75, 31.25, 25], 1.82725, [-0.37325, 0.15875, 0.45475]),
        ([1.625, 1.760, 2.025], [40, 28.75, 31.25], 1.78881, [-0.1638, -0.0288, 0.2362]),
    ),
}


@pytest.mark.parametrize("method", WORKED)
def test_the_worked_example_to_its_digits(method: str) -> None:
    fx = gw.effects(two_trees(), method=method)
    for name, (value, weight, baseline, effect) in zip(("f2", "f1"), WORKED[method], strict=True):
        np.testing.assert_allclose(fx[name].value[:3], value, atol=5.1e-5)
        np.testing.assert_allclose(fx[name].weight[:3], weight, rtol=1e-12)
        assert fx[name].baseline == pytest.approx(baseline, abs=5e-6)
        np.testing.assert_allclose(fx[name].effect[:3], effect, atol=5.1e-5)


def test_the_worked_example_spreads() -> None:
    fx = gw.effects(two_trees(), method="treemind")
    np.testing.assert_allclose(fx["f2"].spread[:3], [0.0898, 0.3494, 0.2596], atol=5e-5)
    np.testing.assert_allclose(fx["f1"].spread[:3], [0.3398, 0.2535, 0.4826], atol=5e-5)


def test_effect_of_a_stump_is_its_two_leaves() -> None:
    fx = gw.effects(stump(), np.array([[0.0], [1.0], [2.0], [np.nan]]))
    np.testing.assert_allclose(fx["a"].value, [110, 120, 110])
    np.testing.assert_allclose(fx["a"].weight, [2, 1, 1])
    assert fx["a"].baseline == pytest.approx(112.5)


def test_a_feature_never_used_has_one_cell_without_effect() -> None:
    e = two_trees()
    wider = dataclasses.replace(e, features=FeatureSchema.numeric(["f1", "f2", "idle"]))
    for method in ("path", "shared", "leafmean", "treemind"):
        idle = gw.effects(wider, method=method)["idle"]
        assert len(idle) == 1
        assert idle.effect[0] == 0
        np.testing.assert_allclose(idle.value, 1.794)
        np.testing.assert_allclose(idle.weight, {"leafmean": 200 / 3}.get(method, 100))
    assert gw.effects(wider, np.zeros((4, 3)))["idle"].effect[0] == 0


@settings(max_examples=20)
@given(case=cases())
def test_weights_of_cells_sum_to_the_total_weight(case: Case) -> None:
    for effect in gw.effects(case.ensemble, case.X, sample_weight=case.weight).values():
        n = len(case.ensemble.outputs)
        np.testing.assert_allclose(effect.weight.reshape(-1, n).sum(axis=0), case.w.sum(), rtol=1e-12)


@settings(max_examples=20)
@given(case=cases(n_features=1, n_category_features=0))
def test_the_only_feature_explains_raw_completely(case: Case) -> None:
    fx = gw.effects(case.ensemble, case.X)["x0"]
    raw = case.ensemble.predict_raw(case.X)
    for row, found in zip(case.rows, raw, strict=True):
        at = reference.cells(case.ensemble, 0).index(row[0])
        np.testing.assert_allclose(fx.value[at], found, rtol=1e-10, atol=1e-10)


@settings(max_examples=15)
@given(case=cases(odd=False, n_category_features=0))
def test_intervals_are_closed_above(case: Case) -> None:
    """At each edge and at the next float the table is the mean prediction with the feature set there."""
    fx = gw.effects(case.ensemble, case.X, sample_weight=case.weight)
    for name, effect in fx.items():
        cells = effect.cells
        for i in np.flatnonzero(np.isfinite(cells.upper)):
            for at, x in ((i, cells.upper[i]), (i + 1, np.nextafter(cells.upper[i], np.inf))):
                moved = case.X.with_columns(pl.lit(x).alias(name))
                raw = case.ensemble.predict_raw(moved).reshape(len(case.rows), -1)
                expected = case.w @ raw / case.w.sum()
                np.testing.assert_allclose(np.atleast_1d(effect.value[at]), expected, rtol=1e-10, atol=1e-10)


@settings(max_examples=15)
@given(case=cases(n_category_features=1))
def test_the_missing_cell_is_prediction_with_the_feature_missing(case: Case) -> None:
    fx = gw.effects(case.ensemble, case.X, sample_weight=case.weight)
    for name, effect in fx.items():
        for at in np.flatnonzero(effect.cells.missing):
            moved = case.X.with_columns(pl.lit(None, dtype=pl.Float64).alias(name))
            raw = case.ensemble.predict_raw(moved).reshape(len(case.rows), -1)
            np.testing.assert_allclose(
                np.atleast_1d(effect.value[at]), case.w @ raw / case.w.sum(), rtol=1e-10, atol=1e-10
            )


@settings(max_examples=10)
@given(case=cases(n_features=3, n_category_features=1))
def test_rows_of_weight_0_change_nothing(case: Case) -> None:
    more = pl.concat([case.X, case.X, case.X])
    weight = np.concatenate([0 * case.w, case.w, 0 * case.w])
    for method in ("interventional", "observed", "path"):
        plain = gw.effects(case.ensemble, case.X, sample_weight=case.w, method=method)
        padded = gw.effects(case.ensemble, more, sample_weight=weight, method=method)
        for name in plain:
            np.testing.assert_array_equal(plain[name].value, padded[name].value)
            np.testing.assert_array_equal(plain[name].weight, padded[name].weight)


def permuted(e: Ensemble, order: list[int]) -> Ensemble:
    """The same model with its features in another order."""
    place = np.argsort(order)
    s = e.features
    schema = FeatureSchema(
        names=tuple(s.names[f] for f in order),
        named=True,
        categories=tuple(s.categories[f] for f in order),
        coded=s.coded[order],
        missing_routed=s.missing_routed[order],
        zero_is_missing=s.zero_is_missing[order],
    )
    feature = np.where(e.feature < 0, -1, place[e.feature]).astype(np.int32)
    return dataclasses.replace(e, features=schema, feature=feature)


@settings(max_examples=10)
@given(case=cases(n_features=3, n_category_features=1))
def test_order_of_features_and_a_constant_column_change_nothing(case: Case) -> None:
    moved = permuted(case.ensemble, [2, 0, 1])
    schema = moved.features
    wider = dataclasses.replace(
        moved,
        features=FeatureSchema(
            names=(*schema.names, "constant"),
            named=True,
            categories=(*schema.categories, None),
            coded=np.append(schema.coded, False),
            missing_routed=np.append(schema.missing_routed, True),
            zero_is_missing=np.append(schema.zero_is_missing, False),
        ),
    )
    plain = gw.effects(case.ensemble, case.X, sample_weight=case.weight)
    other = gw.effects(wider, case.X.with_columns(constant=pl.lit(1.0)), sample_weight=case.weight)
    for name in plain:
        np.testing.assert_allclose(other[name].value, plain[name].value, rtol=1e-12, atol=1e-12)


def category_model(order: list[int]) -> Ensemble:
    """x0 in {a, c} → 1 (3 rows), else x0 in {b} → 2 (4), else 5 (2); labels stored in the given order."""
    labels = ["a", "b", "c", "d"]
    code = {labels[c]: i for i, c in enumerate(order)}
    sets = [(1 << code["a"]) | (1 << code["c"]), 1 << code["b"]]
    return build_ensemble(
        tree_start=[0, 5],
        feature=[0, -1, 0, -1, -1],
        threshold=[np.nan] * 5,
        left=[1, -1, 3, -1, -1],
        right=[2, -1, 4, -1, -1],
        category_set=[0, -1, 1, -1, -1],
        value=[0, 1, 0, 2, 5],
        weight=[9, 3, 6, 4, 2],
        set_start=[0, 1, 2],
        set_bits=sets,
        baseline=[0.0],
        features=FeatureSchema(
            names=("colour",),
            named=True,
            categories=(tuple(labels[c] for c in order),),
            coded=np.array([False]),
            missing_routed=np.array([True]),
            zero_is_missing=np.array([False]),
        ),
        source=SOURCE,
    )


@pytest.mark.parametrize("method", ["interventional", "path", "observed", "shared", "leafmean", "treemind"])
def test_labels_of_categories_may_come_in_any_order(method: str) -> None:
    X = pl.DataFrame({"colour": ["a", "b", "c", "d", "a", "z", None]})
    tables = []
    for order in ([0, 1, 2, 3], [3, 1, 0, 2]):
        found = gw.effects(category_model(order), X, method=method)["colour"]
        cells = found.cells
        key = [cells.label(i) for i in range(len(cells))]
        tables.append({k: (v, w) for k, v, w in zip(key, found.value, found.weight, strict=True)})
    assert set(tables[0]) == {"a", "b", "c", "d", "unseen", "missing"}
    for key, (value, weight) in tables[0].items():
        assert tables[1][key] == (pytest.approx(value, rel=1e-12, nan_ok=True), weight)


def test_values_of_categories_are_their_leaves() -> None:
    fx = gw.effects(category_model([0, 1, 2, 3]), method="path")["colour"]
    np.testing.assert_allclose(fx.value, [1, 2, 1, 5, 5, 5])
    assert fx.weight[-2:].tolist() == [0, 0]


def test_observed_is_the_mean_of_the_rows_in_a_cell_with_its_standard_error() -> None:
    e = two_trees()
    X = np.array([[0.0, 1.0], [0.0, 2.0], [2.0, 1.0], [3.0, 9.0]])
    fx = gw.effects(e, X, method="observed")["f1"]
    raw = e.predict_raw(X)
    np.testing.assert_allclose(fx.value[:3], [raw[:2].mean(), raw[2], raw[3]])
    assert fx.spread[0] == pytest.approx(raw[:2].std(ddof=1) / np.sqrt(2))
    assert np.isnan(fx.spread[1:3]).all()
    assert fx.weight.tolist() == [2, 1, 1, 0]
    assert np.isnan([fx.value[3], fx.effect[3]]).all()


def test_features_are_chosen_by_name_or_position() -> None:
    e = two_trees()
    assert list(gw.effects(e, features=["f2"])) == ["f2"]
    assert list(gw.effects(e, features=[1, "f1"])) == ["f2", "f1"]


@pytest.mark.parametrize(
    ("kwargs", "error", "message"),
    [
        ({"features": ["f3"]}, OptionError, "no feature 'f3'"),
        ({"features": [2]}, OptionError, "no feature at position 2; it has 2"),
        ({"features": ["f1", 0]}, OptionError, "names one twice"),
        ({"features": "f1"}, OptionError, "must be a list"),
        ({"method": "magic"}, OptionError, "method must be one of 'auto', .*; got 'magic'"),
        ({"method": "interventional"}, TableError, "pass X"),
        ({"sample_weight": [1.0]}, TableError, "no meaning without X"),
        ({"X": np.zeros((0, 2))}, TableError, "no row with a weight"),
        ({"X": np.zeros((2, 2)), "sample_weight": [0.0, 0.0]}, TableError, "no row with a weight"),
        ({"X": np.zeros((2, 3))}, TableError, "columns"),
    ],
)
def test_impossible_requests_are_refused(kwargs: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        gw.effects(two_trees(), **kwargs)


def test_methods_that_need_node_weights_say_so() -> None:
    e = two_trees()
    bare = dataclasses.replace(e, weight=np.full(e.n_nodes, np.nan))
    with pytest.raises(UnsupportedModelError, match="method='interventional'"):
        gw.effects(bare)
    np.testing.assert_allclose(gw.effects(bare, np.zeros((1, 2)))["f1"].value[0], e.predict_raw(np.zeros((1, 2)))[0])


def test_a_model_of_scikit_learn_is_read_automatically() -> None:
    from sklearn.ensemble import RandomForestRegressor
    from sklearn.inspection import partial_dependence

    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3)).astype(np.float32).astype(np.float64)
    model = RandomForestRegressor(8, max_depth=5, random_state=0).fit(X, X[:, 0] * X[:, 1] + X[:, 2])
    fx = gw.effects(model, X)
    for f in range(3):
        grid = np.array([-1.0, 0.0, 0.7])
        expected = partial_dependence(model, X, [f], custom_values={f: grid}, method="brute")["average"][0]
        cells = np.searchsorted(fx[f].cells.upper[: len(fx[f]) - 1], grid)
        np.testing.assert_allclose(fx[f].value[cells], expected, rtol=1e-10)


def test_progress_goes_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    case = random_case(1)
    gw.effects(case.ensemble, case.X, progress=True)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "effects" in shown.err
