"""Budget: limits long lists so that a page stays small enough to open, send and archive."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from glasswood.web.page._document import to_json
from glasswood.web.page._section import Section


def within(parts: Iterable[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    """The first parts whose JSON fits into so many bytes together, at least one; further parts are not computed."""
    kept: list[dict[str, Any]] = []
    used = 0
    for part in parts:
        used += len(to_json(part).encode())
        if kept and used > budget:
            break
        kept.append(part)
    return kept


def page_within(sections: Iterable[Section], budget: int) -> tuple[Section, ...]:
    """Sections that fit into so many bytes together; the largest is replaced by a remark first.

    Every panel has a budget of its own, but not for each of hundreds of outputs.
    """
    kept = list(sections)
    size = [len(to_json(section.data).encode()) for section in kept]
    while sum(size) > budget:
        k = size.index(max(size))
        why = f"this part alone takes {size[k] / 1e6:.1f} MB, more than a page of 2 MB has room for beside the others"
        kept[k] = replace(kept[k], data={"refused": why})
        size[k] = 0
    return tuple(kept)
