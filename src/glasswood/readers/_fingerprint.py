"""Fingerprint: a digest of everything a model object holds, to detect changes in place."""

import hashlib
from collections.abc import Mapping, Set
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

_PLAIN = (bool, int, float, complex, str, np.generic, type(None))
_MANY = 64  # items from which on a container is added in one piece, if they are of one type
_BULK: dict[type, Any] = {
    str: str,
    bool: np.bool_,
    int: np.int64,
    float: np.float64,
    np.int32: np.int32,
    np.int64: np.int64,
    np.float32: np.float32,
    np.float64: np.float64,
}
_CODE = (type, FunctionType, BuiltinFunctionType, MethodType, ModuleType)


def digest(*parts: Any) -> bytes:
    """Digest of values, arrays, containers and objects, including what they contain.

    Arrays count by their bytes, objects by their class and attributes. An object with hidden state (a function, a
    random generator) counts by its identity: replacing it is a change, a change inside it is not.
    """
    walk = _Walk()
    for part in parts:
        walk.add(part)
    return walk.hash.digest()


def vars_but(model: Any, name: str) -> dict[str, Any]:
    """Attributes of an object except one, which its library writes."""
    return {key: value for key, value in vars(model).items() if key != name}


class _Walk:
    """Visits an object and everything in it; remembers what was visited, so that cycles end."""

    def __init__(self) -> None:
        self.hash = hashlib.blake2b(digest_size=32)
        self._met: dict[int, tuple[int, Any]] = {}  # objects are kept alive, so that their ids stay unique

    def add(self, thing: Any) -> None:
        if isinstance(thing, _PLAIN):
            self._note(f"{type(thing).__name__} {thing!r}")
        elif isinstance(thing, bytes | bytearray):
            self._note(f"bytes {len(thing)}")
            self.hash.update(thing)
        elif isinstance(thing, _CODE):
            self._note(f"code {getattr(thing, '__qualname__', '')} {id(thing)}")
        elif id(thing) in self._met:
            self._note(f"again {self._met[id(thing)][0]}")
        else:
            self._met[id(thing)] = len(self._met), thing
            self._add_new(thing)

    def _add_new(self, thing: Any) -> None:
        if isinstance(thing, np.ndarray):
            self._array(thing)
        elif isinstance(thing, Mapping):
            self._mapping(thing)
        elif isinstance(thing, list | tuple):
            self._items(thing, thing)
        elif isinstance(thing, Set):
            self._items(thing, sorted(map(repr, thing)))
        elif type(thing).__name__ == "Tree" and hasattr(thing, "__getstate__"):  # scikit-learn's: its nodes and values
            self._items(thing, [thing.__getstate__()])
        elif hasattr(thing, "__dict__"):
            self._items(thing, [vars(thing)])
        else:
            self._note(f"{type(thing).__qualname__} {id(thing)}")

    def _items(self, thing: Any, parts: Any) -> None:
        self._note(f"{type(thing).__module__}.{type(thing).__qualname__} {len(parts)}")
        if len(parts) >= _MANY and self._alike(parts):
            return
        for part in parts:
            self.add(part)

    def _mapping(self, thing: Mapping[Any, Any]) -> None:
        if len(thing) < _MANY:
            self._items(thing, [part for pair in thing.items() for part in pair])
        else:  # such as the vocabulary of a vectorizer
            self._note(f"{type(thing).__module__}.{type(thing).__qualname__} of many")
            self._items([], list(thing.keys()))
            self._items([], list(thing.values()))

    def _alike(self, parts: Any) -> bool:
        """Add many texts or numbers of one type at once; False if they are something else."""
        kinds = set(map(type, parts))
        kind = next(iter(kinds))
        if len(kinds) > 1 or kind not in _BULK:
            return False
        if kind is str:
            self._note("texts")
            # with their lengths, so that no other list gives the same bytes
            self.hash.update(np.fromiter(map(len, parts), dtype=np.int64, count=len(parts)).tobytes())
            self.hash.update("".join(parts).encode("utf-8", "surrogatepass"))
            return True
        try:
            numbers = np.array(parts, dtype=_BULK[kind])
        except OverflowError:  # whole numbers of more than 64 bits
            return False
        self._note(f"numbers {kind.__name__}")
        self.hash.update(numbers.tobytes())
        return True

    def _array(self, array: NDArray[Any]) -> None:
        self._note(f"array {array.dtype.str} {array.shape}")
        if array.dtype.hasobject:
            self._items(array, array.ravel().tolist())
        else:
            self.hash.update(np.ascontiguousarray(array).tobytes())

    def _note(self, text: str) -> None:
        self.hash.update(text.encode("utf-8", "surrogatepass") + b"\0")
