"""Protocol buffers, written: the bytes of fields, as ONNX files hold them."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5  # kinds of fields


def put_bytes(field: int, content: bytes) -> bytes:
    """A field of bytes, a text or a message."""
    return field_key(field, BYTES) + varint(len(content)) + content


def put_integers(field: int, numbers: Iterable[int]) -> bytes:
    """A repeated field of whole numbers, packed."""
    return put_bytes(field, b"".join(varint(int(number)) for number in numbers))


def put_integer(field: int, number: int) -> bytes:
    """A field of one whole number."""
    return field_key(field, VARINT) + varint(number)


def put_floats(field: int, numbers: NDArray[np.float64]) -> bytes:
    """A repeated field of float32, packed."""
    return put_bytes(field, numbers.astype("<f4").tobytes())


def field_key(field: int, kind: int) -> bytes:
    """What stands before a field: its number and its kind."""
    return varint(field << 3 | kind)


def varint(number: int) -> bytes:
    """A whole number, 7 bits in each byte, the lowest first."""
    number &= 2**64 - 1
    parts = bytearray()
    while number >= 128:
        parts.append(number & 127 | 128)
        number >>= 7
    parts.append(number)
    return bytes(parts)
