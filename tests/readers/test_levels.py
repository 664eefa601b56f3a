"""Level names: labels that are known only by hash are found in the rows."""

from pathlib import Path

import numpy as np
import pandas as pd
from catboost import CatBoostRegressor, Pool

import glasswood as gw
from glasswood.readers import as_ensemble

FRAME = pd.DataFrame({"colour": ["red", "blue", "green", "red"] * 10, "x": np.arange(40.0)})
Y = (FRAME["colour"] == "red") * 2.0 + (FRAME["colour"] == "blue")


def fitted() -> CatBoostRegressor:
    model = CatBoostRegressor(
        iterations=5, cat_features=["colour"], one_hot_max_size=5, verbose=0, allow_writing_files=False, thread_count=1
    )
    return model.fit(FRAME, Y)


def test_labels_are_found_in_the_rows() -> None:
    bare, named = gw.read(fitted()), gw.read(fitted(), FRAME)
    assert all(label.startswith("#") for label in bare.features.categories[0] or ())
    assert set(named.features.categories[0] or ()) <= {"red", "blue", "green"}
    assert bare.source.notes and not named.source.notes
    np.testing.assert_array_equal(bare.predict_raw(FRAME), named.predict_raw(FRAME))


def test_labels_that_are_not_in_the_rows_stay_hashes() -> None:
    named = gw.read(fitted(), FRAME[FRAME["colour"] != "red"])
    labels = named.features.categories[0] or ()
    assert "red" not in labels and any(label.startswith("#") for label in labels)


def test_a_json_file_saved_with_its_pool_keeps_the_labels(tmp_path: Path) -> None:
    model = fitted()
    model.save_model(str(tmp_path / "model.json"), format="json", pool=Pool(FRAME, Y, cat_features=["colour"]))
    ensemble = gw.read(tmp_path / "model.json")
    assert ensemble == gw.read(model, FRAME)
    assert ensemble.source.notes == ()


def test_an_explanation_sees_the_labels_too() -> None:
    assert "red" in (as_ensemble(fitted(), FRAME).features.categories[0] or ())


def test_hashes_survive_saving(tmp_path: Path) -> None:
    ensemble = gw.read(fitted(), FRAME)
    ensemble.save(tmp_path / "model.gw")
    assert gw.load(tmp_path / "model.gw") == ensemble
