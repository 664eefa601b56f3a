"""FlatBuffer: tables, vectors and strings of a FlatBuffers buffer; every offset is checked before it is used.

This implements only what CatBoost's files need. A table starts with the signed distance to its vtable. The vtable lists
the position of each field in the table (0: absent). A field is a number or the unsigned distance to a vector, a string
or a table.
"""

import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.errors import ModelFileError

_TABLE_COST = 8  # smallest size of a table: the distance to its vtable and the offset that led to it


@dataclass(slots=True)
class Budget:
    """Number of bytes that may still be read.

    Offsets may point anywhere, so a small file could reference one long vector a million times. A valid file stores
    everything once, so it never needs more bytes than the buffer has.
    """

    left: int

    def spend(self, n_bytes: int) -> None:
        """Subtract `n_bytes`; raise if fewer are left."""
        self.left -= n_bytes
        if self.left < 0:
            raise ModelFileError("its parts overlap: together they are longer than the file")


@dataclass(frozen=True, slots=True)
class FlatTable:
    """One table of the buffer."""

    buffer: bytes
    position: int
    budget: Budget

    def field(self, index: int, size: int) -> int | None:
        """Position of a field of `size` bytes; None if the table does not have it."""
        back = _unpack("<i", self.buffer, self.position)
        vtable = self.position - back
        vtable_size = _unpack("<H", self.buffer, vtable)
        slot = 4 + 2 * index
        if slot + 2 > vtable_size:
            return None
        offset = _unpack("<H", self.buffer, vtable + slot)
        if offset == 0:
            return None
        _check(self.buffer, self.position + offset, size)
        return self.position + int(offset)

    def n_fields(self) -> int:
        """Number of fields for which the vtable has a slot."""
        vtable = self.position - _unpack("<i", self.buffer, self.position)
        return max(0, (int(_unpack("<H", self.buffer, vtable)) - 4) // 2)

    def number(self, index: int, code: str, default: Any) -> Any:
        """Value of a number field; `code` is a format of the struct module."""
        at = self.field(index, struct.calcsize(code))
        return default if at is None else _unpack("<" + code, self.buffer, at)

    def vector(self, index: int, dtype: str) -> NDArray[Any]:
        """Elements of a vector of numbers; empty if it is absent."""
        found = self._vector(index, np.dtype(dtype).itemsize)
        if found is None:
            return np.zeros(0, dtype=dtype)
        start, count = found
        return np.frombuffer(self.buffer, dtype=dtype, count=count, offset=start)

    def has(self, index: int) -> bool:
        """Whether a vector is present and not empty."""
        at = self.field(index, 4)
        return at is not None and _unpack("<I", self.buffer, self._follow(at)) > 0

    def tables(self, index: int) -> "list[FlatTable]":
        """Elements of a vector of tables."""
        found = self._vector(index, 4)
        if found is None:
            return []
        start, count = found
        self.budget.spend(_TABLE_COST * count)
        return [FlatTable(self.buffer, self._follow(start + 4 * k), self.budget) for k in range(count)]

    def table(self, index: int) -> "FlatTable | None":
        """Table a field points to."""
        at = self.field(index, 4)
        if at is None:
            return None
        self.budget.spend(_TABLE_COST)
        return FlatTable(self.buffer, self._follow(at), self.budget)

    def text(self, index: int) -> str:
        """Content of a string field; empty if it is absent."""
        found = self._vector(index, 1)
        return "" if found is None else self._decode(*found)

    def texts(self, index: int) -> tuple[str, ...]:
        """Elements of a vector of strings."""
        found = self._vector(index, 4)
        if found is None:
            return ()
        start, count = found
        return tuple(self._decode(*self._length(self._follow(start + 4 * k), 1)) for k in range(count))

    def _vector(self, index: int, item_size: int) -> tuple[int, int] | None:
        """Start and number of elements; None if the field is absent."""
        at = self.field(index, 4)
        return None if at is None else self._length(self._follow(at), item_size)

    def _length(self, at: int, item_size: int) -> tuple[int, int]:
        count = int(_unpack("<I", self.buffer, at))
        _check(self.buffer, at + 4, count * item_size)
        self.budget.spend(count * item_size)
        return at + 4, count

    def _follow(self, at: int) -> int:
        return at + int(_unpack("<I", self.buffer, at))

    def _decode(self, start: int, count: int) -> str:
        try:
            return self.buffer[start : start + count].decode()
        except UnicodeDecodeError as error:
            raise ModelFileError(f"a text in it is not UTF-8: {error}") from None


def root_table(buffer: bytes) -> FlatTable:
    """Table at the root of a buffer."""
    # vtables may be shared and names repeated, so valid files may need a little more than the buffer
    return FlatTable(buffer, int(_unpack("<I", buffer, 0)), Budget(2 * len(buffer)))


def _unpack(code: str, buffer: bytes, at: int) -> Any:
    _check(buffer, at, struct.calcsize(code))
    return struct.unpack_from(code, buffer, at)[0]


def _check(buffer: bytes, at: int, size: int) -> None:
    if at < 0 or at + size > len(buffer):
        raise ModelFileError("an offset in it points outside the file")
