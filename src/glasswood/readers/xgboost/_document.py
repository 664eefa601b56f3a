"""Document: a saved XGBoost model, JSON or UBJSON, and how its parts are taken out of it with care."""

import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.errors import ModelFileError
from glasswood.readers.xgboost._ubjson import NumberArray, join_numbers, parse_ubjson


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """An object in the document, and where it stands, for messages."""

    fields: dict[str, Any]
    path: str

    def part(self, key: str) -> "Part":
        """The object under a key."""
        found = self.fields.get(key)
        if not isinstance(found, dict):
            raise ModelFileError(f"{self.path}: {key!r} is missing or not an object")
        return Part(found, f"{self.path}, {key}")

    def parts(self, key: str) -> list["Part"]:
        """The list of objects under a key."""
        found = self.fields.get(key)
        if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
            raise ModelFileError(f"{self.path}: {key!r} is missing or not a list of objects")
        return [Part(entry, f"{self.path}, {key} {k}") for k, entry in enumerate(found)]

    def text(self, key: str, default: str | None = None) -> str:
        """The text under a key."""
        found = self.fields.get(key, default)
        if not isinstance(found, str):
            raise ModelFileError(f"{self.path}: {key!r} is missing or not text")
        return found

    def texts(self, key: str) -> list[str]:
        """The list of texts under a key, empty where there is none."""
        found = self.fields.get(key, [])
        if isinstance(found, NumberArray) and not found.content:
            return []
        if not isinstance(found, list) or not all(isinstance(entry, str) for entry in found):
            raise ModelFileError(f"{self.path}: {key!r} is not a list of texts")
        return found

    def integer(self, key: str, default: int | None = None) -> int:
        """A whole number, which XGBoost writes as text."""
        found = self.fields.get(key, default)
        text = str(found) if isinstance(found, int | str) else ""
        if not text.isascii() or not text.isdigit() or len(text) > 10:
            raise ModelFileError(f"{self.path}: {key!r} is missing or not a whole number")
        return int(text)

    def column(self, key: str) -> NDArray[Any]:
        """The array of numbers under a key."""
        return column([self], key)[0]


def open_document(content: bytes, name: str) -> Part:
    """Parse the bytes of a saved model."""
    if is_json(content):
        try:
            document = json.loads(content)
        except (ValueError, RecursionError) as error:
            raise ModelFileError(f"{name}: not JSON, {error}") from error
    else:
        document = parse_ubjson(content, name)
    if not isinstance(document, dict):
        raise ModelFileError(f"{name}: not an XGBoost model")
    return Part(document, name)


def is_json(content: bytes) -> bool:
    """Tell JSON from UBJSON, which has a length where JSON has a quote."""
    return content[:1024].lstrip()[:1] == b"{" and content[:1024].lstrip()[1:].lstrip()[:1] in (b'"', b"}")


def column(parts: Sequence[Part], key: str) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The arrays under one key of many objects, joined, and the length of each."""
    arrays = [part.fields.get(key) for part in parts]
    kinds = set(map(type, arrays))
    if kinds <= {NumberArray}:
        typed: list[NumberArray] = arrays  # type: ignore[assignment]
        return join_numbers(typed)
    if kinds != {list}:
        raise ModelFileError(f"{parts[0].path}: {key!r} is missing or not an array in it or one like it")
    lists: list[list[Any]] = arrays  # type: ignore[assignment]
    try:
        joined = np.array(list(itertools.chain.from_iterable(lists)))
    except (ValueError, OverflowError) as error:
        raise ModelFileError(f"{parts[0].path}: {key!r} does not hold numbers") from error
    if joined.dtype.kind not in "biuf" or joined.ndim != 1:
        raise ModelFileError(f"{parts[0].path}: {key!r} does not hold numbers")
    return joined, np.array([len(entry) for entry in lists], dtype=np.int64)


def whole(numbers: NDArray[Any], key: str, path: str) -> NDArray[np.int64]:
    """Numbers that must be whole."""
    if numbers.dtype.kind == "f" and len(numbers):
        raise ModelFileError(f"{path}: {key!r} does not hold whole numbers")
    return numbers.astype(np.int64)
