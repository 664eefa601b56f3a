"""Hashed categories: levels that a source stores only as the hash of their text, and how values are matched.

CatBoost stores CityHash64 of a category's text, cut to 32 bits, and nothing else. Hashing the caller's values the same
way makes the match exact, including collisions; the text itself is found in any table that contains it.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from glasswood.tables import CategoryColumn, Column, Label

_MASK = 2**64 - 1
_K0 = 0xC3A5C85C97CB3127
_K1 = 0xB492B66FBE98F273
_K2 = 0x9AE16A3B2F90404F
_K3 = 0xC949D7C7509E6557
_MUL = 0x9DDFEA08EB382D69


def text_hash(text: str) -> int:
    """Lowest 32 bits of CityHash64 (version 1.0, Pike and Alakuijala 2011) of the UTF-8 bytes."""
    return _city64(text.encode("utf-8", "surrogatepass")) & 0xFFFFFFFF


def as_text(value: Label) -> str:
    """Give a category value the text CatBoost hashes: booleans as 0 and 1, whole numbers without a point."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and not value.is_integer():
        return repr(value)
    return str(int(value))


def distinct_texts(column: Column) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Texts of the values in a column, and per row the position of its text; −1 is missing."""
    if isinstance(column, CategoryColumn):
        return tuple(as_text(label) for label in column.labels), column.codes.astype(np.int64)
    missing = np.isnan(column)
    values, inverse = np.unique(np.where(missing, 0, column), return_inverse=True)
    return tuple(as_text(value) for value in values.tolist()), np.where(missing, -1, inverse)


def codes_of_hashes(column: Column, hashes: Sequence[int]) -> NDArray[np.int32]:
    """Codes of a feature whose levels are known by the hash of their text."""
    texts, place = distinct_texts(column)
    position = {found: code for code, found in enumerate(hashes)}
    # code −1 selects the last entry, for missing values
    moved = np.array([*(position.get(text_hash(text), len(hashes)) for text in texts), -1], dtype=np.int32)
    return moved[place]


def _city64(s: bytes) -> int:
    n = len(s)
    if n <= 16:
        return _city_to_16(s, n)
    if n <= 32:
        a, b = _word(s, 0) * _K1, _word(s, 8)
        c, d = _word(s, n - 8) * _K2, _word(s, n - 16) * _K0
        return _fold(_rotate(a - b, 43) + _rotate(c, 30) + d, a + _rotate(b ^ _K3, 20) - c + n)
    if n <= 64:
        return _city_to_64(s, n)
    return _city_long(s, n)


def _city_to_16(s: bytes, n: int) -> int:
    if n > 8:
        a, b = _word(s, 0), _word(s, n - 8)
        return _fold(a, _rotate(b + n, n)) ^ b
    if n >= 4:
        first, last = int.from_bytes(s[:4], "little"), int.from_bytes(s[n - 4 :], "little")
        return _fold(n + (first << 3), last)
    if n > 0:
        y = s[0] + (s[n >> 1] << 8)
        z = n + (s[n - 1] << 2)
        return _mix((y * _K2 ^ z * _K3) & _MASK) * _K2 & _MASK
    return _K2


def _city_to_64(s: bytes, n: int) -> int:
    a = _word(s, 0) + (n + _word(s, n - 16)) * _K0
    v_first, v_second = _half(a, _word(s, 8), _word(s, 16), _word(s, 24))
    a = _word(s, 16) + _word(s, n - 32)
    w_first, w_second = _half(a, _word(s, n - 24), _word(s, n - 16), _word(s, n - 8))
    r = _mix(((v_first + w_second) * _K2 + (w_first + v_second) * _K0) & _MASK)
    return _mix((r * _K0 + v_second) & _MASK) * _K2 & _MASK


def _half(a: int, second: int, third: int, z: int) -> tuple[int, int]:
    b, c = _rotate(a + z, 52), _rotate(a, 37)
    a += second
    c += _rotate(a, 7)
    a += third
    return a + z, b + _rotate(a, 31) + c


def _city_long(s: bytes, n: int) -> int:
    x, y, z = _word(s, 0), _word(s, n - 16) ^ _K1, _word(s, n - 56) ^ _K0
    v = _weak(s, n - 64, n, y)
    w = _weak(s, n - 32, n * _K1, _K0)
    z += _mix(v[1]) * _K1
    x = _rotate(z + x, 39) * _K1
    y = _rotate(y, 33) * _K1
    for at in range(0, (n - 1) // 64 * 64, 64):
        x = _rotate(x + y + v[0] + _word(s, at + 16), 37) * _K1 & _MASK
        y = _rotate(y + v[1] + _word(s, at + 48), 42) * _K1 & _MASK
        x ^= w[1]
        y ^= v[0]
        z = _rotate((z ^ w[0]) & _MASK, 33)
        v = _weak(s, at, v[1] * _K1, x + w[0])
        w = _weak(s, at + 32, z + w[1], y)
        z, x = x, z
    return _fold(_fold(v[0], w[0]) + _mix(y) * _K1 + z, _fold(v[1], w[1]) + x)


def _weak(s: bytes, at: int, a: int, b: int) -> tuple[int, int]:
    w, x, y, z = (_word(s, at + shift) for shift in (0, 8, 16, 24))
    a += w
    b = _rotate(b + a + z, 21)
    c = a
    a += x + y
    b += _rotate(a, 44)
    return (a + z) & _MASK, (b + c) & _MASK


def _fold(low: int, high: int) -> int:
    low, high = low & _MASK, high & _MASK
    a = _mix((low ^ high) * _MUL & _MASK)
    b = _mix((high ^ a) * _MUL & _MASK)
    return b * _MUL & _MASK


def _word(s: bytes, at: int) -> int:
    return int.from_bytes(s[at : at + 8], "little")


def _rotate(value: int, shift: int) -> int:
    value &= _MASK
    return (value >> shift | value << (64 - shift)) & _MASK


def _mix(value: int) -> int:
    return value ^ value >> 47
