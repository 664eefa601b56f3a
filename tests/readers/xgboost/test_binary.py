"""XGBoost's old binary files: read as the release that wrote them does, refused where they are cut off or odd."""

import struct
from pathlib import Path

import numpy as np
import pytest

import glasswood as gw
from glasswood.readers._registry import file_reader_of
from glasswood.readers.xgboost import read_file
from glasswood.readers.xgboost._binary import is_old_xgboost
from tests.readers.mutate import mutations
from tests.readers.old_xgboost_files import FILES, ROWS, content_of


@pytest.mark.parametrize("name", FILES)
def test_raw_and_leaves_are_those_of_the_xgboost_that_wrote_the_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / "0001.model"
    path.write_bytes(content_of(name))
    ensemble = gw.read(path)
    _, raw, leaves = FILES[name]
    assert ensemble.apply(ROWS).tolist() == leaves
    assert ensemble.predict_raw(ROWS).reshape(len(ROWS), -1) == pytest.approx(np.array(raw), abs=1e-6)
    assert ensemble.source.version == "2.1"
    links = {"logistic": "logit", "softprob": "softmax", "poisson": "log"}
    assert str(ensemble.link) == links.get(name, "identity")


def test_a_file_before_1_0_keeps_base_score_as_raw() -> None:
    content = content_of("logistic")
    older = content[4:24] + bytes(8) + content[32:]  # no beginning "binf", no version
    new, old = read_file(content, "m"), read_file(older, "m")
    assert new.baseline[0] == pytest.approx(np.log(0.3 / 0.7))
    assert old.baseline[0] == pytest.approx(0.3)
    assert old.source.version == "unknown"
    assert np.array_equal(old.value, new.value, equal_nan=True)


def test_a_linear_booster_is_refused_by_name() -> None:
    name = struct.pack("<Q", 8) + b"gblinear"
    content = content_of("regression").replace(struct.pack("<Q", 6) + b"gbtree", name, 1)
    assert is_old_xgboost(content)
    with pytest.raises(gw.UnsupportedModelError, match="'gblinear' has no trees"):
        read_file(content, "m")


@pytest.mark.parametrize("name", FILES)
def test_cut_files_are_refused_and_damaged_ones_read_or_refused(name: str) -> None:
    content = content_of(name)
    with pytest.raises(gw.ModelFileError, match="m: the file is cut off"):
        read_file(content[: len(content) // 2], "m")
    for damaged in mutations(content, 200, seed=1):
        try:
            file_reader_of(damaged, "m").read_file(damaged, "m")
        except (gw.ModelFileError, gw.UnsupportedModelError):
            continue
