"""gw.counterfactuals: the nearest row, compared with a look at every row that could be it."""

import dataclasses
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import glasswood as gw
from glasswood.ensemble import LOGIT, SOFTMAX, text_hash
from glasswood.explain.proofs._cells import cells_of
from glasswood.explain.proofs._costs import reaches_of
from tests.reference import predict as reference
from tests.reference.built import built
from tests.reference.proofs import all_columns, move_cost, near_values, small

CROSSED = list(product([1.0, 2.0, 3.0, 4.0], ["x", "y"], [0, 1, 2]))
X = pd.DataFrame(CROSSED, columns=["a", "k", "b"]).astype({"k": "category"})
Y = X["a"] * 2 + (X["k"] == "y") * (X["b"] + 1.0)


def tree() -> gw.Ensemble:
    return gw.TreeRegressor(min_samples_leaf=1, min_samples_split=2).fit(X, Y).ensemble_


def drawn_row(arrays, rng: np.random.Generator) -> list[float]:
    columns = all_columns(arrays)
    at = int(rng.integers(len(columns[0])))
    row = [float(column[at]) for column in columns]
    return [0.25 if np.isinf(value) else value for value in row]


def as_given(arrays, row: list[float]) -> list[float | int | None]:
    """A row as a caller has it: None is missing, and levels are labelled by their code."""
    return [
        None if np.isnan(value) or (levels and value < 0) else int(value) if levels else value
        for value, levels in zip(row, arrays["n_levels"].tolist(), strict=True)
    ]


def looked_up(arrays, ensemble, row, met, free=None):
    """Distance of the nearest of all rows that meet the target, and the least number of changes at that distance."""
    reaches = reaches_of(ensemble, cells_of(ensemble), None)
    options = {j: near_values(arrays, j, row[j]) if free is None or free[j] else [row[j]] for j in range(len(row))}
    columns = all_columns(arrays, options)
    costs = [move_cost(arrays, j, row[j], columns[j], reaches[j].scale) for j in range(len(row))]
    there = met(reference.predict_raw(arrays, columns))
    if not there.any():
        return np.inf, 0, []
    distance = np.add.accumulate(costs, axis=0)[-1]
    least = distance[there].min()
    n_changed = (np.array(costs) > 0).sum(axis=0)
    sets = [frozenset(np.flatnonzero(np.array(costs)[:, i] > 0).tolist()) for i in np.flatnonzero(there)]
    ranked = sorted(zip(distance[there].tolist(), map(len, sets), sets, strict=True), key=lambda item: item[:2])
    with np.errstate(over="ignore"):  # the farthest row may be as far as a float can say
        near = distance <= least * (1 + 1e-12)
    return least, int(n_changed[there & near].min()), ranked


@given(st.integers(0, 2**32))
@example(100202)  # the nearest row is at a distance of 1.5e-323, which does not grow by a factor below 1.5
@example(5401)  # the nearest row is as far as the largest float
@settings(max_examples=250)
def test_the_nearest_row_is_the_nearest_of_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    arrays = small(seed)
    ensemble = built(arrays)
    row = drawn_row(arrays, rng)
    free = rng.random(len(row)) < 0.8
    if ensemble.n_outputs == 1:
        raw = reference.predict_raw(arrays, all_columns(arrays))[:, 0]
        low = float(np.quantile(raw, rng.random()))
        target, met = (low, low + float(rng.exponential())), lambda raw: (raw[:, 0] >= low) & (raw[:, 0] <= target[1])
    else:
        ensemble = dataclasses.replace(ensemble, link=SOFTMAX)
        wanted = int(rng.integers(ensemble.n_outputs))
        target, met = ensemble.outputs[wanted], lambda raw: raw.argmax(axis=1) == wanted
    fixed = [name for name, may in zip(ensemble.feature_names, free, strict=True) if not may]
    found = gw.counterfactuals(ensemble, as_given(arrays, row), target, fixed=fixed)
    least, fewest, _ = looked_up(arrays, ensemble, row, met, free)
    if least == np.inf:
        assert found.status == "impossible" and not found.rows
        return
    assert found.status == "proven"
    np.testing.assert_allclose(found.distance, [least], rtol=1e-12)
    assert len(found.changes[0]) == fewest
    assert not set(fixed) & set(found.changes[0])
    assert met(found.raw[1:])[0]


def values_of_x(arrays, j: int, row: list[float], column: np.ndarray, way: str | None) -> list[float]:
    """Values to which a feature may move if rows limit it: levels of X; numbers in its range, whole if all of X are."""
    own = row[j]
    if arrays["n_levels"][j]:
        return [own, *sorted({float(level) for level in column} - {own})]
    there = column[np.isfinite(column)]
    tried = np.array([*near_values(arrays, j, own), there.min(), there.max()])
    tried = tried[np.isfinite(tried)]
    if np.all(there == np.floor(there)):
        tried = np.unique([*np.floor(tried), *np.ceil(tried), -1.0, 0.0, 1.0])
    tried = tried[(tried >= there.min()) & (tried <= there.max())]
    if way and not np.isnan(own):
        tried = tried[tried >= own] if way == "rise" else tried[tried <= own]
    return [own, *(float(v) for v in np.unique(tried) if v != own)]


@given(st.integers(0, 2**32))
@settings(max_examples=150)
def test_rows_and_directions_limit_the_nearest_of_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    arrays = small(seed)
    if arrays["baseline"].size != 1:
        return
    ensemble, columns = built(arrays), all_columns(arrays)
    at = rng.integers(len(columns[0]), size=4)
    table = np.column_stack([np.where(np.isinf(c[at].astype(float)), 0.25, c[at].astype(float)) for c in columns])
    directions = {}
    for j, n in enumerate(arrays["n_levels"].tolist()):
        if n:
            table[:, j] = np.where((table[:, j] < 0) | (table[:, j] >= n), 0, table[:, j])
            continue
        if rng.random() < 0.4:
            table[:, j] = np.round(table[:, j])
        if rng.random() < 0.5:
            directions[f"x{j}"] = str(rng.choice(["rise", "fall"]))
    if np.isnan(table).all(axis=0).any():
        return
    row = table[0].tolist()
    low = float(np.quantile(reference.predict_raw(arrays, columns)[:, 0], rng.random()))
    high = low + float(rng.exponential())
    found = gw.counterfactuals(ensemble, as_given(arrays, row), (low, high), directions=directions, X=table)
    ways = [directions.get(f"x{j}") for j in range(len(row))]
    options = {j: values_of_x(arrays, j, row, table[:, j], way) for j, way in enumerate(ways)}
    tried = all_columns(arrays, options)
    reaches = reaches_of(ensemble, cells_of(ensemble), table)
    costs = [move_cost(arrays, j, row[j], tried[j], reaches[j].scale) for j in range(len(row))]
    raw = reference.predict_raw(arrays, tried)[:, 0]
    there = (raw >= low) & (raw <= high)
    if not there.any():
        assert found.status == "impossible"
        return
    assert found.status == "proven"
    np.testing.assert_allclose(found.distance, [np.add.accumulate(costs, axis=0)[-1][there].min()], rtol=1e-9)


@given(st.integers(0, 2**32))
@settings(max_examples=60)
def test_further_rows_change_something_else(seed: int) -> None:
    rng = np.random.default_rng(seed)
    arrays = small(seed)
    ensemble = dataclasses.replace(built(arrays), link=LOGIT if arrays["baseline"].size == 1 else SOFTMAX)
    row = drawn_row(arrays, rng)
    wanted = int(rng.integers(2))

    def met(raw):
        return (raw[:, 0] > 0) == wanted if raw.shape[1] == 1 else raw.argmax(axis=1) == wanted

    target = wanted if ensemble.n_outputs == 1 else ensemble.outputs[wanted]
    found = gw.counterfactuals(ensemble, as_given(arrays, row), target, k=3)
    _, _, ranked = looked_up(arrays, ensemble, row, met)
    expected: list[tuple[float, frozenset[int]]] = []
    for distance, _, changed in ranked:
        if len(expected) < 3 and not any(earlier <= changed for _, earlier in expected):
            expected.append((distance, changed))
    np.testing.assert_allclose(found.distance, [distance for distance, _ in expected], rtol=1e-12)
    assert found.status == ("proven" if expected else "impossible")


@given(st.integers(0, 2**32))
@settings(max_examples=60)
def test_a_search_that_ends_early_holds_a_true_bound(seed: int) -> None:
    rng = np.random.default_rng(seed)
    arrays = small(seed)
    ensemble = dataclasses.replace(built(arrays), link=LOGIT if arrays["baseline"].size == 1 else SOFTMAX)
    row = drawn_row(arrays, rng)
    target = 1 if ensemble.n_outputs == 1 else ensemble.outputs[1]
    early = gw.counterfactuals(ensemble, as_given(arrays, row), target, max_nodes=1)
    exact = gw.counterfactuals(ensemble, as_given(arrays, row), target)
    least = exact.distance[0] if exact.rows else np.inf
    assert early.bound <= least * (1 + 1e-12) or early.bound == least
    assert not early.rows or early.distance[0] >= least * (1 - 1e-12)
    assert early.status in ("undecided", exact.status)


def test_directions_and_the_rows_of_x_limit_what_may_change() -> None:
    model = tree()
    row = {"a": 2.0, "k": "x", "b": 1}
    free = gw.counterfactuals(model, row, (6.5, None), X=X)
    assert free.changes == ({"a": (2.0, 4.0)},)  # whole, because all of X is; "k" and "a" together are as near
    down = gw.counterfactuals(model, row, (6.5, None), X=X, directions={"a": "fall"}, fixed=["k"])
    assert down.status == "impossible" and "No row gives a prediction of at least 6.5" in repr(down)
    level = gw.counterfactuals(model, row, (6.5, None), X=X, directions={"a": "fall"})
    assert level.changes == ({"k": ("x", "y"), "b": (1.0, 2.0)},)
    assert gw.counterfactuals(model, X[:1], float(Y[0]), X=X).distance.tolist() == [0.0]


@pytest.mark.parametrize("target", [(1.5, None), (None, -0.1), (np.nextafter(1.0, 2.0), 3.0)])
def test_a_probability_that_there_is_not_is_impossible(target) -> None:
    found = gw.counterfactuals(dataclasses.replace(tree(), link=LOGIT), [2.0, "x", 1.0], target)
    assert found.status == "impossible" and found.n_nodes == 0 and not found.rows


def test_ends_of_the_probabilities_are_searched() -> None:
    model = dataclasses.replace(tree(), link=LOGIT)
    assert gw.counterfactuals(model, [2.0, "x", 1.0], (1.0, None)).status == "impossible"  # raw is too small
    assert gw.counterfactuals(model, [2.0, "x", 1.0], (None, 0.0)).status == "impossible"
    assert gw.counterfactuals(model, [2.0, "x", 1.0], (0.0, 1.0)).status == "proven"


def test_a_probability_near_one_is_not_called_one() -> None:
    found = gw.counterfactuals(dataclasses.replace(tree(), link=LOGIT), [2.0, "x", 1.0], (1 - 1e-9, None))
    assert repr(found) == "<Counterfactuals: No row gives a prediction of at least 0.999999999: proven>"


def test_rows_of_every_kind_are_taken() -> None:
    model = tree()
    given = [{"a": 2.0, "k": "x", "b": 1}, [2.0, "x", 1.0], pd.DataFrame({"a": [2.0], "k": ["x"], "b": [1]})]
    found = [gw.counterfactuals(model, row, 9.0) for row in given]
    assert found[0].rows == found[1].rows == found[2].rows and found[0].rows
    unseen = gw.counterfactuals(model, {"a": None, "k": "a new one", "b": 1}, 9.0)
    assert unseen.row["k"] == "a new one" and unseen.row["a"] is None


def test_bad_requests_name_the_culprit() -> None:
    model = tree()
    row = [2.0, "x", 1.0]
    ask = gw.counterfactuals
    for match, call in {
        "the model has no feature 'aa'; did you mean": lambda: ask(model, row, 9.0, fixed=["aa"]),
        r"fixed is a sequence of names; write \['a'\]": lambda: ask(model, row, 9.0, fixed="a"),
        "'k' is a category, which has no order": lambda: ask(model, row, 9.0, directions={"k": "rise"}),
        "must be one of 'rise', 'fall'": lambda: ask(model, row, 9.0, directions={"a": "up"}),
        "row has 2 values, the model has 3 features": lambda: ask(model, row[:2], 9.0),
        "row lacks 'b'": lambda: ask(model, {"a": 1.0, "k": "x"}, 9.0),
        "row must be one row, the table has 24": lambda: ask(model, X, 9.0),
        "feature 'a' is a number, got 'x'": lambda: ask(model, ["x", "x", 1.0], 9.0),
        r"target must be a number, a range \(low, high\)": lambda: ask(model, row, "high"),
        "low <= high": lambda: ask(model, row, (3.0, 1.0)),
        "distance must be one of 'scaled_l1'": lambda: ask(model, row, 9.0, distance="l2"),
    }.items():
        with pytest.raises(gw.OptionError, match=match):
            call()
    with pytest.raises(gw.TableError, match="X has no rows"):
        ask(model, row, 9.0, X=X[:0])


def hashed(model: gw.Ensemble) -> gw.Ensemble:
    """The model as CatBoost stores it: of the levels of k only hashes are known."""
    hashes = tuple(text_hash(level) for level in ("x", "y"))
    features = dataclasses.replace(
        model.features,
        categories=(None, tuple(f"#{known:08x}" for known in hashes), None),
        hashes=(None, hashes, None),
    )
    return model._with_features(features)


@pytest.mark.parametrize("level", ["x", "y"])
def test_a_level_that_is_known_by_its_hash_is_found(level: str) -> None:
    model = hashed(tree())
    rows = X[(X["a"] == 2.0) & (X["k"] == level) & (X["b"] == 1)]
    wanted = gw.counterfactuals(model, rows, 7.5)
    for row in ([2.0, level, 1], {"a": 2.0, "k": level, "b": 1}, (2.0, np.str_(level), np.int64(1))):
        found = gw.counterfactuals(model, row, 7.5)
        assert found.raw.tolist() == wanted.raw.tolist() and found.raw[0] == model.predict_raw(rows)[0]
        assert found.row["k"] == level
        assert found.distance.tolist() == wanted.distance.tolist()


def test_numbers_are_levels_by_the_text_that_is_hashed() -> None:
    model = (
        gw.TreeRegressor(min_samples_leaf=1, min_samples_split=2)
        .fit(pd.DataFrame({"k": pd.Categorical([1, 2])}), [1.0, 5.0])
        .ensemble_
    )
    hashes = tuple(text_hash(text) for text in ("1", "2"))
    features = dataclasses.replace(model.features, categories=(("1", "2"),), hashes=(hashes,))
    stored = model._with_features(features)
    for one, two in ((1, 2), (1.0, 2.0), ("1", "2"), (True, 2)):
        assert gw.counterfactuals(stored, [one], 5.0).raw[0] == 1.0
        assert gw.counterfactuals(stored, [two], 1.0).raw[0] == 5.0


@pytest.mark.parametrize("absent", [None, np.nan, pd.NA, pd.NaT])
def test_every_word_for_missing_is_missing(absent) -> None:
    model = gw.BoostingRegressor(n_estimators=2, min_weight_leaf=0.0).fit(
        pd.DataFrame({"a": [1.0, 2.0, np.nan] * 4, "k": pd.Categorical(["x", "y", None] * 4)}), [1.0, 2.0, 9.0] * 4
    )
    found = gw.counterfactuals(model, {"a": absent, "k": absent}, 0.0)
    assert found.row == {"a": None, "k": None}
    assert found.raw[0] == model.predict(pd.DataFrame({"a": [np.nan], "k": pd.Categorical([None], ["x", "y"])}))[0]


def test_a_row_that_holds_no_values_is_refused() -> None:
    for row, message in (
        ([1.0, ["x"], 0], "row: feature 'k' has list categories"),
        ([1.0, {"x": 1}, 0], "row: feature 'k' has dict categories"),
        ([1.0, np.array(["x", "y"]), 0], "row: feature 'k' has ndarray categories"),
        ([10**400, "x", 0], "row: feature 'a' is given an integer too large for a float64"),
        ([[1.0], "x", 0], "row: feature 'a' is a number"),
    ):
        with pytest.raises(gw.TableError if "categories" in message else gw.OptionError, match=message):
            gw.counterfactuals(tree(), row, 7.0)


def test_features_may_be_fixed_by_an_iterator() -> None:
    assert gw.counterfactuals(tree(), X[:1], 7.0, fixed=iter(["a", "b", "k"])).status == "impossible"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fixed": 3}, "fixed is a sequence of names; got 3"),
        ({"fixed": None}, "fixed is a sequence of names; got None"),
        ({"directions": 3}, "directions is a mapping such as {'age': 'rise'}; got 3"),
        ({"directions": [("a", "rise")]}, "directions is a mapping"),
    ],
)
def test_options_of_the_wrong_kind_are_named(options, message: str) -> None:
    with pytest.raises(gw.OptionError, match=message):
        gw.counterfactuals(tree(), X[:1], 7.0, **options)


@pytest.mark.parametrize("target", [pd.NA, np.array([1.0, 2.0]), 10**400, (0, 10**400), (pd.NA, 1), "high", np.nan])
def test_a_target_that_is_no_number_is_refused(target) -> None:
    with pytest.raises(gw.OptionError, match="target"):
        gw.counterfactuals(tree(), X[:1], target)


def test_a_range_without_ends_is_any_prediction() -> None:
    assert gw.counterfactuals(tree(), X[:1], (None, None)).target == "any prediction"


def test_the_name_of_a_level_is_refused_where_only_codes_are_known() -> None:
    model = tree()
    features = dataclasses.replace(
        model.features, categories=(None, (0, 1), None), coded=np.array([False, True, False])
    )
    stored = model._with_features(features)
    by_code = gw.counterfactuals(stored, [2.0, 1, 1], 7.0)
    assert by_code.raw[0] == model.predict_raw(X[(X["a"] == 2.0) & (X["k"] == "y") & (X["b"] == 1)])[0]
    for ask in (
        lambda: gw.counterfactuals(stored, [2.0, "y", 1], 7.0),
        lambda: gw.bounds(stored, {"k": ["y"]}),
    ):
        with pytest.raises(gw.OptionError, match="of the levels of feature 'k' the model kept only the codes 0 to 1"):
            ask()
