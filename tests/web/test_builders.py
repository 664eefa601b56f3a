import pytest

from glasswood.web import Section
from glasswood.web._builders import BUILDERS, build_page
from glasswood.web._subject import Subject


def test_a_page_has_the_sections_whose_builders_find_what_they_need(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BUILDERS, "tree", lambda subject: Section("tree", "Tree", {"rows": len(subject.X)}))
    monkeypatch.setitem(BUILDERS, "rules", lambda subject: None)
    page = build_page(Subject("A title", model=None, X=[[1.0], [2.0]]), ("rules", "tree"))
    assert page.title == "A title"
    assert page.sections == (Section("tree", "Tree", {"rows": 2}),)
