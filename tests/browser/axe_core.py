"""axe-core in a page; `make axe` fetches it."""

from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.waiting import eventually

AXE = Path(__file__).parents[2] / "build" / "npm" / "node_modules" / "axe-core" / "axe.min.js"
# axe also walks through what is hidden, which takes several times as long; other panels stand aside meanwhile
RUN = """
async () => {
  const aside = [...document.querySelectorAll("main > [hidden]")].map((panel) => [panel, document.createComment("")]);
  for (const [panel, place] of aside) panel.replaceWith(place);
  try {
    return (await axe.run(document, { resultTypes: ["violations"] })).violations.flatMap((rule) =>
      rule.nodes.map((node) => `${rule.id}: ${node.html.slice(0, 160)} ${node.failureSummary}`));
  } finally {
    for (const [panel, place] of aside) place.replaceWith(panel);
  }
}
"""


@cache
def axe() -> str:
    if not AXE.exists():
        pytest.fail("axe-core is not here; run: make axe")
    return AXE.read_text()


def assert_no_violation(page: Page) -> None:
    eventually(page, lambda: page.evaluate(RUN), [], frames=20)
