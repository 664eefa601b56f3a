"""Web pages: results → JSON → page. Plain JavaScript modules draw it, without a build step or external requests."""

from glasswood.web._explore import explore
from glasswood.web._report import report
from glasswood.web.page import Page

__all__ = ["Page", "explore", "report"]
