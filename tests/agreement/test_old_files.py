"""Old files: XGBoost's binary as release 2.1.4 wrote it, LightGBM's text of 2.0 rewritten from a new one."""

from pathlib import Path

import lightgbm as lgb
import numpy as np
import pytest

import glasswood as gw
from tests.agreement.record import record
from tests.readers.lightgbm_texts import old_text
from tests.readers.old_xgboost_files import FILES, ROWS, content_of


@pytest.mark.parametrize("name", FILES)
def test_old_binary_files_of_xgboost(name: str, tmp_path: Path) -> None:
    (tmp_path / "0001.model").write_bytes(content_of(name))
    ensemble = gw.read(tmp_path / "0001.model")
    _, raw, leaves = FILES[name]
    assert ensemble.apply(ROWS).tolist() == leaves
    assert ensemble.predict_raw(ROWS).reshape(len(ROWS), -1) == pytest.approx(np.array(raw), abs=1e-6)
    record("xgboost", "old binary file", name, "leaves and raw of release 2.1.4, which wrote it")


def test_old_text_of_lightgbm(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.choice([0, 3, 40], 300), rng.normal(size=300)])
    X[::7, 1] = np.nan
    options = {"verbose": -1, "num_threads": 1, "min_data_in_leaf": 5, "min_data_per_group": 2}
    model = lgb.train(options, lgb.Dataset(X, X[:, 0] + np.nan_to_num(X[:, 1]), categorical_feature=[0]), 4)
    (tmp_path / "old.txt").write_text(old_text(model.model_to_string()))
    ensemble = gw.read(tmp_path / "old.txt", X)
    assert ensemble.source.parity.leaves_equal
    assert ensemble.source.version == "text format v2"
    record("lightgbm", "text file of version 2", "a new text without the lines that 2.0 did not write")
