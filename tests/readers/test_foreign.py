"""An unreadable file is described, with advice."""

import gzip
import io
import pickle
import struct
from pathlib import Path

import joblib
import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

import glasswood as gw
from glasswood.readers._foreign import foreign_kind

FOREST = DecisionTreeRegressor(max_depth=2).fit(np.arange(8.0).reshape(-1, 1), np.arange(8.0))


def joblib_bytes(**options: object) -> bytes:
    out = io.BytesIO()
    joblib.dump(FOREST, out, **options)
    return out.getvalue()


@pytest.mark.parametrize("protocol", range(6))
def test_a_pickle_is_recognised_and_never_opened(protocol: int, tmp_path: Path) -> None:
    (tmp_path / "model.pkl").write_bytes(pickle.dumps(FOREST, protocol=protocol))
    with pytest.raises(gw.ModelFileError, match=r"model\.pkl.*pickle.*never unpickles.*pass the object"):
        gw.read(tmp_path / "model.pkl")


@pytest.mark.parametrize("compress", [0, 3, ("gzip", 3), ("bz2", 3), ("xz", 3), ("zlib", 9)], ids=str)
def test_a_joblib_file_is_recognised(compress: object, tmp_path: Path) -> None:
    (tmp_path / "model.joblib").write_bytes(joblib_bytes(compress=compress))
    with pytest.raises(gw.ModelFileError, match=r"joblib.*pass the object"):
        gw.read(tmp_path / "model.joblib")


def old_xgboost(objective: bytes = b"binary:logistic", booster: bytes = b"gbtree") -> bytes:
    """The first bytes of XGBoost's binary files: 136 bytes of parameters, then two names with their lengths."""
    parameters = struct.pack("<fIiii", 0.5, 4, 0, 1, 0).ljust(136, b"\0")
    names = b"".join(struct.pack("<Q", len(name)) + name for name in (objective, booster))
    return parameters + names + bytes(200)


@pytest.mark.parametrize(
    "content", [old_xgboost(), b"binf" + old_xgboost(), b"bs64\tAAAA", old_xgboost(booster=b"dart")]
)
def test_an_old_xgboost_file_is_recognised_with_advice_how_to_convert_it(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "0001.model").write_bytes(content)
    with pytest.raises(gw.ModelFileError, match=r"0001\.model.*old binary format.*3\.0 or older.*save_model"):
        gw.read(tmp_path / "0001.model")


def test_other_files_are_named_or_not_known() -> None:
    assert "gzip" in str(foreign_kind(gzip.compress(b"tree\n")))
    assert "zip archive" in str(foreign_kind(b"PK\x03\x04" + bytes(40)))
    assert "PMML" in str(foreign_kind(b'<?xml version="1.0"?><PMML/>'))
    assert foreign_kind(b"") == foreign_kind(b"\n \0") == "empty"
    assert foreign_kind(b"dear diary") is None
    assert foreign_kind(old_xgboost(booster=b"gbfern")) is None
    assert foreign_kind(old_xgboost()[:150]) is None
