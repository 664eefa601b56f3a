"""gw.monotone against every pair of neighbouring rows of small models, with exact sums."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glasswood as gw
from tests.agreement.small_models import catboost, forest, frame, histogram_boosting, lightgbm, own, xgboost
from tests.reference.built import built
from tests.reference.ensembles import Arrays
from tests.reference.proofs import all_columns, leaf_values, small, values


def truth(arrays: Arrays, feature: int, output: int) -> str:
    """The verdict, from all rows."""
    numbers = sorted(x for x in values(arrays, feature) if x == x)
    sums = []
    for x in numbers:
        columns = all_columns(arrays, {feature: [x]})
        sums.append([sum(map(Fraction, parts)) for parts in leaf_values(arrays, columns, output)])
    steps = [after - before for a, b in pairwise(sums) for before, after in zip(a, b, strict=True)]
    rises, falls = any(step > 0 for step in steps), any(step < 0 for step in steps)
    return {(True, True): "neither", (True, False): "rises", (False, True): "falls"}.get((rises, falls), "constant")


def with_small_values(arrays: Arrays, seed: int) -> Arrays:
    """Leaf values as small whole numbers, so that trees often cancel exactly."""
    rng = np.random.default_rng(seed)
    return arrays | {"value": rng.integers(-1, 2, size=arrays["value"].shape).astype(float)}


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
    with pytest.raises(gw.OptionError, match="none at position 9"):
        gw.monotone(model, 9, output=0)
    with pytest.raises(gw.OptionError, match="time_limit"):
        gw.monotone(model, 0, output=0, time_limit="long")
