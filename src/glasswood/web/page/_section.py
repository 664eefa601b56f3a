"""Section: the data of one panel of a page."""

import re
from dataclasses import dataclass
from typing import Any

from glasswood.errors import OptionError

_KIND = re.compile(r"[a-z]+(?:_[a-z]+)*")


@dataclass(frozen=True, slots=True)
class Section:
    """Data of one panel, and the module that draws it; kind, title and script come from `glasswood.web.panels`."""

    kind: str  # lower-case letters and underscores; used in addresses and in names of the scripts
    title: str
    data: dict[str, Any]  # JSON-ready; all numbers are computed and all texts written
    script: str  # a file of the page: "panels/tree.js" exports mountTree

    def __post_init__(self) -> None:
        if not _KIND.fullmatch(self.kind):
            raise OptionError(f"the kind of a section has small letters and underscores; got {self.kind!r}")

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {"kind": self.kind, "title": self.title, "data": self.data}
