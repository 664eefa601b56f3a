"""Credibility: the formulas of the page equal those of Python, and the sliders move everything."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

import glasswood as gw
from glasswood.explain import GAINS
from glasswood.web.page._bundle import static_text
from tests.browser.conftest import OpenPage, Show
from tests.browser.reports import report_of
from tests.browser.waiting import eventually

SPREADS = (0.01, 0.05, 0.1, 0.2, 0.5, 1.0)
SDS = (0.01, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
ROWS = (2, 3, 10, 1000, 100000)


def test_the_formulas_are_those_of_python_on_the_grid(open_page: OpenPage) -> None:
    grid = gw.credibility_grid(SPREADS, SDS, ROWS, GAINS)
    code = static_text("panels/credibility_formulas.js").replace("export ", "")
    page = open_page("about:blank")
    said = page.evaluate(
        f"""([rules, rows, spreads, sds]) => {{ {code}
        const all = (f) => rules.map((r) => rows.map((n) => spreads.map((s) => sds.map((d) => f(r, s, d, n)))));
        return [all(credibilityOf), all(gainOf)]; }}""",
        [list(GAINS), list(ROWS), list(SPREADS), list(SDS)],
    )
    assert np.array(said[0]) == pytest.approx(grid.credibility, rel=1e-9, abs=1e-12)
    assert np.array(said[1]) == pytest.approx(grid.gain, rel=1e-9)


def test_the_sliders_move_densities_rules_and_the_ring(show: Show) -> None:
    page = show(report_of("binary"), "#view=credibility&spread=0.5&sd=0.5&size=1000")
    grid = gw.credibility_grid([0.5], [0.5], 1000, GAINS)
    texts = page.locator("svg.rule-z text")
    eventually(page, lambda: texts.all_text_contents()[1::3], [f"Z {z:.3f}" for z in grid.credibility.ravel()])
    expect(texts.nth(2)).to_have_text(f"gain {grid.gain.ravel()[0]:g}")
    ring = page.locator("svg.z-grid .ring")
    before = ring.get_attribute("cx") or ""
    path = page.locator("svg.densities path").first.get_attribute("d") or ""
    page.locator("#slider-sd").focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(ring).not_to_have_attribute("cx", before)
    expect(page.locator("svg.densities path").first).not_to_have_attribute("d", path)
    page.wait_for_url(lambda address: "sd=0.5&" not in address)


def test_the_grid_shows_what_python_computed(show: Show) -> None:
    page = show(report_of("binary"), "#view=credibility&rule=welch&size=10")
    grid = gw.credibility_grid(SPREADS, SDS, 10, "welch")
    expect(page.locator("svg.z-grid .on-heat")).to_have_text([f"{z:.2f}" for z in grid.credibility[0, 0].ravel()])


def test_the_example_marks_what_each_rule_takes(show: Show) -> None:
    page = show(report_of("binary"), "#view=credibility")
    rows = page.locator(".two-features tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.nth(0).locator("td.differs")).to_have_text(re.compile(r"^12,113\.8[45]$"))
    expect(rows.nth(2).locator("td").last).to_have_text("x1")
