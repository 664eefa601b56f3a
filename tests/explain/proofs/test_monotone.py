"""gw.monotone against every pair of neighbouring rows of small models, with exact sums."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import glasswood as gw
from glasswood.explain.proofs import _monotone, _search
from glasswood.explain.proofs._steps import step_pieces
from tests.agreement.small_models import catboost, forest, frame, histogram_boosting, lightgbm, own, xgboost
from tests.reference.built import built
from tests.reference.ensembles import Arrays
from tests.reference.proofs import all_columns, leaf_values, small, values


def truth(arrays: Arrays, feature: int, output: int) -> str:
    """The verdict, from all rows."""
    steps = exact_steps(arrays, feature, output, {})
    rises, falls = any(step > 0 for step in steps), any(step < 0 for step in steps)
    return {(True, True): "neither", (True, False): "rises", (False, True): "falls"}.get((rises, falls), "constant")


def with_small_values(arrays: Arrays, seed: int) -> Arrays:
    """Leaf values as small whole numbers, so that trees often cancel exactly."""
    rng = np.random.default_rng(seed)
    return arrays | {"value": rng.integers(-1, 2, size=arrays["value"].shape).astype(float)}


def exact_steps(arrays: Arrays, feature: int, output: int, only: dict[int, list[float]]) -> list[Fraction]:
    """Every change of raw between neighbouring values of a feature, all others of `only` or of the model's cells."""
    numbers = sorted(x for x in only.get(feature, values(arrays, feature)) if x == x)
    sums = []
    for x in numbers:
        parts = leaf_values(arrays, all_columns(arrays, only | {feature: [x]}), output)
        sums.append([sum(map(Fraction, row)) for row in parts])
    return [after - before for a, b in pairwise(sums) for before, after in zip(a, b, strict=True)]


@given(st.integers(0, 2**32), st.booleans())
@settings(max_examples=100)
def test_a_domain_limits_the_rows(seed: int, cancels: bool) -> None:
    rng = np.random.default_rng(seed)
    arrays = small(seed)
    arrays["zero_is_missing"] = np.zeros(len(arrays["n_levels"]), dtype=bool)
    if arrays["n_levels"][0]:
        return
    if cancels:
        arrays = with_small_values(arrays, seed)
    only: dict[int, list[float]] = {}
    domain: dict[str, object] = {}
    for j, n in enumerate(arrays["n_levels"].tolist()):
        if rng.random() < 0.3:
            continue
        if n:
            only[j] = rng.choice(n, size=int(rng.integers(1, n + 1)), replace=False).tolist()
            domain[f"x{j}"] = only[j]
        else:
            finite = [x for x in values(arrays, j) if np.isfinite(x)]
            low, high = sorted(rng.choice(finite, size=2).tolist())
            only[j] = [x for x in finite if low <= x <= high]
            domain[f"x{j}"] = (low, high)
    steps = exact_steps(arrays, 0, len(arrays["baseline"]) - 1, only)
    rises, falls = any(step > 0 for step in steps), any(step < 0 for step in steps)
    expected = {(True, True): "neither", (True, False): "rises", (False, True): "falls"}.get((rises, falls), "constant")
    found = gw.monotone(built(arrays), 0, domain, output=len(arrays["baseline"]) - 1)
    assert found.verdict == expected


@pytest.mark.parametrize("how", [{"max_nodes": 1}, {"time_limit": 0}])
@given(seed=st.integers(0, 2**32), cancels=st.booleans())
@example(200015, True)  # constant, and without time only one direction is refuted
@settings(max_examples=60)
def test_an_early_stop_holds_true_bounds_of_a_step(how, seed: int, cancels: bool) -> None:
    arrays = small(seed)
    arrays["zero_is_missing"] = np.zeros(len(arrays["n_levels"]), dtype=bool)
    if arrays["n_levels"][0]:
        return
    if cancels:
        arrays = with_small_values(arrays, seed)
    output = len(arrays["baseline"]) - 1
    steps = exact_steps(arrays, 0, output, {})
    early = gw.monotone(built(arrays), 0, output=output, **how)
    assert max(steps, default=Fraction(0)) <= early.largest_rise
    assert -min(steps, default=Fraction(0)) <= early.largest_fall
    verdict = truth(arrays, 0, output)
    # "rises" says that raw never falls, which is also true of a constant
    assert early.verdict in ("undecided", verdict) or (verdict == "constant" and early.verdict in ("rises", "falls"))


def test_no_step_is_built_once_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 4))
    model = gw.ForestRegressor(100, max_depth=10).fit(X, rng.normal(size=400)).ensemble_
    now, built_at = [0.0], []

    def noted(*given):
        built_at.append(now[0])
        now[0] += 0.15  # what a step costs
        return step_pieces(*given)

    monkeypatch.setattr(_search.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(_monotone, "step_pieces", noted)
    found = gw.monotone(model, 0, time_limit=0.2)
    assert built_at == [0.0, 0.15]
    assert found.verdict in ("undecided", "neither")
    thresholds = np.unique(model.threshold[model.feature == 0])
    raw = np.array([model.predict_raw(np.column_stack([np.full(50, x), X[:50, 1:]])) for x in thresholds])
    steps = np.diff(raw, axis=0)
    assert -found.largest_fall - 1e-9 <= steps.min() and steps.max() <= found.largest_rise + 1e-9


@given(st.integers(0, 2**32), st.booleans())
@settings(max_examples=300)
def test_the_verdict_is_that_of_every_pair_of_rows(seed: int, cancels: bool) -> None:
    arrays = small(seed)
    arrays["zero_is_missing"] = np.zeros(len(arrays["n_levels"]), dtype=bool)
    if cancels:
        arrays = with_small_values(arrays, seed)
    feature = 0
    if arrays["n_levels"][feature]:
        return
    output = len(arrays["baseline"]) - 1
    found = gw.monotone(built(arrays), feature, output=output)
    assert found.verdict == truth(arrays, feature, output)
    early = gw.monotone(built(arrays), feature, output=output, max_nodes=1)
    assert early.verdict in ("undecided", found.verdict) or (found.verdict == "constant" and early.verdict != "neither")
    for pair, sign in ((found.rows_rise, 1), (found.rows_fall, -1)):
        if pair is None:
            continue
        first, second = pair
        assert [name for name in first if first[name] != second[name]] == [f"x{feature}"]
        assert first["x0"] < second["x0"]
        table = np.array([[np.nan if v is None else v for v in row.values()] for row in pair], dtype=float)
        raw = built(arrays).predict_raw(table).reshape(2, -1)[:, output]
        assert tuple(raw) == (found.raw_rise if sign > 0 else found.raw_fall)
        step = sign * (raw[1] - raw[0])
        assert step > -1e-12 and step <= (found.largest_rise if sign > 0 else found.largest_fall) + 1e-12


def test_a_monotone_booster_is_proved_to_rise() -> None:
    X = frame()
    model = gw.BoostingRegressor(n_estimators=30, max_depth=4, monotonic_cst={"normal": 1}).fit(X, X["normal"] ** 2)
    found = gw.monotone(model, "normal")
    assert found.verdict == "rises" and found.rows_fall is None and found.rows_rise is not None
    free = gw.BoostingRegressor(n_estimators=30, max_depth=4).fit(X, X["normal"] ** 2)
    assert gw.monotone(free, "normal").verdict == "neither"
    assert gw.monotone(free, "normal", {"normal": (1.0, 1.0)}).verdict == "constant"


@pytest.mark.parametrize("make", [lightgbm, xgboost, catboost, histogram_boosting, forest, own])
@pytest.mark.filterwarnings("ignore")
def test_rows_of_a_library_s_model_follow_the_verdict(make) -> None:
    model, X = make(0)
    ensemble = gw.read(model, X)
    found = gw.monotone(ensemble, "normal")
    grid = np.sort(X["normal"].to_numpy())
    raw = np.array([ensemble.predict_raw(X.assign(normal=x)) for x in grid])
    steps = np.diff(raw, axis=0)
    if (steps > 1e-9).any() and (steps < -1e-9).any():
        assert found.verdict == "neither"
    elif (steps > 1e-9).any():
        assert found.verdict in ("rises", "neither")
    assert found.verdict != "undecided"


def test_questions_without_an_answer_are_refused() -> None:
    model = own(3)[0]
    with pytest.raises(gw.OptionError, match="choose one with output="):
        gw.monotone(model, "normal")
    with pytest.raises(gw.OptionError, match="'colour' is a category"):
        gw.monotone(model, "colour", output=0)
    with pytest.raises(gw.OptionError, match="did you mean 'normal'"):
        gw.monotone(model, "nrmal", output=0)
    with pytest.raises(gw.OptionError, match="no feature at position 9; it has 4"):
        gw.monotone(model, 9, output=0)
    with pytest.raises(gw.OptionError, match="no feature True; a feature is given by its name or its position"):
        gw.monotone(model, True, output=0)
    with pytest.raises(gw.OptionError, match="time_limit"):
        gw.monotone(model, 0, output=0, time_limit="long")
