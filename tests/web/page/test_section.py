import pytest

import glasswood as gw
from glasswood.web.page import Section


def test_a_section_becomes_a_document() -> None:
    section = Section("tree", "Tree", {"a": 1}, "panels/tree.js")
    assert section.to_dict() == {"kind": "tree", "title": "Tree", "data": {"a": 1}}


@pytest.mark.parametrize("kind", ["", "Tree", "a b", "a-b", "_a", "a_", "x;alert(1)"])
def test_a_kind_that_could_not_be_a_name_is_refused(kind: str) -> None:
    with pytest.raises(gw.OptionError, match="small letters and underscores"):
        Section(kind, "Tree", {}, "panels/tree.js")
