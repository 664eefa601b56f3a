"""The tree panel on other models: many features, categories, gaps, numbers, boosting, wide trees, hostile names."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect
from sklearn.datasets import load_iris
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier

import glasswood as gw
from tests.browser.conftest import OpenPage, Show
from tests.browser.looks import assert_looks_right
from tests.browser.tree_page import VISIBLE, expect_caption, expect_tooltip, ready
from tests.browser.waiting import eventually, eventually_true
from tests.web.examples import EIGHT, FIRST, explored, moons_page, titanic_like

CUT_NUMBER = re.compile(r"(<=?|^[+−]?\d).*…$")


def number(text: str) -> float:
    return float(text.replace("−", "-"))


@cache
def titanic_page() -> Any:
    X, y = titanic_like()
    return gw.explore(gw.TreeClassifier(max_depth=5).fit(X, y), X, y)


def test_a_slice_shows_any_pair_of_features_through_any_row(show: Show) -> None:
    page = ready(show(titanic_page(), "#x=age&y=sex&row=4&depth=5"))
    expect(page.locator(".tree-notes")).to_contain_text("fixed at row 4")
    texts, wanted = page.locator(".regions-drawing text"), {"missing", "female", "male", "age", "sex"}
    eventually_true(page, lambda: set(texts.all_text_contents()), lambda found: wanted <= found)
    before = page.evaluate(VISIBLE)
    page.get_by_label("Row", exact=True).select_option(label="row 7")
    page.get_by_label("Horizontal").select_option(label="<b>fare</b>")
    expect(page.locator(".tree-notes")).to_contain_text("fixed at row 7")
    eventually_true(page, lambda: page.evaluate(VISIBLE), lambda found: found != before)
    expect(page).to_have_url(re.compile("row=7"))
    page.get_by_label("Vertical").select_option(label="<b>fare</b>")  # the same twice changes places
    expect(page.locator(".regions-drawing .axis-title")).to_have_text(["sex", "<b>fare</b>"])


def test_regions_of_a_slice_tile_lanes_and_numbers(show: Show) -> None:
    page = ready(show(titanic_page(), "#x=age&y=port&row=4&depth=0"))
    whole = np.array(page.evaluate(VISIBLE))
    page.locator(".profile-drawing").focus()
    for depth in range(1, 6):
        page.keyboard.press("ArrowDown")
        expect_caption(page, f"Depth {depth} of 5")
        rects = np.array(page.evaluate(VISIBLE))
        np.testing.assert_allclose((rects[:, 2] * rects[:, 3]).sum(), (whole[:, 2] * whole[:, 3]).sum(), rtol=1e-9)


def test_a_row_is_drawn_in_the_region_that_predicts_it(show: Show) -> None:
    """Each row in its own slice: the box it is drawn in is that of its leaf."""
    data = titanic_page().sections[0].data
    page = ready(show(titanic_page(), "#x=age&y=sex"))
    for row in (0, 7, 33):  # rows 0 and 7 have no age
        page.get_by_label("Row", exact=True).select_option(str(row))
        expect(page.locator(".tree-notes")).to_contain_text(f"fixed at row {row};")
        at = (
            page.locator(".points .point")
            .nth(row)
            .evaluate("(p) => { const m = p.transform.baseVal.consolidate().matrix; return [m.e, m.f]; }")
        )
        inside = [r for r in page.evaluate(VISIBLE) if r[0] <= at[0] <= r[0] + r[2] and r[1] <= at[1] <= r[1] + r[3]]
        assert [int(r[4]) for r in inside] == [data["trees"][0]["leaf"][row]]


def test_hostile_names_stay_text(show: Show) -> None:
    page = ready(show(titanic_page(), "#x=<b>fare</b>&y=age"))
    expect(page.locator(".legend li").first).to_have_text("</script>died")
    page.hover('.node[data-node="0"] .hit')
    expect(page.locator(".tooltip")).to_contain_text("predicts lived")
    expect(page.locator("main b, main script, .tooltip b")).to_have_count(0)
    assert_looks_right(page)


def test_a_forest_is_looked_at_tree_by_tree(show: Show) -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    page = ready(show(gw.explore(RandomForestClassifier(3, random_state=0).fit(X, y), X, y), "#tree=1"))
    first = page.locator(".node").count()
    page.get_by_role("combobox", name="Tree").select_option("2")
    expect(page.locator(".node")).not_to_have_count(first)
    expect(page).to_have_url(re.compile("tree=2"))
    expect(page.locator(".legend li")).to_have_count(6)


def test_boosting_and_numbers_are_tinted(show: Show) -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    middle = (y == 1).to_numpy()  # two classes, and a node may move the prediction towards either
    model = GradientBoostingClassifier(n_estimators=1, max_depth=2, random_state=0).fit(X, middle)
    page = ready(show(gw.explore(model, X, middle)))
    page.hover('.node[data-node="0"] .hit')
    expect(page.locator(".tooltip")).to_contain_text("adds ")
    fills = "new Set([...document.querySelectorAll('.region rect')].map((r) => getComputedStyle(r).fill)).size"
    eventually_true(page, lambda: page.evaluate(fills), lambda found: found > 2)
    numbers = gw.explore(gw.TreeRegressor(max_depth=3).fit(X, X.iloc[:, 0]), X, X.iloc[:, 0])
    page = ready(show(numbers))
    expect(page.locator(".tree-caption")).to_contain_text("weighted variance")
    expect(page.locator(".legend li").first).to_have_text("below the mean")
    assert_looks_right(page)


def test_a_wide_tree_is_an_icicle_and_few_points_are_drawn_of_many(show: Show) -> None:
    made = moons_page(n=5000, max_depth=9)
    page, tree = ready(show(made)), made.sections[0].data["trees"][0]
    assert sum(child < 0 for child in tree["left"]) > 40
    expect(page.locator(".node.bar")).to_have_count(len(tree["left"]))
    widths = page.evaluate(
        "[...document.querySelectorAll('.node.bar > .ring')].map((r) => Number(r.getAttribute('width')))"
    )
    rows = np.array(tree["rows"])
    wide = rows > 100
    np.testing.assert_allclose(np.array(widths)[wide] / widths[0], rows[wide] / rows[0], rtol=1e-4)
    expect(page.locator(".points .point")).to_have_count(2000)
    expect(page.locator(".tree-notes")).to_contain_text("2,000 of 5,000 rows are drawn; every count is of all rows")
    page.locator('.node[data-node="3"]').hover()
    expect_tooltip(page, tree["label"][3])


def test_no_number_of_a_drawn_tree_is_cut(show: Show) -> None:
    """The start of a number is another number."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 4))
    y = X[:, 0] + X[:, 1] > 0
    boosted = gw.BoostingClassifier(n_estimators=1, max_depth=3).fit(X, y)
    for made in (gw.explore(boosted, X, y), moons_page(n=5000, max_depth=9)):
        page = ready(show(made, viewport={"width": 390, "height": 900}))
        words = page.locator(".node-word, .bar-word")
        expect(words).not_to_have_count(0)
        eventually(page, lambda words=words: [w for w in words.all_text_contents() if CUT_NUMBER.search(w)], [])
    # fewer digits are those of the rounded number
    page = ready(show(gw.explore(boosted, X, y), viewport={"width": 390, "height": 900}))
    known = [number(says) for says in gw.explore(boosted, X, y).sections[0].data["trees"][0]["says"]]
    shown = "all => all.filter((w) => /^[+−]/.test(w.textContent)).map((w) => [Number(w.dataset.node), w.textContent])"
    found = eventually_true(page, lambda: page.locator(".node-word").evaluate_all(shown), lambda found: len(found) > 2)
    for node, text in found:
        digits = len(text.partition(".")[2])
        assert number(text) == pytest.approx(known[node], abs=0.5 * 10**-digits + 1e-12)


def test_words_of_nodes_leave_their_rings_free(show: Show) -> None:
    page = ready(show(moons_page(max_depth=3)))
    covered = """() => [...document.querySelectorAll(".node-word")].filter((word) => {
          const node = document.querySelector(`.node[data-node="${word.dataset.node}"]`);
          const radius = Number(node.querySelector(".ring").getAttribute("r"));
          const bottom = node.transform.baseVal.consolidate().matrix.f + radius;
          const ground = Number.parseFloat(getComputedStyle(word).strokeWidth) / 2;
          return Number(word.getAttribute("y")) - 8 - ground < bottom; // letters of 10.5 px are 8 px high
        }).length"""
    eventually(page, lambda: page.evaluate(covered), 0)


def test_single_features_single_leaves_and_single_classes_are_drawn(show: Show) -> None:
    page = ready(show(explored(FIRST, EIGHT[:, :1])))
    expect(page.locator(".points .point")).to_have_count(8)
    page = ready(show(explored([1, 0], np.zeros((2, 2)))))
    said = "Depth 0 of 0 · 1 region · weighted Gini 0.500 · 1 of 2 rows correct (50.0 %) · nothing to split"
    expect(page.locator(".tree-caption")).to_have_text(said)
    page = ready(show(explored([3, 3, 3], np.arange(6.0).reshape(3, 2))))
    expect(page.locator(".node")).to_have_count(1)


def test_a_notebook_shows_the_page_in_its_frame(open_page: OpenPage, tmp_path: Path) -> None:
    (tmp_path / "notebook.html").write_text(
        f"<!doctype html><title>n</title>{explored(FIRST)._repr_html_()}", encoding="utf-8"
    )
    page = open_page((tmp_path / "notebook.html").as_uri())
    frame = page.frame_locator("iframe")
    frame.locator('.node[data-node="0"] .hit').hover()
    expect(frame.locator(".tooltip > div").first).to_have_text("x0 <= 3.5")
    frame.locator(".profile-drawing").focus()
    page.keyboard.press("Home")
    expect(frame.locator(".tree-caption")).to_have_text(re.compile("^Depth 0 of 3"))


def test_the_page_holds_exactly_the_numbers_of_python(show: Show, tmp_path: Path) -> None:
    made = explored(FIRST)
    page = ready(show(made))
    seen = page.evaluate(
        """async () => document.getElementById("page-data")
        ? JSON.parse(document.getElementById("page-data").textContent) : (await fetch("page.json")).json()"""
    )
    assert seen == json.loads(json.dumps(made.to_dict()))
