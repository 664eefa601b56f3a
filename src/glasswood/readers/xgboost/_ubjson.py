"""UBJSON: the binary JSON that XGBoost writes, as Python objects; large lists of objects stay in columns.

The bytes are scanned natively with limited memory and depth. A model has a thousand trees with the same keys.
Converting each to Python objects would take longer than everything else, so a list of objects stays a table of tokens
(`TokenRecords`), from which one field of all trees is extracted at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.errors import ModelFileError

_MAX_DEPTH = 64
_TYPED = 256
_NUMBERS: dict[int, np.dtype[Any]] = {  # marker → big-endian dtype
    ord("i"): np.dtype(">i1"),
    ord("U"): np.dtype(">u1"),
    ord("I"): np.dtype(">i2"),
    ord("l"): np.dtype(">i4"),
    ord("L"): np.dtype(">i8"),
    ord("d"): np.dtype(">f4"),
    ord("D"): np.dtype(">f8"),
}
_WHOLE = [ord(marker) for marker in "iUIlL"]
_WORDS: dict[int, Any] = {ord("Z"): None, ord("T"): True, ord("F"): False}
_ARRAY, _OBJECT, _STRING, _CHAR = ord("["), ord("{"), ord("S"), ord("C")


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """Position of every value in a document; see native/glasswood/formats/ubjson.hpp."""

    content: bytes
    name: str
    parent: NDArray[np.int64]
    end: NDArray[np.int64]
    key: NDArray[np.int64]
    key_size: NDArray[np.int64]
    key_hash: NDArray[np.uint64]
    marker: NDArray[np.int32]
    start: NDArray[np.int64]
    size: NDArray[np.int64]


def parse_ubjson(content: bytes, name: str) -> Any:
    """Python objects of a document; typed arrays as numpy arrays, lists of objects as `TokenRecords`."""
    try:
        tokens = Tokens(content, name, **_native.scan_ubjson(content, _MAX_DEPTH))
    except ValueError as error:
        raise ModelFileError(f"{name}: not UBJSON, {error}") from error
    return _value(tokens, 0)


@dataclass(frozen=True, slots=True, eq=False)
class TokenRecords:
    """A list of objects, whose fields are extracted for all objects at once."""

    tokens: Tokens
    objects: NDArray[np.int64]  # their tokens

    def __len__(self) -> int:
        return len(self.objects)

    def first(self, n: int) -> "TokenRecords":
        """The first objects."""
        return TokenRecords(self.tokens, self.objects[:n])

    def as_dicts(self) -> list[dict[str, Any]]:
        """The objects one by one."""
        return [_value(self.tokens, token) for token in self.objects.tolist()]

    def has(self, key: str) -> bool:
        """Whether any object has the key."""
        return len(self._found(key)) > 0

    def column(self, key: str) -> tuple[NDArray[Any], NDArray[np.int64]] | None:
        """The typed arrays under a key, joined, and the length of each; None if an object lacks it."""
        tokens, found = self.tokens, self._fields(key)
        if found is None or not np.all(tokens.marker[found] >= _TYPED):
            return None
        parts = _slices(tokens, found)
        markers = tokens.marker[found] - _TYPED
        if len(found) and np.all(markers == markers[0]):
            dtype = _NUMBERS[int(markers[0])]
            joined = np.frombuffer(b"".join(parts), dtype=dtype).astype(dtype.newbyteorder("="))
            return joined, tokens.size[found] // dtype.itemsize
        arrays = [np.frombuffer(part, dtype=_NUMBERS[mark]) for part, mark in zip(parts, markers.tolist(), strict=True)]
        lengths = np.array([len(array) for array in arrays], dtype=np.int64)
        return np.concatenate(arrays) if arrays else np.zeros(0), lengths

    def integers(self, key: str) -> list[int] | None:
        """The whole numbers under a key; None if an object lacks it."""
        found = self._fields(key)
        if found is None or not np.all(np.isin(self.tokens.marker[found], _WHOLE)):
            return None
        return [_value(self.tokens, token) for token in found.tolist()]

    def texts(self, key: str) -> list[str] | None:
        """The texts under a key; None if an object lacks it."""
        found = self._fields(key)
        if found is None or not np.all(self.tokens.marker[found] == _STRING):
            return None
        return [_text(self.tokens, part) for part in _slices(self.tokens, found)]

    def inner(self, key: str) -> "TokenRecords | None":
        """The objects under a key; None if an object lacks it."""
        found = self._fields(key)
        if found is None or not np.all(self.tokens.marker[found] == _OBJECT):
            return None
        return TokenRecords(self.tokens, found)

    def _fields(self, key: str) -> NDArray[np.int64] | None:
        """Tokens of a key, one for each object."""
        found = self._found(key)
        return found if np.array_equal(self.tokens.parent[found], self.objects) else None

    def _found(self, key: str) -> NDArray[np.int64]:
        tokens = self.tokens
        named = np.flatnonzero(tokens.key_hash == _hash(key))
        ours = np.zeros(len(tokens.parent), dtype=bool)
        ours[self.objects] = True
        return named[ours[tokens.parent[named]]]


def _hash(key: str) -> np.uint64:
    """FNV-1a, as in the native scanner."""
    value = 0xCBF29CE484222325
    for byte in key.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return np.uint64(value)


def _slices(tokens: Tokens, found: NDArray[np.int64]) -> list[bytes]:
    content, starts = tokens.content, tokens.start[found]
    ends = starts + tokens.size[found]
    return [content[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


def _children(tokens: Tokens, token: int) -> Sequence[int]:
    children = []
    child, end = token + 1, int(tokens.end[token])
    while child < end:
        children.append(child)
        child = int(tokens.end[child])
    return children


def _value(tokens: Tokens, token: int) -> Any:
    """A value as a Python object; the scanner has limited its depth."""
    marker, start = int(tokens.marker[token]), int(tokens.start[token])
    payload = tokens.content[start : start + int(tokens.size[token])]
    if marker == _OBJECT:
        return _object(tokens, token)
    if marker == _ARRAY:
        children = _children(tokens, token)
        if children and np.all(tokens.marker[children] == _OBJECT):
            return TokenRecords(tokens, np.array(children, dtype=np.int64))
        return [_value(tokens, child) for child in children]
    if marker >= _TYPED:
        dtype = _NUMBERS[marker - _TYPED]
        return np.frombuffer(payload, dtype=dtype).astype(dtype.newbyteorder("="))
    if marker in (_STRING, _CHAR):
        return _text(tokens, payload)
    if marker in _WORDS:
        return _WORDS[marker]
    return np.frombuffer(payload, dtype=_NUMBERS[marker])[0].item()


def _object(tokens: Tokens, token: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for child in _children(tokens, token):
        start = int(tokens.key[child])
        key = _text(tokens, tokens.content[start : start + int(tokens.key_size[child])])
        if key in found:
            raise ModelFileError(f"{tokens.name}: duplicate key {key[:40]!r}")
        found[key] = _value(tokens, child)
    return found


def _text(tokens: Tokens, payload: bytes) -> str:
    try:
        return payload.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ModelFileError(f"{tokens.name}: a text is not UTF-8") from error
