"""The tree panel, statement by statement."""

import re
from functools import cache
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import glasswood as gw
from glasswood.web.server._toy_data import moons
from tests.browser.conftest import Show
from tests.browser.looks import assert_looks_right
from tests.browser.tree_page import VISIBLE, expect_caption, expect_tooltip, ready
from tests.browser.waiting import eventually, eventually_true
from tests.web.examples import FIRST, SAME, explored, first_tree, moons_page

FILLS = """
() => [...document.querySelectorAll(".region")].filter((g) => g.style.display !== "none")
  .map((g) => getComputedStyle(g.firstChild).fill)
"""
NEW_SPLITS = """
() => [...document.querySelectorAll(".splits .split")].filter((line) => line.style.display !== "none")
  .map((line) => getComputedStyle(line).strokeDasharray)
"""
WATCH_CAPTION = """
() => {
  window.captions = [];
  const caption = document.querySelector(".tree-caption");
  new MutationObserver(() => captions.push(caption.textContent)).observe(caption, { childList: true });
}
"""
CENTRES = """
(selector) => [...document.querySelectorAll(selector)].map((e) => {
  const b = e.getBoundingClientRect();
  return [(b.left + b.right) / 2, (b.top + b.bottom) / 2];
})
"""


@cache
def page_of(name: str) -> Any:
    return {"first": lambda: explored(FIRST), "same": lambda: explored(SAME), "moons": moons_page}[name]()


def state(page: Page) -> tuple[str, list[Any]]:
    return page.locator(".tree-caption").inner_text(), page.evaluate(VISIBLE)


def test_a_node_shows_its_condition_and_its_own_rows(show: Show) -> None:
    page = ready(show(page_of("first")))
    asked: list[str] = []
    # the browser requests the icon at any time
    page.on("request", lambda request: asked.append(request.url) if "icon" not in request.url else None)
    for node, lines in [
        (0, ["x0 <= 3.5", "5 and 3 rows, predicts 0", "depth 0 · gini 0.469 · 8 rows"]),
        (1, ["Leaf", "4 and 0 rows, predicts 0", "depth 1 · gini 0.000 · 4 rows"]),
        (3, ["x0 <= 4.5", "1 and 1 rows, predicts 0", "depth 2 · gini 0.500 · 2 rows"]),
    ]:
        page.hover(f'.node[data-node="{node}"] .hit')
        expect(page.locator(".tooltip > div")).to_have_text(lines)
    expect_caption(page, "Depth 2 of 3 · 3 regions · weighted Gini 0.125 · 7 of 8 rows correct")
    expect(page.locator(".outline rect")).to_have_count(1)
    assert asked == []  # hovering trains nothing and sends no request


def test_the_whole_tree_is_drawn_and_true_is_left(show: Show) -> None:
    page, tree = ready(show(page_of("moons"))), first_tree(page_of("moons"))
    expect(page.locator(".node")).to_have_count(37)
    expect(page.locator(".edge")).to_have_count(36)
    centres = page.evaluate(CENTRES, ".node .ring")
    for node, (left, right) in enumerate(zip(tree["left"], tree["right"], strict=True)):
        if left >= 0:
            assert centres[left][0] < centres[node][0] < centres[right][0]
    expect(page.locator(".side-word")).to_have_text(["true", "false"])


def test_two_nodes_of_one_depth_give_the_same_regions(show: Show) -> None:
    page, tree = ready(show(page_of("moons"))), first_tree(page_of("moons"))
    for depth in (1, 4, 7):
        seen = []
        for node in [n for n, d in enumerate(tree["depth"]) if d == depth][:3]:
            page.hover(f'.node[data-node="{node}"] .hit')
            expect(page.locator(f'.node[data-node="{node}"]')).to_have_attribute("data-look", re.compile("chosen"))
            seen.append(state(page))
        assert all(one == seen[0] for one in seen)
        assert f"Depth {depth} of 7" in seen[0][0]


@pytest.mark.parametrize("width", [1400, 760, 390])
def test_a_depth_is_one_row_through_both_figures(show: Show, width: int) -> None:
    page = ready(show(page_of("moons"), viewport={"width": width, "height": 900}))
    tree = first_tree(page_of("moons"))
    nodes = page.evaluate(CENTRES, ".node .ring")
    dots = page.evaluate(CENTRES, ".profile-dot")
    assert len(dots) == 8
    for node, depth in enumerate(tree["depth"]):
        assert abs(nodes[node][1] - dots[depth][1]) <= 0.5
    assert np.all(np.diff([y for _, y in dots]) > 0)  # downward
    assert np.all(np.diff([x for x, _ in dots]) <= 0.01)  # impurity to the right, never rising
    for drawing in (".tree-drawing", ".profile-drawing"):
        box = page.locator(drawing).bounding_box()
        assert box is not None
        for share, depth in ((0.02, 2), (0.5, 5), (0.98, 3)):
            page.mouse.move(box["x"] + share * box["width"], dots[depth][1] + 3)
            expect_caption(page, f"Depth {depth} of 7")
    page.mouse.move(2, 2)
    expect(page.locator(".tree-drawing:hover, .profile-drawing:hover")).to_have_count(0)
    expect_caption(page, "Depth 3 of 7")  # stays after the mouse has left


def test_regions_tile_the_plane_and_are_what_the_cut_tree_predicts(show: Show) -> None:
    X, y = moons(200, 2, 0.3, 7)
    model = gw.TreeClassifier(max_depth=7).fit(X, y)
    page, features = ready(show(page_of("moons"), "#depth=0")), page_of("moons").sections[0].data["features"]
    ((_, _, w, h, _, _),) = page.evaluate(VISIBLE)  # depth 0 is one box
    random = np.random.RandomState(0)
    low, high = (np.array([feature["domain"][k] for feature in features]) for k in (0, 1))
    points = low + random.rand(400, 2) * (high - low)
    place = (points - low) / (high - low) * [w, -h] + [0, h]
    page.locator(".profile-drawing").focus()
    for depth in range(8):
        expect_caption(page, f"Depth {depth} of 7")
        rects = np.array(page.evaluate(VISIBLE))
        np.testing.assert_allclose((rects[:, 2] * rects[:, 3]).sum(), w * h, rtol=1e-9)
        inside = (
            (rects[:, 0] <= place[:, :1]) & (place[:, :1] < rects[:, 0] + rects[:, 2])
            & (rects[:, 1] <= place[:, 1:]) & (place[:, 1:] < rects[:, 1] + rects[:, 3])
        )  # fmt: skip
        assert (inside.sum(axis=1) == 1).all()
        share = model.ensemble_.cut(depth).predict(points)
        np.testing.assert_array_equal(rects[inside.argmax(axis=1), 5], share > 0.5)
        page.keyboard.press("ArrowDown")


def test_points_carry_the_true_class_in_colour_and_shape(show: Show) -> None:
    _, y = moons(200, 2, 0.3, 7)
    page = ready(show(page_of("moons"), "#depth=3"))
    expect(page.locator(".points .point")).to_have_count(200)
    expect_caption(page, "Depth 3 of 7")
    drawn = page.evaluate(
        """() => [...document.querySelectorAll(".points .point")].map((p) =>
        [p.getAttribute("d"), getComputedStyle(p).fill, p.classList.contains("wrong")])"""
    )
    looks = [{(shape, fill) for (shape, fill, _), label in zip(drawn, y, strict=True) if label == k} for k in (0, 1)]
    assert len(looks[0]) == len(looks[1]) == 1
    (first,), (second,) = looks
    assert first[0] != second[0] and first[1] != second[1]
    assert first[1] == "rgb(0, 114, 178)" and second[1] == "rgb(213, 94, 0)"
    assert sum(wrong for _, _, wrong in drawn) == 20  # 180 of 200 are right at depth 3


def test_a_depth_that_changes_no_colour_is_drawn_dashed_and_mentioned(show: Show) -> None:
    page = ready(show(page_of("same"), "#depth=0"))
    (before,) = page.evaluate(FILLS)
    page.locator(".profile-drawing").focus()
    page.keyboard.press("ArrowDown")
    expect_caption(page, "Depth 1 of", "1 new split, which leaves the colours unchanged")
    eventually(page, lambda: set(page.evaluate(FILLS)), {before})
    eventually(page, lambda: page.evaluate(NEW_SPLITS), ["5px, 4px"])
    page.keyboard.press("ArrowDown")
    eventually(page, lambda: page.evaluate(NEW_SPLITS), ["none"])


def test_keys_lead_through_depths_and_nodes(show: Show) -> None:
    page = ready(show(page_of("first")))
    slider = page.get_by_role("slider", name="Depth of the cut")
    slider.focus()
    for key, depth in [("Home", 0), ("ArrowDown", 1), ("ArrowRight", 2), ("ArrowUp", 1), ("PageDown", 3), ("End", 3)]:
        page.keyboard.press(key)
        expect(slider).to_have_attribute("aria-valuenow", str(depth))
    expect(slider).to_have_attribute("aria-valuetext", "depth 3 of 3, impurity 0.000")
    by_slider = []
    for depth in range(4):
        page.keyboard.press("Home" if depth == 0 else "ArrowDown")
        expect_caption(page, f"Depth {depth} of 3")
        by_slider.append(state(page))
    tree = page.get_by_role("tree", name="Decision tree structure")
    tree.get_by_role("treeitem").first.focus()
    for key, line, depth in [
        ("ArrowDown", "Leaf", 1), ("ArrowRight", "x0 <= 5.5", 1), ("ArrowDown", "x0 <= 4.5", 2),
        ("ArrowRight", "Leaf", 2), ("ArrowUp", "x0 <= 5.5", 1), ("Home", "x0 <= 3.5", 0),
    ]:  # fmt: skip
        page.keyboard.press(key)
        expect_tooltip(page, line)
        eventually(page, lambda: state(page), by_slider[depth])
    page.keyboard.press("Escape")
    expect(page.locator(".tooltip")).to_be_hidden()


def test_tab_reaches_the_nodes_and_not_the_drawing(show: Show) -> None:
    page = ready(show(page_of("first")))
    page.get_by_role("button", name=re.compile("Download Decision Tree")).last.focus()
    page.keyboard.press("Tab")
    expect(page.locator("*:focus")).to_have_attribute("role", "treeitem")
    page.locator(".tree-drawing").focus()  # by a script or a screen reader: nothing is selected, nothing fails
    expect_caption(page, "Depth")


def test_the_address_is_the_state(show: Show) -> None:
    page = ready(show(page_of("moons"), "#depth=3"))
    expect_caption(page, "Depth 3 of 7")
    page.hover('.node[data-node="2"] .hit')
    expect(page).to_have_url(re.compile("#(?=.*node=2)(?=.*depth=2)"))
    page.evaluate("location.hash = '#depth=5'")
    expect(page.locator(".tree-caption")).to_contain_text("Depth 5 of 7")
    page.evaluate("() => new Promise((done) => { addEventListener('hashchange', done); location.hash = '#depth=99'; })")
    expect_caption(page, "Depth 5 of 7")


def test_an_address_changed_by_hand_is_not_written_over(show: Show) -> None:
    page = ready(show(page_of("moons"), "#depth=3"))
    page.evaluate("window.setTimeout = (write) => { window.write = write; return 0; }")
    page.hover('.node[data-node="2"] .hit')
    page.evaluate("() => { location.hash = '#depth=5'; window.write(); }")  # before the page has noticed the change
    expect(page.locator(".tree-caption")).to_contain_text("Depth 5 of 7")
    expect(page).to_have_url(re.compile("#depth=5$"))


@pytest.mark.parametrize("fragment", ["#depth=-1&node=x", "#depth=9999999999&tree=5&x=nothing&row=-3", "#%E0%A4%A"])
def test_a_nonsense_address_shows_the_tree(show: Show, fragment: str) -> None:
    page = ready(show(page_of("first"), fragment))
    expect_caption(page, "Depth 3 of 3")


def test_touch_selects_depths_and_nodes(show: Show) -> None:
    page = ready(show(page_of("moons"), viewport={"width": 390, "height": 844}, has_touch=True))
    x, y = page.evaluate(CENTRES, ".profile-dot")[2]
    page.touchscreen.tap(x, y)
    expect_caption(page, "Depth 2 of 7")
    x, y = page.evaluate(CENTRES, ".node .ring")[1]
    page.touchscreen.tap(x, y)
    expect_caption(page, "Depth 1 of 7")
    expect_tooltip(page, "x0 <= −0.57")


def test_steps_and_play_go_through_the_depths(show: Show) -> None:
    page = ready(show(page_of("first")))
    page.get_by_role("button", name="One depth up").click()
    expect_caption(page, "Depth 2 of 3")
    page.get_by_role("button", name="One depth down").click()
    expect(page.get_by_role("button", name="One depth down")).to_be_disabled()
    page.evaluate(WATCH_CAPTION)  # playing goes on while we look
    page.get_by_role("button", name="Play").click()
    seen = eventually_true(page, lambda: page.evaluate("captions"), lambda all_said: len(all_said) >= 4)
    assert [said[:12] for said in seen] == [f"Depth {d} of 3" for d in range(4)]
    still = ready(show(page_of("first"), reduced_motion="reduce"))
    expect(still.get_by_role("button", name="Play")).to_have_count(0)


@pytest.mark.parametrize(("scheme", "width"), [("light", 1400), ("dark", 760), ("light", 390)])
def test_the_panel_can_be_read_everywhere(show: Show, scheme: str, width: int) -> None:
    page = ready(show(page_of("moons"), color_scheme=scheme, viewport={"width": width, "height": 900}))
    assert_looks_right(page)
    paper = "rgb(20, 23, 27)" if scheme == "dark" else "rgb(255, 255, 255)"
    expect(page.locator("body")).to_have_css("background-color", paper)


def test_every_figure_is_downloaded_as_drawn(show: Show) -> None:
    page = ready(show(page_of("first")))
    for name, figure in (("tree", "Decision Tree Structure"), ("regions", "Decision regions of subtree")):
        with page.expect_download() as found:
            page.get_by_role("button", name=f"Download {figure} as SVG").click()
        text = found.value.path().read_text()
        assert found.value.suggested_filename == f"{name}.svg"
        assert text.startswith("<svg") and "var(" not in text and "class=" not in text and "color(" not in text
        with page.expect_download() as found:
            page.get_by_role("button", name=f"Download {figure} as PNG").click()
        assert found.value.path().read_bytes()[:4] == b"\x89PNG"
