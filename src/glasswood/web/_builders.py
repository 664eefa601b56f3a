"""Builders: which function computes which kind of section."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from glasswood.web._page import Page
from glasswood.web._panels import (
    build_credibility,
    build_effects,
    build_examples,
    build_interactions,
    build_overview,
    build_rules,
)
from glasswood.web._section import KINDS, Section
from glasswood.web._subject import Subject
from glasswood.web._tree_section import tree_section

Builder: TypeAlias = Callable[[Subject], Section | None]  # None: the subject lacks what the panel shows

BUILDERS: dict[str, Builder] = {
    "overview": build_overview,
    "tree": tree_section,
    "effects": build_effects,
    "interactions": build_interactions,
    "rules": build_rules,
    "examples": build_examples,
    "credibility": build_credibility,
}


def build_page(subject: Subject, kinds: Sequence[str] = KINDS) -> Page:
    """Compute the panels of a page, in the order of the rail."""
    found = (BUILDERS[kind](subject) for kind in kinds if kind in BUILDERS)
    return Page(subject.title, tuple(section for section in found if section is not None))
