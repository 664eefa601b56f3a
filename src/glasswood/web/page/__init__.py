"""The page: sections of JSON in one offline HTML document."""

from glasswood.web.page._page import Page
from glasswood.web.page._section import Section

__all__ = ["Page", "Section"]
