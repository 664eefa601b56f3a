"""Panel: title, build function and script of a panel of the page."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from glasswood.web.page._section import Section
from glasswood.web.panels._subject import Subject


@dataclass(frozen=True, slots=True)
class Panel:
    """A kind of section; `_registry.py` lists all panels in the order of the navigation."""

    kind: str
    title: str  # shown in the navigation
    build: Callable[[Subject], dict[str, Any] | None]  # data of the section; None leaves the section out
    script: str  # module in `static` whose mount function draws the data
    is_about: Callable[[Subject], bool] = lambda subject: True  # whether the page about a subject has this panel

    def section(self, subject: Subject) -> Section | None:
        """Build the panel about a subject."""
        data = self.build(subject) if self.is_about(subject) else None
        return None if data is None else self.filled(data)

    def filled(self, data: dict[str, Any]) -> Section:
        """The section with this data."""
        return Section(self.kind, self.title, data, self.script)

    def refused(self, why: str) -> Section:
        """The section with the reason why it cannot be shown."""
        return self.filled({"refused": why})
