"""Derived: what an object makes of itself when first asked for, and keeps."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

T = TypeVar("T")


def derived(kept: dict[str, Any], name: str, make: Callable[[], T]) -> T:
    """What is kept under `name`, made where nothing is.

    Of threads that race here the first decides, and all get its object: equal is not enough where one thing fits only
    the very object it was made for. An error is not kept.

    Examples
    --------
    >>> kept = {}
    >>> derived(kept, "list", lambda: [1]) is derived(kept, "list", lambda: [2])
    True
    """
    if name not in kept:
        kept.setdefault(name, make())
    return cast(T, kept[name])
