"""Derived values: computed when first asked for, then kept."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

T = TypeVar("T")


def derived(kept: dict[str, Any], name: str, make: Callable[[], T]) -> T:
    """The value kept under `name`; it is computed first if there is none.

    If several threads compute it at the same time, all get the object of the first one. An equal object would not be
    enough, because some values fit only the object they were made for. Nothing is kept if `make` raises.

    Examples
    --------
    >>> kept = {}
    >>> derived(kept, "list", lambda: [1]) is derived(kept, "list", lambda: [2])
    True
    """
    if name not in kept:
        kept.setdefault(name, make())
    return cast(T, kept[name])
