"""Section: one panel of a page, as the numbers and words it shows."""

from dataclasses import dataclass
from typing import Any

from glasswood.errors import OptionError

# kind → what the rail calls it, in the order of the rail
TITLES = {
    "overview": "Overview",
    "tree": "Tree",
    "effects": "Effects",
    "interactions": "Interactions",
    "rules": "Rules",
    "examples": "Examples",
    "credibility": "Credibility",
}
KINDS = tuple(TITLES)


@dataclass(frozen=True, slots=True)
class Section:
    """What one panel shows; `static/panels/<kind>.js` draws it."""

    kind: str  # one of KINDS
    title: str
    data: dict[str, Any]  # JSON-ready: every number computed, every condition worded

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise OptionError(f"unknown kind of section {self.kind!r}; expected one of {', '.join(KINDS)}")

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {"kind": self.kind, "title": self.title, "data": self.data}
