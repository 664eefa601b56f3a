import pytest

from glasswood.web import KINDS
from glasswood.web._builders import BUILDERS
from glasswood.web._link import static_text
from glasswood.web._settings import Settings
from glasswood.web._workshop import Workshop


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_built_under_its_name_and_has_a_panel(kind: str) -> None:
    section = BUILDERS[kind](Workshop().subject(Settings(n=30)))
    assert section is not None and section.kind == kind
    assert f"mount{kind.capitalize()}" in static_text("registry.js")
