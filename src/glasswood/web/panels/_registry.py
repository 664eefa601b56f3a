"""Builders: which function computes which kind of section, in the order of the rail."""

from collections.abc import Callable
from typing import TypeAlias

from glasswood.web.page._section import Section
from glasswood.web.panels._build import (
    build_credibility,
    build_effects,
    build_examples,
    build_interactions,
    build_overview,
    build_rules,
)
from glasswood.web.panels._subject import Subject
from glasswood.web.panels.tree._section import tree_section

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
