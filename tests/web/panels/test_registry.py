import pytest

from glasswood.web.page import KINDS
from glasswood.web.page._bundle import static_text
from glasswood.web.panels._registry import BUILDERS
from glasswood.web.server._session import Session
from glasswood.web.server._settings import Settings


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_built_under_its_name_and_has_a_panel(kind: str) -> None:
    section = BUILDERS[kind](Session().subject(Settings(n=30)))
    assert section is not None and section.kind == kind
    assert f"mount{kind.capitalize()}" in static_text("registry.js")
