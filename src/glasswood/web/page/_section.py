"""Section: one panel of a page, as the numbers and words it shows."""

import re
from dataclasses import dataclass
from typing import Any

from glasswood.errors import OptionError

_KIND = re.compile(r"[a-z]+(?:_[a-z]+)*")


@dataclass(frozen=True, slots=True)
class Section:
    """What one panel shows, and the module that draws it; `glasswood.web.panels` decides all but the data."""

    kind: str  # small letters and underscores: a part of the address and of names in the scripts
    title: str
    data: dict[str, Any]  # JSON-ready: every number computed, every condition worded
    script: str  # of the page's own files: "panels/tree.js" exports mountTree

    def __post_init__(self) -> None:
        if not _KIND.fullmatch(self.kind):
            raise OptionError(f"the kind of a section has small letters and underscores; got {self.kind!r}")

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {"kind": self.kind, "title": self.title, "data": self.data}
