"""axe-core finds no violation in any panel; `make axe` fetches it."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from glasswood.web.server import web_app
from tests.browser.axe_core import assert_no_violation, axe
from tests.browser.conftest import OpenPage, serving
from tests.browser.reports import report_of
from tests.browser.tree_page import ready


@pytest.mark.parametrize(
    ("case", "scheme", "width"), [("binary", "light", 1400), ("several", "light", 390), ("numbers", "dark", 760)]
)
def test_no_panel_of_a_report_violates_a_rule(
    open_page: OpenPage, tmp_path: Path, case: str, scheme: str, width: int
) -> None:
    report: Any = report_of(case)
    report.save(tmp_path / "page.html")
    page = open_page((tmp_path / "page.html").as_uri(), color_scheme=scheme, viewport={"width": width, "height": 900})
    page.evaluate(axe())
    for section in report.sections:
        page.locator(f"nav a[data-kind={section.kind}]").click()
        expect(page.locator(f"#panel-{section.kind} svg").first).to_be_visible()
        for fold in page.locator(f"#panel-{section.kind} summary").all():
            fold.click()
            expect(fold.locator("xpath=following-sibling::*").first).not_to_be_empty()
        assert_no_violation(page)


def test_the_app_violates_no_rule(open_page: OpenPage) -> None:
    with serving(web_app()) as address:
        page = open_page(address)
        expect(page.locator("#field-table")).to_be_visible()
        page.evaluate(axe())
        assert_no_violation(page)
        page.get_by_role("button", name="Look at a toy table").click()
        ready(page)
        assert_no_violation(page)
        page.close()
