"""Looking at the tree panel."""

from playwright.sync_api import Page

# Place, node and prediction of the regions shown.
VISIBLE = """
() => [...document.querySelectorAll(".region")].filter((g) => g.style.display !== "none").flatMap((g) =>
  [...g.children].map((r) => ["x", "y", "width", "height"].map((n) => Number(r.getAttribute(n))).concat(
    Number(g.dataset.node), Number(g.dataset.predicted))))
"""


def caption(page: Page) -> str:
    return page.locator(".tree-caption").inner_text()


def ready(page: Page) -> Page:
    page.locator(".regions-drawing").wait_for()
    return page
