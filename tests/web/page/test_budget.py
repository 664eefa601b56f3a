"""A list is cut when the bytes run out, but never to nothing."""

from glasswood.web.page._budget import page_within, within
from glasswood.web.page._section import Section


def test_parts_are_kept_while_they_fit() -> None:
    parts = [{"a": "x" * 100} for _ in range(10)]
    assert len(within(iter(parts), 350)) == 3
    assert len(within(iter(parts), 1)) == 1
    assert len(within(iter(parts), 10_000)) == 10
    assert within(iter([]), 10) == []


def test_the_largest_section_is_replaced_by_a_remark() -> None:
    sections = [
        Section("effects", "Effects", {"a": "x" * 500}, "panels/effects.js"),
        Section("rules", "Rules", {"b": "é" * 900}, "panels/rules.js"),
    ]
    assert page_within(sections, 5_000) == tuple(sections)
    first, second = page_within(sections, 2_000)
    assert first is sections[0]
    assert second.title == "Rules" and "MB" in second.data["refused"]
