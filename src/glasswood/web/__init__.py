"""The web room: results → JSON → page; hand-written modules draw it, without a build step or a request elsewhere."""

from glasswood.web._explore import explore
from glasswood.web._report import report
from glasswood.web.page import Page

__all__ = ["Page", "explore", "report"]
