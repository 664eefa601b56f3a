"""attributions: Shapley values of raw, with numbers one can check by hand and identities that must hold."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings

import glasswood as gw
from glasswood.errors import OptionError, TableError, UnsupportedModelError
from tests.explain.attributions import vectors
from tests.explain.attributions.vectors import fractions
from tests.reference import attributions as reference
from tests.reference.built import built
from tests.reference.effect_cases import Case, cases, random_case
from tests.reference.ensembles import Recipe, random_ensemble

RNG = np.random.default_rng(0)
X = RNG.normal(size=(400, 4))


def model(n_leaves: int, shape: str = "grown", **more: Any) -> gw.Ensemble:
    recipe = Recipe(n_trees=12, n_features=4, n_leaves=n_leaves, shapes=(shape,), odd=False, **more)
    return built(random_ensemble(np.random.default_rng(3), recipe))


@settings(max_examples=20)
@given(case=cases())
def test_values_equal_the_game_over_all_coalitions(case: Case) -> None:
    compare_with_the_game(case)


@pytest.mark.parametrize("n_levels", [64, 70, 130])
@pytest.mark.parametrize("seed", range(4))
def test_values_of_many_categories_equal_the_game_too(n_levels: int, seed: int) -> None:
    case = random_case(seed, max_levels=n_levels, n_features=3, n_category_features=2, n_trees=3, n_leaves=9)
    compare_with_the_game(case)


def compare_with_the_game(case: Case) -> None:
    e = case.ensemble
    by_path = gw.attributions(e, case.X, interactions=True)
    by_rows = gw.attributions(e, case.X, background=case.X, sample_weight=case.weight, interactions=True)
    p, k = len(e.features), e.n_outputs
    for r, row in enumerate(case.rows[:3]):
        for found, game in (
            (by_path, reference.by_path(e, row)),
            (by_rows, reference.by_rows(e, row, case.rows, case.w)),
        ):
            np.testing.assert_allclose(found.baseline, game.base, rtol=0, atol=1e-12)
            np.testing.assert_allclose(found.values[r].reshape(p, k), game.values, rtol=0, atol=1e-12)
            assert found.interactions is not None
            np.testing.assert_allclose(found.interactions[r].reshape(p, p, k), game.pairs, rtol=0, atol=1e-12)


def check(
    found: gw.Attributions, row: int, baseline: str, values: list[str], pairs: list[str], output: int = 0
) -> None:
    """Compare with fractions; pairs are the diagonal, then the cells above it."""
    p = len(found.names)
    by_output = found.values.reshape(len(found), p, -1)
    np.testing.assert_allclose(found.baseline[output], fractions(baseline)[0], rtol=0, atol=1e-14)
    np.testing.assert_allclose(by_output[row, :, output], fractions(*values), rtol=0, atol=1e-14)
    assert found.interactions is not None
    table = found.interactions.reshape(len(found), p, p, -1)[row, :, :, output]
    if pairs:
        upper = table[np.triu_indices(p, 1)]
        np.testing.assert_allclose([*np.diag(table), *upper], fractions(*pairs), rtol=0, atol=1e-14)


def test_two_numbers() -> None:
    e, rows = vectors.two_numbers(), vectors.TWO_NUMBERS_ROWS
    path = gw.attributions(e, rows, interactions=True)
    check(path, 0, "1.794", ["-0.075", "0.151"], ["-0.034", "0.192", "-0.041"])
    check(path, 1, "1.794", ["-0.1905", "0.4665"], ["-0.169", "0.488", "-0.0215"])
    over = vectors.TWO_NUMBERS_BACKGROUND
    even = gw.attributions(e, rows, background=over, interactions=True)
    check(even, 0, "1.9775", ["-0.0875", "-0.02"], ["-0.0875", "-0.02", "0"])
    check(even, 1, "1.9775", ["-0.155", "0.2475"], ["-0.1775", "0.225", "0.0225"])
    weighted = gw.attributions(e, rows, background=over, sample_weight=[1, 2, 3, 4], interactions=True)
    check(weighted, 0, "2.119", ["-0.141", "-0.108"], ["-0.141", "-0.108", "0"])
    check(weighted, 1, "2.119", ["-0.177", "0.128"], ["-0.195", "0.11", "0.018"])


def test_missing_and_unseen_values_are_values() -> None:
    e, rows = vectors.number_and_category(), vectors.NUMBER_AND_CATEGORY_ROWS
    path = gw.attributions(e, rows, interactions=True)
    check(path, 0, "5.9", ["-527/120", "59/120"], ["-127/30", "0.65", "-19/120"])
    check(path, 1, "5.9", ["4.75", "-0.65"], ["4.1", "-1.3", "0.65"])
    check(path, 2, "5.9", ["-227/120", "119/120"], ["-67/30", "0.65", "41/120"])
    over = vectors.NUMBER_AND_CATEGORY_BACKGROUND
    rows_too = gw.attributions(e, rows, background=over, sample_weight=[1, 2, 1], interactions=True)
    check(rows_too, 0, "5.25", ["-3.625", "0.375"], ["-3.75", "0.25", "0.125"])
    check(rows_too, 1, "5.25", ["5.75", "-1"], ["4.75", "-2", "1"])
    check(rows_too, 2, "5.25", ["-1.375", "1.125"], ["-2.25", "0.25", "0.875"])


def test_two_outputs_and_a_leaf_without_weight() -> None:
    e, rows = vectors.two_outputs(), vectors.TWO_OUTPUTS_ROWS
    path = gw.attributions(e, rows, interactions=True)
    check(path, 0, "3", ["1.25", "-0.25", "-4"], ["2.5", "2", "-0.5", "0", "-1.25", "-2.25"])
    check(path, 1, "3", ["2.75", "2.25", "0"], ["2", "1.5", "0", "0.75", "0", "0"])
    check(path, 0, "3.375", ["-2.4375", "0.0625", "1"], [], output=1)
    check(path, 1, "3.375", ["-2.8125", "-0.5625", "0"], [], output=1)
    weight = [1, 1, 2]
    over = gw.attributions(e, rows, background=vectors.TWO_OUTPUTS_BACKGROUND, sample_weight=weight, interactions=True)
    check(over, 0, "5.25", ["0.25", "-0.5", "-5"], ["0.75", "1", "-4", "-0.5", "0", "-1"])
    check(over, 1, "5.25", ["11/12", "7/6", "2/3"], ["5/12", "2/3", "-1/3", "0", "0.5", "0.5"])
    check(over, 0, "1.75", ["-1.125", "0.125", "1.25"], [], output=1)
    check(over, 1, "1.75", ["-31/24", "-7/24", "-1/6"], [], output=1)


@pytest.mark.parametrize("background", [None, X])
def test_values_and_baseline_add_up_to_raw(background: Any) -> None:
    e = model(40)
    found = gw.attributions(e, X, background=background, interactions=True)
    raw = e.predict_raw(X)
    np.testing.assert_array_equal(found.raw, raw)
    np.testing.assert_allclose(found.values.sum(axis=1) + found.baseline, raw, rtol=0, atol=1e-12)
    assert found.interactions is not None
    np.testing.assert_allclose(found.interactions.sum(axis=2), found.values, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(found.interactions, found.interactions.swapaxes(1, 2))


def test_over_the_background_itself_every_feature_gets_zero_on_average() -> None:
    weight = RNG.random(len(X))
    found = gw.attributions(model(40), X, background=X, sample_weight=weight)
    np.testing.assert_allclose(weight @ found.values / weight.sum(), 0, atol=1e-12)


def test_one_background_row_is_the_baseline_and_its_own_attributions_are_zero() -> None:
    e = model(40)
    found = gw.attributions(e, X[:5], background=X[2:3], interactions=True)
    assert found.baseline[0] == e.predict_raw(X[2:3])[0]
    assert not found.values[2].any() and found.values[1].any()
    assert found.interactions is not None and not found.interactions[2].any()


def test_features_and_pairs_on_no_path_get_exactly_zero() -> None:
    e = model(2)  # stumps: no path has two features
    wider = np.column_stack([X, RNG.normal(size=len(X))])
    more = gw.TreeRegressor(max_depth=3).fit(wider, X[:, 0] * (X[:, 1] > 0))
    unused = [j for j in range(5) if j not in gw.read(more).feature]
    for background in (None, wider):
        found = gw.attributions(more, wider, background=background, interactions=True)
        assert unused and not found.values[:, unused].any()
        assert found.interactions is not None and not found.interactions[:, unused].any()
    for background in (None, X):
        pairs = gw.attributions(e, X, background=background, interactions=True).interactions
        assert pairs is not None and not pairs[:, ~np.eye(4, dtype=bool)].any()


def test_the_values_of_an_additive_model_are_its_effects() -> None:
    e = model(2)
    found, fx = gw.attributions(e, X, background=X), gw.effects(e, X)
    for j, name in enumerate(e.feature_names):
        effect = fx[name]
        cuts = effect.cells.upper[np.isfinite(effect.cells.upper)]
        centred = effect.value - np.average(effect.value[: len(cuts) + 1], weights=effect.weight[: len(cuts) + 1])
        np.testing.assert_allclose(found.values[:, j], centred[np.searchsorted(cuts, X[:, j])], rtol=0, atol=1e-12)


def test_at_depth_2_pairs_are_half_the_terms_of_partial_dependence() -> None:
    e, few = model(4, "oblivious"), X[:7]
    found = gw.attributions(e, few, background=X, interactions=True)
    pairs = found.interactions
    assert pairs is not None

    def mean(row: int, *fixed: int) -> float:
        moved = X.copy()
        moved[:, list(fixed)] = few[row, list(fixed)]
        return float(e.predict_raw(moved).mean())

    for r in range(len(few)):
        alone = [mean(r, j) - mean(r) for j in range(4)]
        np.testing.assert_allclose(np.diag(pairs[r]), alone, rtol=0, atol=1e-12)
        for j in range(4):
            for k in range(j):
                term = mean(r, j, k) - mean(r, j) - mean(r, k) + mean(r)
                np.testing.assert_allclose(2 * pairs[r, j, k], term, rtol=0, atol=1e-12)


@pytest.mark.parametrize("background", [None, X])
def test_bits_do_not_depend_on_threads_rows_or_chunks(background: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from glasswood.explain.attributions import _engine

    e = model(40)
    one = gw.attributions(e, X, background=background, interactions=True)
    two = gw.attributions(e, X, background=background, interactions=True, n_jobs=2)
    np.testing.assert_array_equal(one.values, two.values)
    np.testing.assert_array_equal(one.interactions, two.interactions)
    monkeypatch.setattr(_engine, "_CHUNK_ROWS", 64)
    chunks = gw.attributions(e, X, background=background, interactions=True)
    np.testing.assert_array_equal(one.values, chunks.values)
    np.testing.assert_array_equal(one.interactions, chunks.interactions)
    np.testing.assert_array_equal(gw.attributions(e, X[7:8], background=background).values, one.values[7:8])


def test_some_features_and_one_output_are_picked_from_all() -> None:
    e = model(20, n_outputs=3, width=3)
    everything = gw.attributions(e, X, background=X[:50], interactions=True)
    some = gw.attributions(e, X, background=X[:50], interactions=True, features=["x3", 0], output=1)
    assert some.names == ("x3", "x0") and some.outputs == (e.outputs[1],)
    np.testing.assert_array_equal(some.values, everything.values[:, [3, 0], 1])
    assert some.interactions is not None and everything.interactions is not None
    np.testing.assert_allclose(
        some.interactions, everything.interactions[:, [3, 0]][:, :, [3, 0], 1], rtol=0, atol=1e-13
    )
    np.testing.assert_array_equal(some.raw, everything.raw[:, 1])
    np.testing.assert_array_equal(some.baseline, everything.baseline[1:2])


def test_what_features_left_out_add_is_kept_as_one_number() -> None:
    e = model(20, n_outputs=3, width=3)
    everything = gw.attributions(e, X, background=X[:50])
    for output in (None, 1):
        some = gw.attributions(e, X, background=X[:50], features=["x3", 0], output=output)
        assert some.n_rest == 2
        np.testing.assert_allclose(some.values.sum(axis=1) + some.rest + some.baseline, some.raw, rtol=0, atol=1e-12)
        np.testing.assert_array_equal(
            some.rest, (everything.values[:, 1] + everything.values[:, 2])[:, slice(None) if output is None else output]
        )
    np.testing.assert_array_equal(
        gw.attributor(e, background=X[:50])(X[7:8], features=["x3", 0]).rest[0],
        gw.attributions(e, X, background=X[:50], features=["x3", 0]).rest[7],
    )
    assert everything.n_rest == 0 and not everything.rest.any()


def test_what_rows_of_pairs_miss_is_what_a_feature_shares_with_those_left_out() -> None:
    e = model(20)
    everything = gw.attributions(e, X[:30], background=X, interactions=True).interactions
    some = gw.attributions(e, X[:30], background=X, interactions=True, features=["x3", 0])
    assert everything is not None and some.interactions is not None
    shared = everything[:, [3, 0]][:, :, [1, 2]].sum(axis=2)
    np.testing.assert_allclose(some.values - some.interactions.sum(axis=2), shared, rtol=0, atol=1e-12)


def test_features_no_tree_knows_leave_exactly_nothing() -> None:
    wider = np.column_stack([X, RNG.normal(size=len(X))])
    more = gw.TreeRegressor(max_depth=3).fit(wider, X[:, 0] * (X[:, 1] > 0))
    used = sorted(set(gw.read(more).feature.tolist()) - {-1})
    found = gw.attributions(more, wider, background=wider, features=used)
    assert found.n_rest and not found.rest.any()


def test_a_background_may_come_in_parts_and_rows_of_weight_0_are_ignored() -> None:
    e, weight = model(20), RNG.random(len(X))
    weight[::3] = 0
    whole = gw.attributions(e, X[:9], background=X, sample_weight=weight)
    parts = iter([X[:100], X[100:]])
    in_parts = gw.attributions(e, X[:9], background=parts, sample_weight=iter([weight[:100], weight[100:]]))
    np.testing.assert_array_equal(whole.values, in_parts.values)
    assert whole.n_background == np.count_nonzero(weight)
    kept = gw.attributions(e, X[:9], background=X[weight > 0], sample_weight=weight[weight > 0])
    np.testing.assert_array_equal(whole.values, kept.values)


def test_equal_weights_of_any_size_all_count_without_a_warning() -> None:
    even = gw.attributions(model(20), X, background=X)
    tiny = gw.attributions(model(20), X, background=X, sample_weight=np.full(len(X), 1e-310))  # warnings are errors
    assert tiny.n_background == len(X)
    np.testing.assert_allclose(tiny.values, even.values, rtol=0, atol=1e-12)
    assert tiny.values.any()
    beside = np.where(np.arange(len(X)) == 0, 1.0, 1e-30)
    with pytest.warns(gw.PrecisionWarning, match="399 rows weigh less than"):
        gw.attributions(model(20), X[:2], background=X, sample_weight=beside)


def test_frames_of_every_kind_give_the_same() -> None:
    e = vectors.two_numbers()
    rows, over = vectors.TWO_NUMBERS_ROWS, vectors.TWO_NUMBERS_BACKGROUND
    expected = gw.attributions(e, rows, background=over).values
    turned = rows.select("f2", "f1")
    for X_, background in (
        (rows.to_pandas(), over.to_arrow()),
        (turned, over.to_pandas()),
        (rows.to_arrow().to_reader(), over.to_arrow().to_reader()),
    ):
        np.testing.assert_array_equal(gw.attributions(e, X_, background=background).values, expected)


def test_predictions_follow_the_link() -> None:
    y = (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(int)
    classifier = gw.BoostingClassifier(n_estimators=10).fit(X, y)
    found = gw.attributions(classifier, X)
    np.testing.assert_array_equal(found.prediction, classifier.predict_proba(X)[:, 1])
    assert found.baseline_prediction is not None and 0 < found.baseline_prediction[0] < 1
    three = gw.BoostingClassifier(n_estimators=3).fit(X, np.digitize(X[:, 0], [-0.5, 0.5]))
    every, one = gw.attributions(three, X), gw.attributions(three, X, output="1")
    assert every.prediction is not None
    np.testing.assert_array_equal(one.prediction, every.prediction[:, 1])


def test_no_rows_give_no_attributions() -> None:
    found = gw.attributions(model(9), X[:0], background=X, interactions=True)
    assert found.values.shape == (0, 4) and found.interactions is not None and found.interactions.shape == (0, 4, 4)


def test_a_constant_model_attributes_nothing() -> None:
    e = built(random_ensemble(RNG, Recipe(n_trees=0, n_features=4)))
    for background in (None, X):
        found = gw.attributions(e, X, background=background)
        assert not found.values.any()
        np.testing.assert_array_equal(found.baseline, e.baseline)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"method": "interventional"}, OptionError, "pass background"),
        ({"method": "path", "background": X}, OptionError, "reads no background"),
        ({"method": "observed"}, OptionError, "method must be one of"),
        ({"sample_weight": np.ones(400)}, OptionError, "sample_weight weighs the rows of the background"),
        ({"background": X[:, :3]}, TableError, "background: the model has 4 features"),
        ({"background": X[:0]}, TableError, "the background has no row; "),
        ({"background": X, "sample_weight": np.zeros(400)}, TableError, "no row with a weight above 0"),
        ({"background": X, "sample_weight": -np.ones(400)}, TableError, "background: sample_weight is negative"),
        ({"background": X, "sample_weight": np.ones(3)}, TableError, "background: sample_weight has 3 values"),
        ({"background": X, "sample_weight": np.full(400, np.nan)}, TableError, "sample_weight is missing"),
        ({"background": [X, X]}, TableError, r"^background is a list of tables; pass iter\(background\)"),
        ({"background": iter([])}, TableError, "^background is an iterator without a table"),
        ({"features": ["nobody"]}, OptionError, "nobody"),
        ({"output": "nobody"}, OptionError, "there is no output 'nobody'"),
        ({"interactions": "yes"}, OptionError, "interactions must be True or False"),
        ({"n_jobs": 0}, OptionError, "n_jobs=0"),
    ],
)
def test_what_does_not_fit_is_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        gw.attributions(model(9), X, **options)


def test_a_background_with_other_columns_names_them() -> None:
    e = vectors.two_numbers()
    with pytest.raises(TableError, match=r"background: the table lacks 'f2'.*does not know the column 'f3'"):
        gw.attributions(e, vectors.TWO_NUMBERS_ROWS, background=pl.DataFrame({"f1": [1.0], "f3": [1.0]}))


def test_a_model_without_weights_needs_a_background() -> None:
    import dataclasses

    e = model(9)
    bare = dataclasses.replace(e, weight=np.full(e.n_nodes, np.nan))
    with pytest.raises(UnsupportedModelError, match="pass background"):
        gw.attributions(bare, X)
    np.testing.assert_array_equal(
        gw.attributions(bare, X, background=X).values, gw.attributions(e, X, background=X).values
    )


def test_several_tables_need_an_attributor() -> None:
    with pytest.raises(TableError, match=r"gw\.attributor"):
        gw.attributions(model(9), iter([X]))


def test_interactions_that_do_not_fit_are_refused_with_advice() -> None:
    e = built(random_ensemble(RNG, Recipe(n_trees=1, n_features=300)))
    with pytest.raises(OptionError, match=r"7\.2 GB.*at most 5,555 rows.*features="):
        gw.attributions(e, np.zeros((10_000, 300)), interactions=True)
    found = gw.attributions(e, np.zeros((10_000, 300)), interactions=True, features=[0, 1])
    assert found.interactions is not None and found.interactions.shape == (10_000, 2, 2)


def test_what_does_not_add_up_is_not_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    e = model(9)
    wrong = gw.attributor(e, background=X)
    object.__setattr__(wrong._engine, "baseline", wrong._engine.baseline + 1e-6)
    with pytest.raises(gw.AdditivityError, match="row 0 miss raw"):
        wrong(X[:1])


def test_a_class_of_a_read_model_is_asked_for_by_name() -> None:
    from sklearn.ensemble import RandomForestClassifier

    y = np.where(X[:, 0] > 0, "yes", "no")
    frame = pd.DataFrame(X, columns=list("abcd"))
    forest = RandomForestClassifier(5, random_state=0).fit(frame, y)
    found = gw.attributions(forest, frame, background=frame)
    np.testing.assert_allclose(found.values.sum(axis=1) + found.baseline, found.raw, rtol=0, atol=1e-12)
    with pytest.raises(OptionError, match="there is no output 'maybe'"):
        gw.attributions(forest, frame, output="maybe")
