"""One file with version and checksum; whatever is done to it, the result is the model or ModelFileError."""

import dataclasses
import hashlib
import json
import pickle
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glasswood as gw
from glasswood.ensemble import VALUES_READ, loads
from glasswood.ensemble._file import MAGIC
from tests.ensemble.examples import category_tree, stump, two_trees
from tests.reference.built import built_with_columns


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("files") / "model.gw"
    category_tree().save(path)
    return path.read_bytes()


@pytest.mark.parametrize("make", [stump, two_trees, category_tree])
def test_a_saved_ensemble_is_loaded(make, tmp_path: Path) -> None:
    make().save(tmp_path / "model.gw")
    loaded = gw.load(tmp_path / "model.gw")
    assert loaded == make()
    assert loaded.source == make().source
    assert gw.read(tmp_path / "model.gw") == make()


@settings(max_examples=40)
@given(built_with_columns())
def test_any_ensemble_survives_the_round_trip(tmp_path_factory: pytest.TempPathFactory, case) -> None:
    path = tmp_path_factory.getbasetemp() / "random.gw"
    case[0].save(path)
    assert gw.load(path) == case[0]


def test_pickling_keeps_the_model() -> None:
    ensemble = stump()
    ensemble.predict_raw(np.zeros((1, 1)))
    again = pickle.loads(pickle.dumps(ensemble))
    assert again == ensemble
    assert again.predict_raw(np.zeros((1, 1))) == 110.0


@given(st.data())
def test_any_truncation_or_flipped_bit_is_refused(saved: bytes, data: st.DataObject) -> None:
    if data.draw(st.booleans()):
        garbled = saved[: data.draw(st.integers(0, len(saved) - 1))]
    else:
        position = data.draw(st.integers(0, len(saved) - 1))
        garbled = bytearray(saved)
        garbled[position] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(gw.ModelFileError):
        loads(bytes(garbled), "garbled")


def rewritten(saved: bytes, change) -> bytes:
    """The file with a changed header and a corrected checksum."""
    magic, version, length = struct.unpack_from("<8sIQ", saved)
    header = json.loads(saved[20 : 20 + length])
    arrays = saved[20 + length + -(20 + length) % 64 : -32]
    version = change(header) or version
    text = json.dumps(header).encode()
    body = struct.pack("<8sIQ", magic, version, len(text)) + text
    body += bytes(-len(body) % 64) + arrays
    return body + hashlib.sha256(body).digest()


def shrink_outputs(header) -> None:
    header["outputs"] = []


def huge_shape(header) -> None:
    header["arrays"]["feature"]["shape"] = [2**60]


def negative_offset(header) -> None:
    header["arrays"]["feature"]["offset"] = -64


def drop_array(header) -> None:
    del header["arrays"]["left"]


def wrong_dtype(header) -> None:
    header["arrays"]["left"]["dtype"] = "|O"


def unknown_link(header) -> None:
    header["link"]["kind"] = "cauchit"


def infinite_shape(header) -> None:
    header["arrays"]["feature"]["shape"] = [float("inf")]


def fractional_offset(header) -> None:
    header["arrays"]["feature"]["offset"] = 0.5


def huge_scale(header) -> None:
    header["link"]["scale"] = 10**400


def scale_of_text(header) -> None:
    header["link"]["scale"] = "1"


def more_classes_than_outputs(header) -> None:
    header["source"]["classes"] = ["a", "b", "c"]


def classes_of_lists(header) -> None:
    header["source"]["classes"] = [["a"], ["b"]]


def classes_of_text(header) -> None:
    header["source"]["classes"] = "ab"


def notes_of_text(header) -> None:
    header["source"]["notes"] = "ab"


def outputs_of_numbers(header) -> None:
    header["outputs"] = [1]


def named_by_text(header) -> None:
    header["features"]["named"] = "no"


def flags_of_numbers(header) -> None:
    header["features"]["coded"] = [0] * len(header["features"]["coded"])


def nested_labels(header) -> None:
    header["features"]["categories"] = [[[1]] for _ in header["features"]["categories"]]


def notes_of_numbers(header) -> None:
    header["source"]["notes"] = [1]


def library_of_numbers(header) -> None:
    header["source"]["library"] = 7


def unknown_field(header) -> None:
    header["source"]["colour"] = "blue"


def parity_of_text(header) -> None:
    header["source"]["parity"] = {"n_rows": "3", "leaves_equal": True, "largest_difference": 0.0, "bound": 0.0}


def asked_with_a_number(header) -> None:
    header["source"]["parity"] = {
        "n_rows": 3, "leaves_equal": True, "largest_difference": 0.0, "bound": 0.0, "asked_with": 1,
    }  # fmt: skip


def parity_of_a_list(header) -> None:
    header["source"]["parity"] = [3]


def underscored_by_number(header) -> None:
    header["features"]["underscored"] = 1


def half_a_character(header) -> None:
    header["features"]["names"][0] = "a\ud800"


CHANGES = [
    infinite_shape, fractional_offset, huge_scale, scale_of_text, outputs_of_numbers, named_by_text, flags_of_numbers,
    nested_labels, notes_of_numbers, library_of_numbers, unknown_field, parity_of_text, half_a_character,
    asked_with_a_number, parity_of_a_list, underscored_by_number, more_classes_than_outputs, classes_of_lists,
    classes_of_text, notes_of_text,
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_a_header_of_wrong_types_is_refused(saved: bytes, change) -> None:
    with pytest.raises(gw.ModelFileError, match="does not describe a valid ensemble"):
        loads(rewritten(saved, change), "wrong")


def as_of_0_1(header) -> None:
    del header["features"]["underscored"], header["source"]["classes"], header["source"]["n_targets"]
    header["source"]["parity"] = {"n_rows": 3, "leaves_equal": True, "largest_difference": 0.0, "bound": 0.0}


def test_a_file_of_0_1_says_that_values_read_were_compared(saved: bytes) -> None:
    ensemble = loads(rewritten(saved, as_of_0_1), "old")
    assert ensemble.source.parity.asked_with == VALUES_READ
    assert ensemble.features.underscored
    assert ensemble.source.classes == () and ensemble.source.n_targets == 1


def test_classes_keep_their_types(tmp_path: Path) -> None:
    ensemble = gw.ForestClassifier(2, random_state=0).fit(np.arange(6.0)[:, None], [0, 0, 1, 1, 3, 3]).ensemble_
    for classes in ((0, 1, 3), ("a", "1", "ü"), (0.5, 1.5, 2.0), (True, False, 2)):
        source = dataclasses.replace(ensemble.source, classes=classes)
        ensemble._with_source(source).save(tmp_path / "model.gw")
        loaded = gw.load(tmp_path / "model.gw").source.classes
        assert loaded == classes and list(map(type, loaded)) == list(map(type, classes))


def test_a_header_with_a_key_twice_is_refused(saved: bytes) -> None:
    length = struct.unpack_from("<8sIQ", saved)[2]
    text = saved[20 : 20 + length].replace(b'{"link"', b'{"link": 1, "link"', 1)
    body = struct.pack("<8sIQ", MAGIC, 1, len(text)) + text
    body += bytes(-len(body) % 64) + saved[20 + length + -(20 + length) % 64 : -32]
    with pytest.raises(gw.ModelFileError, match="duplicate key 'link'"):
        loads(body + hashlib.sha256(body).digest(), "twice")


def newer_version(header) -> int:
    return 99


@pytest.mark.parametrize(
    "change", [shrink_outputs, huge_shape, negative_offset, drop_array, wrong_dtype, unknown_link, newer_version]
)
def test_a_header_with_wrong_numbers_is_refused(saved: bytes, change) -> None:
    with pytest.raises(gw.ModelFileError):
        loads(rewritten(saved, change), "lying")


def test_a_newer_format_says_so(saved: bytes) -> None:
    with pytest.raises(gw.ModelFileError, match="format version 99 is newer"):
        loads(rewritten(saved, newer_version), "newer")


@pytest.mark.parametrize("content", [b"", b"hello", MAGIC, MAGIC + bytes(40)])
def test_other_files_are_refused(content: bytes) -> None:
    with pytest.raises(gw.ModelFileError):
        loads(content, "foreign")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(gw.ModelFileError, match=r"nothing\.gw"):
        gw.read(tmp_path / "nothing.gw")
    with pytest.raises(gw.ModelFileError, match=r"nothing\.gw"):
        gw.load(tmp_path / "nothing.gw")
