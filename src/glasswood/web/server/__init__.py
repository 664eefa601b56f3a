"""The app: uploads, settings and sessions of a local server."""

from glasswood.web.server._app import web_app
from glasswood.web.server._serve import check_port, run

__all__ = ["check_port", "run", "web_app"]
