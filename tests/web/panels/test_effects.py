"""Effects on the page are the effects of the result."""

import numpy as np
import pandas as pd
import pytest

import glasswood as gw
from glasswood.web.page._document import to_json
from glasswood.web.page._text import signed
from glasswood.web.panels import _effects
from glasswood.web.panels._effects import effects_data
from glasswood.web.panels._seen_values import seen_numbers
from tests.web.cases import HOSTILE, binary, several


def test_numbers_and_words_are_those_of_the_result() -> None:
    model, X, _ = binary()
    fx = gw.effects(model, X)
    data = effects_data(fx, gw.read(model))
    assert [part["name"] for part in data["features"]] == list(fx.importance().features)
    part = next(part for part in data["features"] if part["name"] == "age")
    known = fx["age"]
    assert part["outputs"][0]["text"] == [signed(x) for x in known.effect]
    assert part["outputs"][0]["effect"] == pytest.approx(known.effect, rel=1e-5)
    assert part["axis"]["words"][-1] == "age is missing"
    assert part["weight"][-1].startswith(f"{int(X['age'].isna().sum())} rows")
    assert data["unit"] == "log-odds"
    assert data["note"] == ""


def test_bars_hold_all_of_the_weight() -> None:
    model, X, _ = binary()
    for part in effects_data(gw.effects(model, X), gw.read(model))["features"]:
        assert max(tall for _, _, tall in part["bars"]) == 1.0
        assert max(part["cell_bars"]) == 1.0
        assert part["held"] == [tall > 0 for tall in part["cell_bars"]]


def test_every_output_has_its_curve_and_the_common_scale_holds_them_all() -> None:
    model, X, _ = several()
    data = effects_data(gw.effects(model, X), gw.read(model))
    assert data["outputs"] == ["0", "1", "2"]
    for o in range(3):
        for part in data["features"]:
            assert len(part["outputs"]) == 3
            values = [x for x in part["outputs"][o]["effect"] if x is not None]
            assert data["ranges"][o]["low"] <= min(values) <= max(values) <= data["ranges"][o]["high"]


def test_categories_stand_at_the_side_by_their_names() -> None:
    model, X, _ = binary()
    parts = effects_data(gw.effects(model, X), gw.read(model))["features"]
    part = next(part for part in parts if part["name"] == HOSTILE)
    assert part["axis"]["label"] == ["<b>red</b>", "blue", "green & co"]  # no row is missing or unseen
    assert part["held"] == [True, True, True]
    without = effects_data(gw.effects(model), gw.read(model))["features"]
    assert next(part for part in without if part["name"] == HOSTILE)["axis"]["label"][:3] == part["axis"]["label"]


def test_many_features_all_fit_and_the_important_ones_have_the_most_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(800, 200))
    model = gw.ForestRegressor(40, random_state=0, max_features=0.1).fit(X, X @ rng.normal(size=200))
    data = effects_data(gw.effects(model, X), gw.read(model), seen_numbers(gw.read(model), X))
    assert len(data["features"]) == 200 and data["note"] == ""
    assert len(to_json(data)) < 450_000
    cells = [len(part["axis"]["words"]) for part in data["features"]]
    assert np.mean(cells[:20]) > 1.5 * np.mean(cells[-100:])
    monkeypatch.setattr(_effects, "_WIDE_BUDGET", 50_000)
    few = effects_data(gw.effects(model, X), gw.read(model))
    assert few["note"].endswith("most important of 200 features are drawn; glasswood app draws any other")


def odd_rows() -> tuple[gw.TreeRegressor, pd.DataFrame]:
    """A code of 999 for most rows, 0 and 1, durations that are never negative, years."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "pdays": np.where(rng.random(1000) < 0.96, 999, rng.integers(0, 27, 1000)),
            "flag": rng.integers(0, 2, 1000),
            "duration": rng.exponential(250, 1000),
            "year": rng.integers(2008, 2016, 1000),
        }
    )
    y = (X["pdays"] < 999) * 2.0 + X["flag"] + 0.01 * X["duration"] + 0.1 * (X["year"] - 2008)
    return gw.TreeRegressor(max_depth=6).fit(X, y), X


def test_bars_are_the_rows_themselves() -> None:
    model, X = odd_rows()
    data = effects_data(gw.effects(model, X), gw.read(model), seen_numbers(gw.read(model), X))
    parts = {part["name"]: part for part in data["features"]}
    for name, part in parts.items():
        # nothing is drawn for missing values if no row has any
        assert part["axis"]["label"].count(None) == len(part["axis"]["label"])
        inside = [(a, b, tall) for a, b, tall in part["bars"] if tall > 0]
        assert min(a for a, _, _ in inside) >= part["axis"]["left"][0] - 0.51
        top = max(tall for _, _, tall in inside)
        for a, b, tall in inside:  # the height of a bar is the number of its rows
            rows = ((X[name] >= a) & (X[name] < b)).sum() + (b == part["axis"]["right"][-1]) * (X[name] == b).sum()
            most = max_rows(X[name], inside)
            assert abs(tall / top * most - rows) < 1.5  # ends are rounded for the page, so a row may change sides
    code = max(parts["pdays"]["bars"], key=lambda bar: bar[2])
    assert code[0] <= 999 <= code[1] and parts["pdays"]["axis"]["right"][-1] >= 999
    assert min(a for a, _, _ in parts["duration"]["bars"]) >= 0
    assert parts["flag"]["axis"]["ticks"] == [[0.0, "0"], [1.0, "1"]]
    assert parts["flag"]["axis"]["left"][0] < 0 < parts["flag"]["axis"]["right"][0] == 0.5
    assert [parts["year"]["axis"]["ticks"][k][1] for k in (0, -1)] == ["2008", "2015"]


def max_rows(column: pd.Series, bars: list[tuple[float, float, float]]) -> int:
    return max(int(((column >= a) & (column < b)).sum()) for a, b, _ in bars)
