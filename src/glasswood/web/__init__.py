"""The web room: results → JSON → page; hand-written modules draw it, without a build step or a request elsewhere."""

from glasswood.web._app import web_app
from glasswood.web._explore import explore
from glasswood.web._page import Page
from glasswood.web._report import report
from glasswood.web._section import KINDS, Section
from glasswood.web._server import check_port, run

__all__ = ["KINDS", "Page", "Section", "check_port", "explore", "report", "run", "web_app"]
