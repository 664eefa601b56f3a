"""Looking at the tree panel."""

import re

from playwright.sync_api import Page, expect

# Place, node and prediction of the regions shown.
VISIBLE = """
() => [...document.querySelectorAll(".region")].filter((g) => g.style.display !== "none").flatMap((g) =>
  [...g.children].map((r) => ["x", "y", "width", "height"].map((n) => Number(r.getAttribute(n))).concat(
    Number(g.dataset.node), Number(g.dataset.predicted))))
"""


def expect_caption(page: Page, begin: str, end: str = "") -> None:
    """Wait for a caption that begins and ends like this."""
    expect(page.locator(".tree-caption")).to_have_text(re.compile(f"^{re.escape(begin)}.*{re.escape(end)}$", re.DOTALL))


def expect_tooltip(page: Page, first: str) -> None:
    """Wait for a tooltip whose first line is this."""
    expect(page.locator(".tooltip").first).to_be_visible()
    expect(page.locator(".tooltip > div").first).to_have_text(first)


def ready(page: Page) -> Page:
    page.locator(".regions-drawing").wait_for()
    return page
