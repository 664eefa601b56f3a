"""Budget: how much of a long list fits a page that people open, send and archive."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from glasswood.web.page._document import to_json
from glasswood.web.page._section import Section


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


def page_within(sections: Iterable[Section], budget: int) -> tuple[Section, ...]:
    """Sections that stay within so many bytes together: the largest gives way first, and says so in its place.

    Every panel has a budget of its own, but not one for each of hundreds of outputs.
    """
    kept = list(sections)
    size = [len(to_json(section.data).encode()) for section in kept]
    while sum(size) > budget:
        k = size.index(max(size))
        why = f"this part alone takes {size[k] / 1e6:.1f} MB, more than a page of 2 MB has room for beside the others"
        kept[k] = replace(kept[k], data={"refused": why})
        size[k] = 0
    return tuple(kept)
