"""Fingerprint: a digest of everything a model object holds, to detect changes in place."""

import hashlib
from collections.abc import Mapping, Set
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

_PLAIN = (bool, int, float, complex, str, np.generic, type(None))
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
            self._items(thing, [part for pair in thing.items() for part in pair])
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
        for part in parts:
            self.add(part)

    def _array(self, array: NDArray[Any]) -> None:
        self._note(f"array {array.dtype.str} {array.shape}")
        if array.dtype.hasobject:
            self._items(array, array.ravel().tolist())
        else:
            self.hash.update(np.ascontiguousarray(array).tobytes())

    def _note(self, text: str) -> None:
        self.hash.update(text.encode("utf-8", "surrogatepass") + b"\0")
