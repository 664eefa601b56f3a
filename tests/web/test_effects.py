"""Effects on the page are the effects of the result."""

import numpy as np
import pytest

import glasswood as gw
from glasswood.web._document import to_json
from glasswood.web._effects import effects_section
from glasswood.web._text import signed
from tests.web.cases import HOSTILE, binary, several


def test_numbers_and_words_are_those_of_the_result() -> None:
    model, X, _ = binary()
    fx = gw.effects(model, X)
    data = effects_section(fx, gw.read(model)).data
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
    for part in effects_section(gw.effects(model, X), gw.read(model)).data["features"]:
        assert max(tall for _, _, tall in part["bars"]) == 1.0
        assert max(part["cell_bars"]) == 1.0
        assert part["held"] == [tall > 0 for tall in part["cell_bars"]]


def test_every_output_has_its_curve_and_the_common_scale_holds_them_all() -> None:
    model, X, _ = several()
    data = effects_section(gw.effects(model, X), gw.read(model)).data
    assert data["outputs"] == ["0", "1", "2"]
    for o in range(3):
        for part in data["features"]:
            assert len(part["outputs"]) == 3
            values = [x for x in part["outputs"][o]["effect"] if x is not None]
            assert data["ranges"][o]["low"] <= min(values) <= max(values) <= data["ranges"][o]["high"]


def test_categories_stand_at_the_side_by_their_names() -> None:
    model, X, _ = binary()
    parts = effects_section(gw.effects(model, X), gw.read(model)).data["features"]
    part = next(part for part in parts if part["name"] == HOSTILE)
    assert part["axis"]["label"] == ["<b>red</b>", "blue", "green & co", "unseen", "missing"]
    assert part["held"] == [True, True, True, False, False]


def test_many_features_are_cut_to_what_fits_and_it_is_said() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(800, 200))
    model = gw.ForestRegressor(40, random_state=0, max_features=0.1).fit(X, X @ rng.normal(size=200))
    data = effects_section(gw.effects(model, X), gw.read(model)).data
    assert len(to_json(data)) < 400_000
    assert data["note"].endswith("most important of 200 features are drawn")
    assert all(len(part["axis"]["words"]) <= 41 for part in data["features"])
