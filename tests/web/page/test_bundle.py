import re
from collections import Counter

import pytest

from glasswood.web.page._bundle import link, registry_text, static_names, static_text, style
from glasswood.web.panels._registry import PANELS

SCRIPTS = {panel.kind: panel.script for panel in PANELS.values()}
MODULES = static_names(".js")


def top_level_names(text: str) -> list[str]:
    return re.findall(r"^(?:export )?(?:async )?(?:function|const|let|class) (\w+)", text, re.M)


def test_a_module_stands_after_what_it_imports_and_only_once() -> None:
    linked = link(SCRIPTS)
    for name in MODULES:
        for declared in top_level_names(static_text(name)):
            assert len(re.findall(rf"^(?:async )?(?:function|const|let|class) {declared}\b", linked, re.M)) == 1
    assert (
        linked.index("function svg(") < linked.index("function createTooltip(") < linked.index("function mountShell(")
    )


def test_the_registry_names_a_function_for_each_kind() -> None:
    assert registry_text({"tree": "panels/tree.js", "one_row": "panels/row.js"}).splitlines()[2:] == [
        'import { mountTree } from "./panels/tree.js";',
        'import { mountOneRow } from "./panels/row.js";',
        "",
        "export const PANELS = {",
        "  tree: mountTree,",
        "  one_row: mountOneRow,",
        "};",
    ]


def test_no_import_or_export_is_left() -> None:
    assert not re.search(r"^\s*(import|export)\b", link(SCRIPTS), re.M)


def test_every_module_is_reached() -> None:
    linked = link(SCRIPTS)
    for name in MODULES:
        opening = static_text(name).splitlines()[0]
        assert opening.startswith("// "), f"{name} does not say why it exists"
        assert opening in linked, f"nothing imports {name}"


def test_top_level_names_are_unique() -> None:
    counted = Counter(declared for name in MODULES for declared in top_level_names(static_text(name)))
    assert [name for name, times in counted.items() if times > 1] == []


@pytest.mark.parametrize("name", MODULES)
def test_modules_keep_to_the_rules(name: str) -> None:
    text = static_text(name)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
    assert "</" not in text
    assert not re.search(r"""setAttribute\(\s*["']style""", text)
    assert len(text.splitlines()) <= 400
    for line in re.findall(r"^(?:import|export)\b.*", text, re.M):
        assert re.match(r"import \{|export (async )?function |export const ", line), line


def test_style_sheets_ask_for_nothing() -> None:
    assert not re.search(r"url\(|@import", style())


def test_sheets_do_not_style_each_others_classes() -> None:
    """A class that is used alone belongs to one sheet, because panels share a page."""
    owners: dict[str, set[str]] = {}
    for name in static_names(".css"):
        for selector in re.findall(r"^([^@{}/\n][^{}]*)\{", static_text(name), re.M):
            for part in selector.split(","):
                if found := re.fullmatch(r"\s*\.([\w-]+)\s*", part):
                    owners.setdefault(found.group(1), set()).add(name)
    assert {name: sheets for name, sheets in owners.items() if len(sheets) > 1} == {}
