"""Checks: a CatBoost model, object and files, against the library called with the user's own table."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
from catboost import CatBoost

import glasswood as gw


def raw_of(model: Any, X: Any) -> np.ndarray:
    raw = np.asarray(CatBoost.predict(model, X, prediction_type="RawFormulaVal", thread_count=1))
    return raw.reshape(len(raw), -1)


def assert_agreement(model: Any, X: Any) -> gw.Ensemble:
    """Check the certificate, and compare once more with the library called with the user's own table."""
    ensemble = gw.read(model, X)
    assert ensemble.source.parity.leaves_equal is True
    np.testing.assert_array_equal(ensemble.apply(X), model.calc_leaf_indexes(X, thread_count=1))
    magnitude = dataclasses.replace(ensemble, value=np.abs(ensemble.value), baseline=np.abs(ensemble.baseline))
    ours, bound = ensemble.predict_raw(X), 1e-12 * magnitude.predict_raw(X)
    difference = np.abs(ours.reshape(len(ours), -1) - raw_of(model, X))
    assert np.all(difference <= bound.reshape(len(ours), -1))
    return ensemble


def assert_files_agree(model: Any, folder: Path, *, oblivious: bool = True) -> None:
    ensemble = gw.read(model)
    model.save_model(str(folder / "model.cbm"))
    model.save_model(str(folder / "model.json"), format="json")
    assert gw.read(folder / "model.cbm") == ensemble
    from_json = gw.read(folder / "model.json")
    if not oblivious:
        # CatBoost numbers leaves again when it loads JSON; everything else must be equal
        from_json = dataclasses.replace(from_json, leaf_id=ensemble.leaf_id)
    assert from_json == ensemble
