import pytest

import glasswood as gw
from glasswood.web.page import Section


def test_a_section_becomes_a_document() -> None:
    assert Section("tree", "Tree", {"a": 1}).to_dict() == {"kind": "tree", "title": "Tree", "data": {"a": 1}}


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(gw.OptionError, match="unknown kind of section 'trees'; expected one of overview, tree"):
        Section("trees", "Tree", {})
