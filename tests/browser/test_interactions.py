"""Interactions: the ranking, the map's cells, both tables, links."""

import re
from functools import cache
from typing import Any
from urllib.parse import quote

import numpy as np
from playwright.sync_api import expect

import glasswood as gw
from tests.browser.conftest import Show
from tests.browser.reports import data_of, report_of
from tests.browser.waiting import eventually


def test_the_ranking_picks_the_map(show: Show) -> None:
    data = data_of(report_of("binary"), "interactions")
    page = show(report_of("binary"), "#view=interactions")
    for k in (0, 1):
        page.locator(".rank").nth(k).click()
        pair = data["tables"][k]
        title = page.locator("#panel-interactions figcaption h3").first
        expect(title).to_have_text(f"Interaction of {' and '.join(pair['features'])}")
        known = [value for value in pair["outputs"][0]["interaction"] if value is not None]
        expect(page.locator("svg.heat-map .map-cells rect")).to_have_count(len(known))
    expect(page.locator(".rank-detail").first).to_have_text(
        f"{data['ranking'][0]['size_text'][0]} · H² {data['ranking'][0]['h2_text'][0]}"
    )


def test_every_pair_that_is_drawn_can_be_chosen(show: Show) -> None:
    """Sixty-six pairs of twelve 0/1 columns: more than the list of the strongest pairs contains."""
    page = show(many_pairs(), "#view=interactions")
    expect(page.locator("#panel-interactions .rank")).to_have_count(66)
    page.locator("#panel-interactions .rank").nth(65).click()
    last = data_of(many_pairs(), "interactions")["tables"][65]["features"]
    expect(page.locator("#panel-interactions figcaption h3").first).to_have_text(f"Interaction of {' and '.join(last)}")
    page.locator("#panel-interactions > .panel-body > .fold summary").click()
    expect(page.locator("#panel-interactions > .panel-body > .fold tbody tr")).to_have_count(66)


@cache
def many_pairs() -> Any:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(400, 12)).astype(float)
    model = gw.ForestRegressor(20, random_state=0).fit(X, X @ rng.normal(size=12) + X[:, 0] * X[:, 1])
    return gw.report(model, X, n_examples=0)


def test_cells_are_read_by_pointer_and_by_keys(show: Show) -> None:
    pair = data_of(report_of("binary"), "interactions")["tables"][0]
    page = show(report_of("binary"), "#view=interactions")
    figure = page.locator("svg.heat-map")
    figure.focus()
    page.keyboard.press("ArrowRight")
    reading = page.locator("#panel-interactions .reading")
    first = f"{pair['across']['words'][0]}; {pair['up']['words'][0]}"
    expect(reading).to_have_text(re.compile(f"^{re.escape(first)} · interaction"))
    page.keyboard.press("ArrowUp")
    expect(reading).to_contain_text(pair["up"]["words"][1])
    page.keyboard.press("ArrowRight")
    expect(reading).to_contain_text(pair["across"]["words"][1])
    cell = page.locator("svg.heat-map .map-cells rect").first.bounding_box()
    page.mouse.move(cell["x"] + cell["width"] / 2, cell["y"] + cell["height"] / 2)
    expect(reading).to_have_text(re.compile(f"^{re.escape(first)}"))
    expect(page.locator(".tooltip")).to_be_visible()


def test_the_parts_of_a_tooltip_add_up(show: Show) -> None:
    page = show(report_of("binary"), "#view=interactions")
    page.locator("svg.heat-map").focus()
    reading, before = page.locator("#panel-interactions .reading"), ""
    for key in ("ArrowRight", "ArrowRight", "ArrowUp", "ArrowRight"):
        page.keyboard.press(key)
        expect(reading).not_to_have_text(before)
        before = reading.inner_text()
        text = before.replace("\u2212", "-").rpartition(" · interaction ")[2]
        found = [float(part) for part in re.findall(r"[+-]?\d[\d.]*(?:e-?\d+)?", text)[:4]]
        pure, first, second, joint = found
        assert abs(pure + first + second - joint) <= 0.006 * sum(map(abs, found))


def test_cells_without_rows_are_faded(show: Show) -> None:
    pair = data_of(report_of("binary"), "interactions")["tables"][0]
    page = show(report_of("binary"), "#view=interactions")
    empty = sum(1 for weight in pair["weight"] if not weight)
    expect(page.locator("svg.heat-map .map-cells rect.empty")).to_have_count(empty)
    expect(page.locator("svg.heat-map .map-cells rect.empty").first).not_to_have_css("fill-opacity", "1")


def test_a_link_opens_pair_table_and_widths(show: Show) -> None:
    data = data_of(report_of("several"), "interactions")
    pair = data["tables"][1]
    name = quote(" × ".join(pair["features"]))
    page = show(report_of("several"), f"#view=interactions&pair={name}&map=joint&output=1&cells=equal")
    title = page.locator("#panel-interactions figcaption h3").first
    expect(title).to_have_text(f"Joint effect of {' and '.join(pair['features'])}, output 1")
    cells = page.locator("svg.heat-map .map-cells rect")
    widths = "list => new Set(list.map(e => Number(e.getAttribute('width')).toFixed(3))).size"
    eventually(page, lambda: cells.evaluate_all(widths), 1)


def test_the_ranking_is_a_table_too(show: Show) -> None:
    data = data_of(report_of("several"), "interactions")
    page = show(report_of("several"), "#view=interactions")
    page.locator("#panel-interactions > .panel-body > .fold summary").click()
    rows = page.locator("#panel-interactions > .panel-body > .fold tbody tr")
    expect(rows).to_have_count(3 * len(data["ranking"]))
    first = data["ranking"][0]
    expect(rows.first.locator("td")).to_have_text([*first["features"], first["size_text"][0], first["h2_text"][0], "0"])
