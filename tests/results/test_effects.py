"""Effects: a mapping by name and by position."""

import json

import pytest

import glasswood as gw
from tests.ensemble.examples import two_trees
from tests.results.examples import effects, two_outputs


def test_features_are_found_by_name_and_by_position() -> None:
    fx = effects()
    assert fx["f2"] is fx[1] is fx[-1]
    assert list(fx) == ["f1", "f2"]
    assert len(fx) == 2
    assert "f1" in fx and "f3" not in fx
    assert [effect.feature for effect in fx.values()] == ["f1", "f2"]


def test_unknown_keys_are_named() -> None:
    fx = gw.effects(two_trees(), features=["f2"])
    for key, message in (("f3", "no feature 'f3'"), ("f1", "not asked for"), (0, "not asked for"), (7, "no feature 7")):
        with pytest.raises(gw.KeyNotFoundError, match=message):
            fx[key]


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_all_tables_make_one_frame(backend: str) -> None:
    frame = effects().to_frame(backend)
    assert len(frame) == 8
    several = gw.effects(two_outputs())
    assert len(several.to_frame(backend)) == 2 * sum(len(effect) for effect in several.values())


def test_it_is_json_ready() -> None:
    found = json.loads(json.dumps(effects().to_dict(), allow_nan=False))
    assert [part["feature"] for part in found["features"]] == ["f1", "f2"]
    assert repr(effects()) == "Effects(2 features, method='interventional')"
