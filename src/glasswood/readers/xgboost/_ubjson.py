"""UBJSON: a bounded reader of the binary JSON that XGBoost writes.

Nothing is allocated from a count before the bytes it counts are seen to be there, and nesting is limited. Number arrays
stay slices of the file until someone asks for their numbers: a model is read by joining the slices of all its trees.
"""

from typing import Any, NamedTuple, TypeAlias

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
_TYPED, _COUNTED, _NOTHING = ord("$"), ord("#"), ord("N")


class NumberArray(NamedTuple):
    """A typed array, still as bytes."""

    marker: int
    content: bytes


def number_size(array: NumberArray) -> int:
    """Bytes a number of the array takes."""
    return _SIZES[array.marker]


def join_numbers(arrays: list[NumberArray]) -> NDArray[Any]:
    """The numbers of several arrays, one after the other."""
    markers = {array.marker for array in arrays}
    if len(markers) == 1:
        dtype = _NUMBERS[markers.pop()]
        return np.frombuffer(b"".join([array.content for array in arrays]), dtype=dtype).astype(dtype.newbyteorder("="))
    return np.concatenate([np.frombuffer(array.content, dtype=_NUMBERS[array.marker]) for array in arrays])


def parse_ubjson(content: bytes, name: str) -> Any:
    """Python objects of a document; typed arrays as `NumberArray`."""
    parser = _Parser(content)
    try:
        document = parser.value(parser.marker(), 0)
    except (IndexError, _GarbledError) as error:
        raise ModelFileError(f"{name}: not UBJSON, {error} (near byte {parser.at})") from error
    return document


# per place in an object: the bytes from the key to the count of a typed array, its key, marker and item size
Layout: TypeAlias = list[tuple[bytes, str, int, int]]


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
            return self.object(depth, [])
        if marker in _SIGNED:
            return self.integer(marker)
        if marker in _NUMBERS:
            return join_numbers([NumberArray(marker, self.take(_SIZES[marker]))])[0].item()
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
        layout: Layout = []
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
        """What stands between braces.

        `layout` remembers, per place, the bytes that opened a typed array in the object before: a thousand trees have
        the same fourteen arrays, and one comparison is a third of the work of reading key, marker and length.
        """
        content = self.content
        if content[self.at] in (_TYPED, _COUNTED):
            raise _GarbledError("an object with a count is not used in models")
        found: dict[str, Any] = {}
        place = -1
        while True:
            place += 1
            if place < len(layout):
                opening, key, marker, size = layout[place]
                if content.startswith(opening, self.at) and key not in found:
                    first = self.at + len(opening) + 8
                    end = first + int.from_bytes(content[first - 8 : first], "big") * size
                    if end > len(content):
                        raise _GarbledError("the file is cut off")
                    found[key] = NumberArray(marker, content[first:end])
                    self.at = end
                    continue
            start = self.at
            if (marker := self.marker()) == _END_OBJECT:
                return found
            key = self.text(self.integer(marker))
            if key in found:
                raise _GarbledError(f"the key {key[:40]!r} stands twice in one object")
            behind_key = self.at
            found[key] = value = self.value(self.marker(), depth + 1)
            if isinstance(value, NumberArray) and content[behind_key : behind_key + 4] == b"[$%c#" % value.marker:
                opening = content[start : behind_key + 5]
                if place <= len(layout) and opening.endswith(b"L"):
                    layout[place:] = [(opening, key, value.marker, _SIZES[value.marker])]
            elif place == len(layout):
                layout.append((b"\0", key, 0, 0))  # something else stands here; no object goes on with a zero byte
