"""Budget: how much of a long list fits a page that people open, send and archive."""

from collections.abc import Iterable
from typing import Any

from glasswood.web._document import to_json


def within(parts: Iterable[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    """The first parts whose JSON together stays within so many bytes; the first one always, the rest not even made."""
    kept: list[dict[str, Any]] = []
    used = 0
    for part in parts:
        used += len(to_json(part).encode())
        if kept and used > budget:
            break
        kept.append(part)
    return kept
