"""An unreadable file is described, with advice."""

import gzip
import io
import pickle
import zipfile
from pathlib import Path

import joblib
import lightgbm
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


def test_a_lightgbm_object_that_joblib_saved_is_read_as_an_object(tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(80, 2))
    model = lightgbm.LGBMRegressor(n_estimators=3, verbose=-1, n_jobs=1).fit(X, X[:, 0])
    joblib.dump(model, tmp_path / "model.joblib")
    loaded = joblib.load(tmp_path / "model.joblib")
    ensemble = gw.read(loaded, X)
    assert ensemble == gw.read(model) and ensemble.source.parity.leaves_equal


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


def test_an_old_xgboost_file_in_base64_is_recognised_with_advice_how_to_convert_it(tmp_path: Path) -> None:
    (tmp_path / "0001.model").write_bytes(b"bs64\tAAAA")
    with pytest.raises(gw.ModelFileError, match=r"0001\.model.*old binary format.*3\.0 or older.*save_model"):
        gw.read(tmp_path / "0001.model")


def test_other_files_are_named_or_not_known() -> None:
    assert "gzip" in str(foreign_kind(gzip.compress(b"tree\n", mtime=0)))
    assert "zip archive" in str(foreign_kind(b"PK\x03\x04" + bytes(40)))
    assert "PMML" in str(foreign_kind(b'<?xml version="1.0"?><PMML/>'))
    assert foreign_kind(b"") == foreign_kind(b"\n \0") == "empty"
    assert foreign_kind(b"dear diary") is None


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"X\n\0\0\0\x03\0\x04\x03\x01", r"R saved.*lgb\.save"),  # saveRDS(compress = FALSE)
        (b"A\n3\n262913\n", r"R saved.*xgb\.save"),  # saveRDS(ascii = TRUE)
        (b"RDX3\nX\n\0\0\0\x03", r"R saved.*catboost\.save_model"),  # save(compress = FALSE)
        (gzip.compress(b"X\n\0\0\0\x03", mtime=0), r"gzip.*\.rds.*lgb\.save"),
        (b'<PMML xmlns="http://www.dmg.org/PMML-4_4">', "PMML.*as the library itself saves it"),
    ],
)
def test_files_of_r_and_pmml_are_refused_with_the_way_to_convert_them(
    content: bytes, expected: str, tmp_path: Path
) -> None:
    (tmp_path / "model").write_bytes(content)
    with pytest.raises(gw.ModelFileError, match=expected):
        gw.read(tmp_path / "model")


def test_a_mojo_of_h2o_is_told_from_other_archives(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "mojo.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("model.ini", "[info]\nh2o_version = 3.46.0.12\n")
        archive.writestr("trees/t00_000.bin", bytes(30))
    with pytest.raises(gw.ModelFileError, match=r"MOJO of H2O.*onnxmltools\.convert_h2o"):
        gw.read(tmp_path / "mojo.zip")


def test_a_folder_of_spark_is_told_from_others(tmp_path: Path) -> None:
    with pytest.raises(gw.ModelFileError, match="this is a folder, and glasswood reads a model from one file"):
        gw.read(tmp_path)
    (tmp_path / "metadata").mkdir()
    with pytest.raises(gw.ModelFileError, match=r"as Spark saves models.*convert_sparkml"):
        gw.read(tmp_path)
