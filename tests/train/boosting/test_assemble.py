"""Grown trees become ensembles that predict the same as during training."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from glasswood.ensemble import FeatureSchema
from glasswood.train.boosting import _assemble
from tests.train.examples import fit


def test_a_split_of_missing_values_alone_has_an_infinite_threshold() -> None:
    x = np.array([1.0, 2.0, 3.0, np.nan, np.nan, np.nan])[:, None]
    model = fit(x, [0, 0, 0, 1, 1, 1], n_estimators=1, l2=0.0, learning_rate=1.0).ensemble
    assert model.threshold[0] == np.inf and not model.missing_left[0]
    np.testing.assert_allclose(model.predict_raw(x), [0, 0, 0, 1, 1, 1])


def levels(labels: Sequence[str] | range) -> FeatureSchema:
    return FeatureSchema(
        names=("a",),
        named=True,
        categories=(tuple(labels),),
        coded=np.zeros(1, dtype=bool),
        missing_routed=np.ones(1, dtype=bool),
        zero_is_missing=np.zeros(1, dtype=bool),
    )


def test_levels_split_by_the_order_of_their_means() -> None:
    codes = np.repeat(np.arange(130, dtype=np.int32), 3)
    y = np.where(codes % 7 == 0, 5.0, 0.0)
    options: dict[str, Any] = {"n_estimators": 1, "max_depth": 1, "l2": 0.0, "learning_rate": 1.0}
    model = fit([codes], y, features=levels(range(130)), **options).ensemble
    np.testing.assert_allclose(model._plan().predict_raw([codes])[:, 0], y, atol=1e-12)
    unseen = model._plan().predict_raw([np.array([130], dtype=np.int32)])[0, 0]
    assert abs(unseen) < 1e-12  # goes with the heavier side


@pytest.mark.filterwarnings("ignore:.*share a bin")
def test_rare_levels_go_together() -> None:
    codes = np.concatenate([np.repeat(np.arange(3), 50), np.arange(3, 20)]).astype(np.int32)
    y = np.where(codes >= 3, 5.0, np.where(codes == 1, -5.0, 0.0))
    model = fit([codes], y, features=levels(range(20)), max_bins=4, n_estimators=1, l2=0.0, learning_rate=1.0).ensemble
    np.testing.assert_allclose(model._plan().predict_raw([codes])[:, 0], y, atol=1e-12)


def test_levels_in_another_order_give_the_same_trees() -> None:
    rng = np.random.default_rng(0)
    text = np.array([f"k{v:02d}" for v in rng.integers(0, 40, 600)])
    y = np.sort(rng.normal(size=600))  # rows in the order of the target: the order of appearance would reveal it
    options: dict[str, Any] = {"n_estimators": 5, "max_depth": 4}
    raw = []
    for names in (sorted(set(text)), list(dict.fromkeys(text)), list(dict.fromkeys(text[::-1]))):
        codes = np.array([names.index(one) for one in text], dtype=np.int32)
        model = fit([codes], y, features=levels(names), **options).ensemble
        raw.append(model._plan().predict_raw([codes])[:, 0])
    np.testing.assert_array_equal(raw[1], raw[0])
    np.testing.assert_array_equal(raw[2], raw[0])


@pytest.mark.parametrize("share", [0.5, 0.125, 2.0**-20])
def test_weights_that_are_shares_order_levels_as_rows_do(share: float) -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 40, 400).astype(np.int32)
    y = rng.normal(size=40)[codes] + rng.normal(size=400)
    options: dict[str, Any] = {"n_estimators": 5, "max_depth": 4, "l2": 0.0, "min_weight_leaf": 0.0}
    raw = []
    for weight in (np.ones(400), np.full(400, share)):
        model = fit([codes], y, weight=weight, features=levels(range(40)), **options).ensemble
        raw.append(model._plan().predict_raw([codes])[:, 0])
    np.testing.assert_allclose(raw[1], raw[0], atol=1e-12)


def test_sets_of_levels_do_not_depend_on_how_many_are_made_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    features = FeatureSchema(
        names=("narrow", "number", "wide"),
        named=True,
        categories=(tuple(range(70)), None, tuple(range(400))),
        coded=np.zeros(3, dtype=bool),
        missing_routed=np.ones(3, dtype=bool),
        zero_is_missing=np.zeros(3, dtype=bool),
    )
    codes = [rng.integers(0, n, 2000).astype(np.int32) for n in (70, 400)]
    columns = [codes[0], rng.normal(size=2000), codes[1]]
    y = codes[0] % 7 + columns[1] + codes[1] % 5
    models = []
    for most in (2**20, 1):
        monkeypatch.setattr(_assemble, "_MAX_FLAGS", most)
        models.append(fit(columns, y, features=features, n_estimators=5, max_depth=5).ensemble)
    used = models[0].feature[models[0].category_set >= 0]
    assert set(used.tolist()) == {0, 2}
    assert set(np.diff(models[0].set_start).tolist()) == {2, 7}
    np.testing.assert_array_equal(models[0].set_start, models[1].set_start)
    np.testing.assert_array_equal(models[0].set_bits, models[1].set_bits)
    raw = [model._plan().predict_raw(columns) for model in models]
    np.testing.assert_array_equal(raw[0], raw[1])
