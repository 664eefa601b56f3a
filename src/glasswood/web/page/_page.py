"""Page: panels about a model, for one offline file, a notebook or a server."""

import html
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from glasswood.web.page._document import single_document
from glasswood.web.page._section import Section


@dataclass(frozen=True, slots=True)
class Page:
    """A title and its panels.

    Examples
    --------
    >>> from glasswood.web.page import Page, Section
    >>> page = Page("Two numbers", (Section("overview", "Overview", {"rows": 2}, "panels/overview.js"),))
    >>> page.to_dict()["sections"][0]["data"]
    {'rows': 2}
    """

    title: str
    sections: tuple[Section, ...]
    state: str = ""  # what the page shows first, as its address would say after "#"

    def at(self, state: str) -> "Page":
        """The same page, opened at a panel and what is chosen there.

        A notebook keeps it when it is saved; the button *Keep this view* of a page in a notebook copies the call.

        Parameters
        ----------
        state : str
            What the address of the page says after ``#``, such as ``"view=effects&feature=age"``.

        Examples
        --------
        >>> from glasswood.web.page import Page
        >>> Page("Nothing yet", ()).at("view=effects&feature=age").state
        'view=effects&feature=age'
        """
        return replace(self, state=state.removeprefix("#"))

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "title": self.title,
            "state": self.state,
            "sections": [section.to_dict() for section in self.sections],
        }

    def scripts(self) -> dict[str, str]:
        """The module that draws each kind of section."""
        return {section.kind: section.script for section in self.sections}

    def html(self) -> str:
        """The page as one HTML document that loads nothing else."""
        return single_document(self.title, self.to_dict(), self.scripts())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page as one HTML file."""
        Path(path).write_text(self.html(), encoding="utf-8")

    def serve(self, port: int = 8000, *, open_browser: bool = False) -> None:
        """Serve the page on 127.0.0.1 until interrupted; needs ``glasswood[web]``."""
        from glasswood.web.server._serve import page_app, run

        run(page_app(self), port, open_browser=open_browser)

    def _repr_html_(self) -> str:
        return (
            f'<iframe sandbox="allow-scripts allow-downloads" title="{html.escape(self.title)}" '
            f'srcdoc="{html.escape(self.html())}" style="width:100%;height:760px;border:0"></iframe>'
        )
