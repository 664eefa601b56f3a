"""The page: sections of JSON in one offline document."""

from glasswood.web.page._page import Page
from glasswood.web.page._section import Section

__all__ = ["Page", "Section"]
