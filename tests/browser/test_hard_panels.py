"""Every panel with every hard table, in four widths and both themes.

No error, no request to another host, axe-core finds nothing, keys reach every control, nothing is wider than the
window, no text is cut off or printed over another.
"""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.axe_core import assert_no_violation, axe
from tests.browser.conftest import OpenPage
from tests.browser.hard_tables import HARD_TABLES, report_on
from tests.browser.looks import CONTRAST, NAMELESS, SPOILT, TOO_WIDE
from tests.browser.waiting import drawn_again, eventually

WIDTHS = (1400, 760, 390, 320)
# axe takes a second: a panel is checked at one of these, which change from table to table
AXE_AT = ((390, "light"), (1400, "dark"), (320, "dark"))

# controls that the Tab key does not reach; entries of a list and nodes of a tree are reached by arrows
OUT_OF_REACH = """
(panel) => [...document.querySelectorAll(`#panel-${panel} :is(button, select, input, summary, a[href], [role=slider],
  [role=listbox], [role=tree])`)].filter((one) => {
    if (!one.getClientRects().length || one.disabled || one.closest(".tooltip")) return false;
    const inside = one.getAttribute("role") === "tree" ? one.querySelector("[tabindex='0']") : one;
    return !inside || inside.tabIndex < 0;
  }).map((one) => one.outerHTML.slice(0, 120))
"""


@pytest.mark.parametrize("name", HARD_TABLES)
def test_every_panel_stands_every_hard_table(open_page: OpenPage, tmp_path: Path, name: str) -> None:
    report = report_on(name)
    report.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size < 2_000_000
    page = open_page((tmp_path / "page.html").as_uri())
    page.evaluate(axe())
    for turn, section in enumerate(report.sections, start=list(HARD_TABLES).index(name)):
        kind = section.kind
        page.set_viewport_size({"width": 1400, "height": 900})
        link = page.locator(f"nav a[data-kind={kind}]")
        link.focus()
        link.press("Enter")
        # on these tables every panel can be shown
        expect(page.locator(f"#panel-{kind}").locator("svg").first).to_be_visible()
        expect(page.locator(f"#panel-{kind} .refused")).to_have_count(0)
        eventually(page, lambda kind=kind: page.evaluate(OUT_OF_REACH, kind), [])
        eventually(page, lambda: page.evaluate(NAMELESS), [])
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            drawn_again(page)
            eventually(page, lambda: page.evaluate(TOO_WIDE), 0)
            eventually(page, lambda kind=kind: page.evaluate(SPOILT, kind), [], frames=60)
        # each theme at a wide and a narrow window, and the narrowest in the last one
        for width, scheme in ((320, "dark"), (390, "dark"), (390, "light"), (1400, "light"), (1400, "dark")):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme)
            eventually(page, lambda: page.evaluate(CONTRAST), [])
            if (width, scheme) == AXE_AT[turn % len(AXE_AT)]:
                assert_no_violation(page)
