"""UBJSON, slow: recursive descent into Python objects; ValueError if the bytes are not a complete document."""

from typing import Any

import numpy as np

_NUMBERS = {"i": ">i1", "U": ">u1", "I": ">i2", "l": ">i4", "L": ">i8", "d": ">f4", "D": ">f8"}
_WORDS = {"Z": None, "T": True, "F": False}


def parse(content: bytes, max_depth: int) -> Any:
    """Value at the start of the bytes; objects as lists of pairs, so that repeated keys are visible."""
    try:
        return _value(content, *_marker(content, 0), max_depth)[0]
    except IndexError as error:
        raise ValueError("cut off") from error


def _marker(content: bytes, at: int) -> tuple[str, int]:
    while content[at] == ord("N"):
        at += 1
    return chr(content[at]), at + 1


def _take(content: bytes, at: int, size: int) -> tuple[bytes, int]:
    if size < 0 or at + size > len(content):
        raise ValueError("cut off")
    return content[at : at + size], at + size


def _length(content: bytes, marker: str, at: int) -> tuple[int, int]:
    if marker not in "iUIlL":
        raise ValueError("not a length")
    payload, at = _take(content, at, np.dtype(_NUMBERS[marker]).itemsize)
    length = int.from_bytes(payload, "big", signed=marker != "U")
    if not 0 <= length <= len(content) - at:
        raise ValueError("too long")
    return length, at


def _value(content: bytes, marker: str, at: int, depth: int) -> tuple[Any, int]:
    if marker in _NUMBERS:
        payload, at = _take(content, at, np.dtype(_NUMBERS[marker]).itemsize)
        return np.frombuffer(payload, dtype=_NUMBERS[marker])[0].item(), at
    if marker in _WORDS:
        return _WORDS[marker], at
    if marker == "C":
        return _take(content, at, 1)
    if marker == "S":
        length, at = _length(content, *_marker(content, at))
        return _take(content, at, length)
    if marker == "[" and content[at] == ord("$"):
        kind, at = _marker(content, at + 1)
        count, at = _marker(content, at)
        if kind not in _NUMBERS or count != "#":
            raise ValueError("not numbers")
        length, at = _length(content, *_marker(content, at))
        payload, at = _take(content, at, length * np.dtype(_NUMBERS[kind]).itemsize)
        return np.frombuffer(payload, dtype=_NUMBERS[kind]).tolist(), at
    if marker in ("[", "{") and depth > 0:
        return _container(content, marker, at, depth - 1)
    raise ValueError("unknown, or nested too deep")


def _container(content: bytes, marker: str, at: int, depth: int) -> tuple[list[Any], int]:
    found: list[Any] = []
    left = -1
    if content[at] == ord("#") and marker == "[":
        left, at = _length(content, *_marker(content, at + 1))
    elif marker == "{" and content[at] in b"#$":
        raise ValueError("counted object")
    while left != 0:
        kind, at = _marker(content, at)
        if left < 0 and kind == {"[": "]", "{": "}"}[marker]:
            break
        key = None
        if marker == "{":
            length, at = _length(content, kind, at)
            key, at = _take(content, at, length)
            kind, at = _marker(content, at)
        entry, at = _value(content, kind, at, depth)
        found.append((key, entry) if marker == "{" else entry)
        left -= left > 0
    return found, at
