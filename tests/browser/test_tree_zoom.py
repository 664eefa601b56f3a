"""Zoom and pan of a tree, the path of a row, and any tree of a model."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Page, expect

import glasswood as gw
from glasswood.web.panels._subject import Subject
from glasswood.web.server import web_app
from glasswood.web.server._toy_data import moons
from tests.browser.conftest import OpenPage, serving
from tests.browser.tree_page import ready
from tests.browser.waiting import eventually, eventually_true

WIDTHS = """
() => {
  const frame = document.querySelector(".zoomable");
  return [frame.scrollWidth, frame.clientWidth, frame.scrollLeft];
}
"""
LIT = "() => [...document.querySelectorAll('.node[data-row]')].map((node) => Number(node.dataset.node))"


@cache
def deep_page() -> Any:
    X, y = moons(900, 2, 0.4, 7)
    return gw.explore(gw.TreeClassifier().fit(X, y), X, y)


def opened(open_page: OpenPage, folder: Path, made: Any, fragment: str = "", **options: Any) -> Page:
    made.save(folder / "page.html")
    return ready(open_page((folder / "page.html").as_uri() + fragment, **options))


def test_a_wide_tree_is_zoomed_until_its_conditions_are_read(open_page: OpenPage, tmp_path: Path) -> None:
    page = opened(open_page, tmp_path, deep_page())
    expect(page.locator(".tree-drawing .node.bar").first).to_be_attached()  # an icicle
    eventually_true(page, lambda: page.evaluate(WIDTHS), lambda found: found[0] <= found[1] + 1)
    expect(page.get_by_role("button", name="Zoom out")).to_be_disabled()
    zoom = page.get_by_role("button", name="Zoom in")
    while zoom.is_enabled():
        zoom.click()
    expect(page.get_by_role("button", name="Zoom in")).to_be_disabled()
    expect(page.locator(".tree-drawing .node.bar")).to_have_count(0)
    leaves = sum(child < 0 for child in deep_page().sections[0].data["trees"][0]["left"])
    eventually_true(page, lambda: page.evaluate(WIDTHS), lambda found: found[0] >= 100 * leaves)
    expect(page.locator(".node-word").nth(leaves)).to_be_attached()
    before = page.evaluate(WIDTHS)[2]
    box = page.locator(".zoomable").bounding_box()
    page.mouse.move(box["x"] + 300, box["y"] + 4)
    page.mouse.down()
    page.mouse.move(box["x"] + 100, box["y"] + 4, steps=4)
    page.mouse.up()
    eventually_true(page, lambda: page.evaluate(WIDTHS)[2], lambda left: abs(left - before - 200) < 2)
    page.locator(".node").first.focus()
    page.keyboard.press("0")
    eventually_true(page, lambda: page.evaluate(WIDTHS), lambda found: found[0] <= found[1] + 1)
    page.keyboard.press("+")
    eventually_true(page, lambda: page.evaluate(WIDTHS), lambda found: found[0] > 1.4 * found[1])


def test_the_path_of_the_chosen_row_is_marked(open_page: OpenPage, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    model = gw.TreeRegressor(max_depth=4).fit(X, X[:, 0] * X[:, 1] + X[:, 2])
    made = gw.explore(model, X, X[:, 0])
    tree = made.sections[0].data["trees"][0]
    page = opened(open_page, tmp_path, made, "#row=17")
    parent = {child: k for side in ("left", "right") for k, child in enumerate(tree[side]) if child >= 0}
    leaf = int(model.ensemble_.apply(X[17:18])[0, 0])
    path = [leaf]
    while path[-1] in parent:
        path.append(parent[path[-1]])
    eventually(page, lambda: sorted(page.evaluate(LIT)), sorted(path))
    expect(page.locator(".tree-path")).to_have_text(
        f"Row 17 follows the marked path: {tree['rule'][leaf]}; the tree says {tree['says'][leaf]}."
    )
    page.get_by_label("Row", exact=True).select_option(label="row 3")
    expect(page.locator(".tree-path")).to_contain_text("Row 3 follows the marked path")
    page.wait_for_url(lambda address: "row=3" in address)


def test_a_row_of_this_prediction_is_followed_into_the_trees(open_page: OpenPage, tmp_path: Path) -> None:
    X, y = moons(400, 2, 0.3, 7)
    report = gw.report(
        gw.ForestClassifier(3, max_depth=3, random_state=0).fit(X, y), X, y, panels=["prediction", "tree"]
    )
    row = report.sections[0].data["rows"][5]["row"]
    report.save(tmp_path / "page.html")
    page = open_page((tmp_path / "page.html").as_uri() + f"#view=prediction&example={row}")
    page.get_by_role("button", name="Its path in each tree").click()
    expect(page.locator(".tree-path")).to_contain_text(f"Row {row} follows the marked path")
    page.get_by_role("combobox", name="Tree").select_option("2")
    expect(page.locator(".tree-path")).to_contain_text(f"Row {row} follows the marked path")
    page.wait_for_url(lambda address: "tree=2" in address)


def test_the_app_shows_any_tree(open_page: OpenPage) -> None:
    X, y = moons(300, 2, 0.3, 7)
    forest = gw.ForestClassifier(30, max_depth=4, random_state=0).fit(X, y)
    with serving(web_app(Subject("forest", forest, X, y, max_nodes=60))) as address:
        page = ready(open_page(f"{address}#view=tree"))
        number = page.get_by_label("Tree, 0 to 29")
        expect(number).to_have_value("0")
        number.fill("23")
        number.press("Enter")
        expect(page.locator(".tree-notes")).to_contain_text("shown, of trees 0 to 29")
        expect(page.get_by_label("Tree, 0 to 29")).to_have_value("23")
        label = gw.explore(forest, X, y, first_tree=23).sections[0].data["trees"][0]["label"][0]
        expect(page.locator(".tree-drawing .node").first).to_have_attribute("aria-label", re.compile(re.escape(label)))
        page.wait_for_url(lambda address: "tree=23" in address)
        page.reload()
        expect(page.get_by_label("Tree, 0 to 29")).to_have_value("23")
        page.close()
