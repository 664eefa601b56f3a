"""UBJSON: a bounded reader of the binary JSON that XGBoost writes.

Nothing is allocated from a count before the bytes it counts are seen to be there, and nesting is limited. Number arrays
stay slices of the file until someone asks for their numbers: a model is read by joining the slices of all its trees.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from glasswood.errors import ModelFileError

_MAX_DEPTH = 64

_NUMBERS: dict[int, np.dtype[Any]] = {  # marker → big-endian dtype
    ord("i"): np.dtype(">i1"),
    ord("U"): np.dtype(">u1"),
    ord("I"): np.dtype(">i2"),
    ord("l"): np.dtype(">i4"),
    ord("L"): np.dtype(">i8"),
    ord("d"): np.dtype(">f4"),
    ord("D"): np.dtype(">f8"),
}
_SIZES = {marker: dtype.itemsize for marker, dtype in _NUMBERS.items()}
_SIGNED = {ord("i"): True, ord("U"): False, ord("I"): True, ord("l"): True, ord("L"): True}
_WORDS: dict[int, Any] = {ord("Z"): None, ord("T"): True, ord("F"): False}
_STRING, _CHAR, _HIGH_PRECISION = ord("S"), ord("C"), ord("H")
_ARRAY, _END_ARRAY, _OBJECT, _END_OBJECT = ord("["), ord("]"), ord("{"), ord("}")
_TYPED, _COUNTED, _NOTHING, _LENGTH = ord("$"), ord("#"), ord("N"), ord("L")


class NumberArray(NamedTuple):
    """A typed array, still as bytes."""

    marker: int
    content: bytes


def join_numbers(arrays: list[NumberArray]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The numbers of several arrays, one after the other, and how many each has."""
    contents = [array.content for array in arrays]
    n_bytes = np.fromiter(map(len, contents), dtype=np.int64, count=len(contents))
    markers = {array.marker for array in arrays}
    if len(markers) == 1:
        dtype = _NUMBERS[markers.pop()]
        joined = np.frombuffer(b"".join(contents), dtype=dtype)
        return joined.astype(dtype.newbyteorder("=")), n_bytes // dtype.itemsize
    sizes = np.array([_SIZES[array.marker] for array in arrays], dtype=np.int64)
    parts = [np.frombuffer(array.content, dtype=_NUMBERS[array.marker]) for array in arrays]
    return np.concatenate(parts) if parts else np.zeros(0), n_bytes // sizes


def parse_ubjson(content: bytes, name: str) -> Any:
    """Python objects of a document; typed arrays as `NumberArray`."""
    parser = _Parser(content)
    try:
        document = parser.value(parser.marker(), 0)
    except (IndexError, _GarbledError) as error:
        raise ModelFileError(f"{name}: not UBJSON, {error} (near byte {parser.at})") from error
    return document


class Layout:
    """What stood at each place of the object before, for objects that are laid out alike.

    A thousand trees have the same eighteen keys in the same order, and one comparison of bytes is a fraction of the work
    of reading key, marker and length.
    """

    def __init__(self) -> None:
        # the bytes from the key to where the value differs, the key, its marker, bytes per item, and an inner object's own
        self.places: list[tuple[bytes, str, int, int, Layout | None]] = []

    def learn(self, place: int, written: bytes, key: str, behind_key: int) -> None:
        """Remember the entry that `written` starts with; it is not read faster next time if it is of another kind."""
        marker = written[behind_key]
        entry: tuple[bytes, str, int, int, Layout | None] = (b"\0", key, 0, 0, None)  # no entry starts with a zero
        if marker == _OBJECT:
            entry = (written[: behind_key + 1], key, marker, 0, Layout())
        elif marker == _STRING and written[behind_key + 1] == _LENGTH:
            entry = (written[: behind_key + 2], key, marker, 1, None)
        elif marker == _ARRAY and written[behind_key + 1] == _TYPED and written[behind_key + 4] == _LENGTH:
            number = written[behind_key + 2]
            entry = (written[: behind_key + 5], key, number, _SIZES[number], None)
        if place == len(self.places):
            self.places.append(entry)
        else:
            self.places[place] = entry


class _GarbledError(Exception):
    """What is wrong, without the name of the file."""


class _Parser:
    """A place in the bytes that moves on."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.at = 0

    def marker(self) -> int:
        """The next byte that is not padding."""
        while True:
            marker = self.content[self.at]  # IndexError: the file ends here
            self.at += 1
            if marker != _NOTHING:
                return marker

    def value(self, marker: int, depth: int) -> Any:
        """The value that a marker opens."""
        if depth > _MAX_DEPTH:
            raise _GarbledError(f"nested deeper than {_MAX_DEPTH}")
        if marker == _ARRAY:
            return self.array(depth)
        if marker == _STRING:
            return self.text(self.length())
        if marker == _OBJECT:
            return self.object(depth, Layout())
        if marker in _SIGNED:
            return self.integer(marker)
        if marker in _NUMBERS:
            return np.frombuffer(self.take(_SIZES[marker]), dtype=_NUMBERS[marker])[0].item()
        if marker in _WORDS:
            return _WORDS[marker]
        if marker == _CHAR:
            return self.text(1)
        if marker == _HIGH_PRECISION:
            raise _GarbledError("numbers of high precision are not used in models")
        raise _GarbledError(f"unknown marker {marker:#04x}")

    def take(self, size: int) -> bytes:
        """The next bytes, which must be there."""
        taken = self.content[self.at : self.at + size]
        if len(taken) != size:
            raise _GarbledError("the file is cut off")
        self.at += size
        return taken

    def integer(self, marker: int) -> int:
        """A whole number of the marker's size."""
        if marker not in _SIGNED:
            raise _GarbledError("a length is not a whole number")
        return int.from_bytes(self.take(_SIZES[marker]), "big", signed=_SIGNED[marker])

    def length(self) -> int:
        """A count that stands at this place."""
        length = self.integer(self.marker())
        if not 0 <= length <= len(self.content) - self.at:
            # everything that is counted takes at least a byte
            raise _GarbledError(f"{length} things are announced where {len(self.content) - self.at} bytes are left")
        return length

    def text(self, length: int) -> str:
        """The text of so many bytes."""
        if length < 0:
            raise _GarbledError("a text has a negative length")
        try:
            return self.take(length).decode("utf-8")
        except UnicodeDecodeError as error:
            raise _GarbledError("a text is not UTF-8") from error

    def array(self, depth: int) -> Any:
        """What stands between brackets; typed arrays are kept as they are."""
        content = self.content
        if content[self.at] == _TYPED:
            marker = content[self.at + 1]
            if marker not in _NUMBERS or content[self.at + 2] != _COUNTED:
                raise _GarbledError("a typed array does not hold numbers, or does not say how many")
            self.at += 3
            return NumberArray(marker, self.take(self.length() * _SIZES[marker]))
        layout = Layout()
        if content[self.at] == _COUNTED:
            self.at += 1
            return [self.element(self.marker(), depth + 1, layout) for _ in range(self.length())]
        found = []
        while (marker := self.marker()) != _END_ARRAY:
            found.append(self.element(marker, depth + 1, layout))
        return found

    def element(self, marker: int, depth: int, layout: Layout) -> Any:
        """A value in an array, whose objects are likely to be laid out alike."""
        if marker == _OBJECT and depth <= _MAX_DEPTH:
            return self.object(depth, layout)
        return self.value(marker, depth)

    def object(self, depth: int, layout: Layout) -> dict[str, Any]:
        """What stands between braces."""
        content, places = self.content, layout.places
        if content[self.at] in (_TYPED, _COUNTED):
            raise _GarbledError("an object with a count is not used in models")
        found: dict[str, Any] = {}
        while True:
            place, at = len(found), self.at
            if place < len(places):
                opening, key, marker, size, inner = places[place]
                if content.startswith(opening, at) and key not in found:
                    at += len(opening)
                    found[key] = self.alike(at, marker, size) if inner is None else self.inner(at, depth, inner)
                    continue
            if (marker := self.marker()) == _END_OBJECT:
                return found
            key = self.text(self.integer(marker))
            if key in found:
                raise _GarbledError(f"the key {key[:40]!r} stands twice in one object")
            behind_key = self.at - at
            found[key] = self.value(self.marker(), depth + 1)
            layout.learn(place, content[at : at + behind_key + 8], key, behind_key)

    def inner(self, at: int, depth: int, layout: Layout) -> dict[str, Any]:
        """An object within one that is laid out like the one before."""
        self.at = at
        return self.object(depth + 1, layout)

    def alike(self, at: int, marker: int, size: int) -> Any:
        """A text or typed array, from the count on."""
        content = self.content
        first = at + 8
        self.at = end = first + int.from_bytes(content[at:first], "big") * size
        if end > len(content):
            raise _GarbledError("the file is cut off")
        if marker == _STRING:
            self.at = first
            return self.text(end - first)
        return NumberArray(marker, content[first:end])
