"""Document: a saved XGBoost model, JSON or UBJSON, with checked access to its parts."""

import itertools
import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import unique_keys
from glasswood.errors import ModelFileError
from glasswood.readers.xgboost._binary import is_old_xgboost, parse_binary
from glasswood.readers.xgboost._ubjson import TokenRecords, parse_ubjson


@dataclass(frozen=True, slots=True, eq=False)
class DictRecords:
    """A list of objects from JSON, with the same interface as `TokenRecords`."""

    objects: list[dict[str, Any]]

    def __len__(self) -> int:
        return len(self.objects)

    def first(self, n: int) -> "DictRecords":
        """The first objects."""
        return DictRecords(self.objects[:n])

    def as_dicts(self) -> list[dict[str, Any]]:
        """The objects one by one."""
        return self.objects

    def has(self, key: str) -> bool:
        """Whether any object has the key."""
        return any(key in entry for entry in self.objects)

    def column(self, key: str) -> tuple[NDArray[Any], NDArray[np.int64]] | None:
        """The arrays under a key, joined, and the length of each; None if an object lacks it."""
        lists = [entry.get(key) for entry in self.objects]
        if not all(isinstance(entry, list) for entry in lists):
            return None
        joined = _numbers(list(itertools.chain.from_iterable(lists)))  # type: ignore[arg-type]
        return None if joined is None else (joined, np.array([len(entry) for entry in lists], dtype=np.int64))  # type: ignore[arg-type]

    def integers(self, key: str) -> list[int] | None:
        """The whole numbers under a key; None if an object lacks it."""
        numbers = [entry.get(key) for entry in self.objects]
        return numbers if all(type(number) is int for number in numbers) else None  # type: ignore[return-value]

    def texts(self, key: str) -> list[str] | None:
        """The texts under a key; None if an object lacks it."""
        texts = [entry.get(key) for entry in self.objects]
        return texts if all(isinstance(text, str) for text in texts) else None  # type: ignore[return-value]

    def inner(self, key: str) -> "DictRecords | None":
        """The objects under a key; None if an object lacks it."""
        inner = [entry.get(key) for entry in self.objects]
        return DictRecords(inner) if all(isinstance(entry, dict) for entry in inner) else None  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """A list of objects with the same keys, and its path for messages."""

    objects: TokenRecords | DictRecords
    path: str

    def __len__(self) -> int:
        return len(self.objects)

    def first(self, n: int) -> "Records":
        """The first objects."""
        return Records(self.objects.first(n), self.path)

    def has(self, key: str) -> bool:
        """Whether any object has the key."""
        return self.objects.has(key)

    def column(self, key: str) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """The arrays under a key, joined, and the length of each."""
        found = self.objects.column(key)
        if found is None:
            raise ModelFileError(f"{self.path}: {key!r} is missing in one of them or not an array of numbers")
        return found

    def integers(self, key: str) -> list[int]:
        """The whole numbers under a key."""
        found = self.objects.integers(key)
        if found is None:
            raise ModelFileError(f"{self.path}: {key!r} is missing in one of them or not a whole number")
        return found

    def inner_texts(self, key: str, inner_key: str) -> set[str]:
        """The distinct texts under a key of an inner object."""
        inner = self.objects.inner(key)
        texts = None if inner is None else inner.texts(inner_key)
        if texts is None:
            raise ModelFileError(f"{self.path}: {inner_key!r} in {key!r} is missing in one of them or not text")
        return set(texts)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """An object in the document, and its path for messages."""

    fields: dict[str, Any]
    path: str

    def part(self, key: str) -> "Part":
        """The object under a key."""
        found = self.fields.get(key)
        if not isinstance(found, dict):
            raise ModelFileError(f"{self.path}: {key!r} is missing or not an object")
        return Part(found, f"{self.path}, {key}")

    def records(self, key: str) -> Records:
        """The list of objects under a key."""
        found = self.fields.get(key)
        if isinstance(found, list) and all(isinstance(entry, dict) for entry in found):
            found = DictRecords(found)
        elif isinstance(found, np.ndarray) and not len(found):
            found = DictRecords([])
        if not isinstance(found, TokenRecords | DictRecords):
            raise ModelFileError(f"{self.path}: {key!r} is missing or not a list of objects")
        return Records(found, f"{self.path}, {key}")

    def parts(self, key: str) -> list["Part"]:
        """The objects of the list under a key, one by one."""
        records = self.records(key)
        return [Part(entry, f"{records.path} {k}") for k, entry in enumerate(records.objects.as_dicts())]

    def text(self, key: str, default: str | None = None) -> str:
        """The text under a key."""
        found = self.fields.get(key, default)
        if not isinstance(found, str):
            raise ModelFileError(f"{self.path}: {key!r} is missing or not text")
        return found

    def texts(self, key: str) -> list[str]:
        """The list of texts under a key; empty if there is none."""
        found = self.fields.get(key, [])
        if isinstance(found, np.ndarray) and not len(found):
            return []
        if not isinstance(found, list) or not all(isinstance(entry, str) for entry in found):
            raise ModelFileError(f"{self.path}: {key!r} is not a list of texts")
        return found

    def integer(self, key: str, default: int | None = None) -> int:
        """A whole number, which XGBoost writes as text."""
        found = self.fields.get(key, default)
        return as_integer(str(found) if isinstance(found, int | str) else "", key, self.path)

    def column(self, key: str) -> NDArray[Any]:
        """The array of numbers under a key."""
        found = self.fields.get(key)
        if isinstance(found, list):
            found = _numbers(found)
        if not isinstance(found, np.ndarray):
            raise ModelFileError(f"{self.path}: {key!r} is missing or not an array of numbers")
        return found


def open_document(content: bytes, name: str) -> Part:
    """Parse the bytes of a saved model."""
    if is_json(content):
        try:
            document = json.loads(content, object_pairs_hook=unique_keys)
        except (ValueError, RecursionError) as error:
            raise ModelFileError(f"{name}: not JSON, {error}") from error
    elif is_old_xgboost(content):
        document = parse_binary(content, name)
    else:
        document = parse_ubjson(content, name)
    if not isinstance(document, dict):
        raise ModelFileError(f"{name}: not an XGBoost model")
    return Part(document, name)


def is_json(content: bytes) -> bool:
    """Distinguish JSON from UBJSON, which has a length where JSON has a quote."""
    start = content[:1024].lstrip()
    return start[:1] == b"{" and start[1:].lstrip()[:1] in (b'"', b"}")


def whole(numbers: NDArray[Any], key: str, path: str) -> NDArray[np.int64]:
    """The numbers as integers; raises if they are not whole."""
    if numbers.dtype.kind == "f" and len(numbers):
        raise ModelFileError(f"{path}: {key!r} does not hold whole numbers")
    return numbers.astype(np.int64)


def as_integer(text: str, key: str, path: str) -> int:
    """The whole number in a text."""
    if not text.isascii() or not text.isdigit() or len(text) > 10:
        raise ModelFileError(f"{path}: {key!r} is missing or not a whole number")
    return int(text)


def _numbers(found: list[Any]) -> NDArray[Any] | None:
    """A list as an array; None if it does not hold numbers."""
    try:
        array = np.array(found)
    except (ValueError, OverflowError):
        return None
    return array if array.dtype.kind in "biuf" and array.ndim == 1 else None
