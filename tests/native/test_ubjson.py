"""scan_ubjson: the tokens of a document give the same values as the slow reference."""

from typing import Any

import numpy as np
import pytest
import xgboost as xgb

from glasswood import _native
from tests.readers.mutate import mutations
from tests.reference import ubjson

DEPTH = 12
SMALL = (
    b"{i\x01a[$l#U\x02\0\0\0\1\0\0\0\2i\x01b[i\x05Si\x02xyZTFCqd\0\0\0\0]i\x01c[#i\x02{}{i\x00N{}}i\x01dD"
    + bytes(8)
    + b"}"
)


def rebuilt(content: bytes) -> Any:
    """The document rebuilt from the tokens, in the form of the reference."""
    t = _native.scan_ubjson(content, DEPTH)
    assert t["end"][0] == len(t["parent"])

    def value(token: int) -> Any:
        marker = int(t["marker"][token])
        payload = content[t["start"][token] : t["start"][token] + t["size"][token]]
        if marker in (ord("["), ord("{")):
            children = np.flatnonzero(t["parent"][token + 1 :] == token) + token + 1
            keys = [content[t["key"][c] : t["key"][c] + t["key_size"][c]] for c in children]
            entries = [value(int(c)) for c in children]
            return list(zip(keys, entries, strict=True)) if marker == ord("{") else entries
        if marker in (ord("S"), ord("C")):
            return payload
        if chr(marker) in ubjson._WORDS:
            return ubjson._WORDS[chr(marker)]
        numbers = np.frombuffer(payload, dtype=ubjson._NUMBERS[chr(marker % 256)]).tolist()
        return numbers if marker >= 256 else numbers[0]

    return value(0)


def outcome(read: Any, content: bytes) -> str:
    try:
        return repr(read(content))  # repr: NaN is then equal to itself
    except ValueError:
        return "refused"


@pytest.fixture(scope="module")
def model() -> bytes:
    X = np.random.default_rng(0).normal(size=(40, 2))
    return bytes(xgb.train({"max_depth": 2, "nthread": 1}, xgb.DMatrix(X, X[:, 0]), 2).save_raw("ubj"))


def test_every_kind_of_value_is_found() -> None:
    expected = ubjson.parse(SMALL, DEPTH)
    assert dict(expected)[b"a"] == [1, 2]
    assert dict(expected)[b"b"] == [5, b"xy", None, True, False, b"q", 0.0]
    assert rebuilt(SMALL) == expected


def test_a_model_is_found_whole(model: bytes) -> None:
    assert rebuilt(model) == ubjson.parse(model, DEPTH)


def test_damaged_bytes_are_refused_by_both_or_read_alike(model: bytes) -> None:
    seen = set()
    for content in (SMALL, model):
        for damaged in mutations(content, 400, seed=0):
            ours = outcome(rebuilt, damaged)
            assert ours == outcome(lambda bytes_: ubjson.parse(bytes_, DEPTH), damaged)
            seen.add(ours == "refused")
    assert seen == {True, False}
