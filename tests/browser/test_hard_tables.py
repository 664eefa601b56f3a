"""Large numbers, many levels, many classes, long names: no text is cut off at an edge or printed over another."""

import re
from functools import cache
from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect

import glasswood as gw
from tests.browser.conftest import OpenPage, Show
from tests.browser.hard_tables import report_on
from tests.browser.looks import SPOILT, assert_looks_right
from tests.browser.tree_page import ready
from tests.browser.waiting import eventually

MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november")


@cache
def large_report() -> Any:
    """A skewed target of 1e9, 1,000 levels, month names, numbers with a decimal."""
    rng, n = np.random.default_rng(0), 2000
    X = pd.DataFrame(
        {
            "area": rng.exponential(2e6, n),
            "year": rng.integers(1990, 2021, n),
            "nr.employed": rng.choice([4963.6, 5008.7, 5076.2, 5099.1, 5191.0, 5228.1], n),
            "month": pd.Categorical(rng.choice(MONTHS, n)),
            "code": pd.Categorical([f"code {k:04d}" for k in rng.integers(0, 1000, n)]),
        }
    )
    y = 1e9 * np.exp(rng.normal(0, 1, n) + (X["year"] > 2005)) + 100 * X["area"] * (X["nr.employed"] > 5080)
    y = y * np.where(X["month"].cat.codes % 3 == 0, 2, 1) * np.where(X["code"].cat.codes % 7 == 0, 2, 1)
    return gw.report(gw.ForestRegressor(12, max_depth=5, random_state=0).fit(X, y), X, y)


@pytest.mark.parametrize("width", [1400, 390])
def test_no_text_is_cut_off_or_printed_over_another(show: Show, width: int) -> None:
    page = show(large_report(), "#view=tree&x=code&y=area", viewport={"width": width, "height": 900})
    for kind in ("tree", "overview", "performance", "effects", "interactions", "rules", "examples"):
        page.locator(f"nav a[data-kind={kind}]").click()
        page.locator(f"#panel-{kind} figure svg").first.wait_for()
        eventually(page, lambda kind=kind: page.evaluate(SPOILT, kind), [])
        assert_looks_right(page)
    page.goto(page.url.split("#")[0] + "#view=tree&x=month&y=nr.employed")
    page.reload()
    ready(page)
    eventually(page, lambda: page.evaluate(SPOILT, "tree"), [])


def test_twelve_classes_differ_in_colour_or_shape(show: Show) -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(600, 3)), columns=["width", "height", "depth"])
    y = np.clip((X["width"] + X["height"]) * 2 + 6, 0, 11).astype(int)
    page = ready(show(gw.explore(gw.TreeClassifier(max_depth=5).fit(X, y), X, y)))
    expect(page.locator(".legend .point:not(.wrong)")).to_have_count(12)
    looks = page.locator(".legend .point:not(.wrong)").evaluate_all(
        "all => all.map((p) => getComputedStyle(p).fill + p.getAttribute('d'))"
    )
    assert len(looks) == len(set(looks)) == 12
    assert len({look.split(")")[0] for look in looks}) == 10


def test_conditions_are_read_without_pointing_at_anything(show: Show) -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(600, 3)), columns=["width", "height", "depth"])
    made = gw.explore(
        gw.TreeClassifier(max_depth=3).fit(X, X["width"] * X["height"] > 0), X, X["width"] * X["height"] > 0
    )
    page, tree = ready(show(made)), made.sections[0].data["trees"][0]
    shown = page.locator(".node-word").evaluate_all(
        """all => {
          const said = {};
          for (const text of all) (said[text.dataset.node] ??= []).push(text.textContent);
          return said;
        }"""
    )
    for node, label in enumerate(tree["label"]):
        if tree["left"][node] >= 0 and tree["depth"][node] < 2:
            assert " ".join(shown[str(node)]) == label
    page.locator("summary", has_text="Show the nodes as a table").click()
    expect(page.locator(".table-figure tbody tr")).to_have_count(len(tree["label"]))  # the table is built when it opens
    expect(page.locator(".table-figure tbody")).to_contain_text(tree["rule"][-1])


def test_a_tree_says_to_which_class_it_adds(open_page: OpenPage, tmp_path: Any) -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(300, 2)), columns=["width", "height"])
    y = np.digitize(X["width"], [-0.5, 0.5])
    model = lightgbm.LGBMClassifier(n_estimators=2, num_leaves=4, verbose=-1, n_jobs=1).fit(X, y)
    gw.explore(model, X, y).save(tmp_path / "page.html")
    page = ready(open_page((tmp_path / "page.html").as_uri() + "#tree=1"))
    expect(page.locator(".tree-serves")).to_have_text("This tree adds to the raw score before softmax of 1.")
    page.get_by_role("combobox", name="Tree").select_option(label="5 · 2")
    expect(page.locator(".tree-serves")).to_have_text("This tree adds to the raw score before softmax of 2.")
    expect(page.locator('.node[data-node="0"]')).to_have_class(re.compile(r"\bmark-none\b"))


def test_a_feature_without_a_name_is_called_so(open_page: OpenPage, tmp_path: Any) -> None:
    report = report_on("hostile names")
    report.save(tmp_path / "page.html")
    page = open_page((tmp_path / "page.html").as_uri() + "#view=effects&feature=")
    expect(page.locator("#panel-effects .rank", has_text="(no name)")).to_have_count(1)
    page.locator("#panel-effects .rank", has_text="(no name)").click()
    expect(page.locator("#panel-effects h3").nth(1)).to_have_text("Effect of (no name)")
    page.locator("nav a[data-kind=interactions]").click()
    expect(page.locator("#panel-interactions .rank", has_text="(no name)")).to_have_count(2)
    expect(page.locator("#panel-interactions .axis-title", has_text="(no name)")).to_have_count(1)
    page.locator("nav a[data-kind=examples]").click()
    expect(page.locator("#panel-examples td", has_text="(no name)")).to_have_count(1)
    page.locator("nav a[data-kind=overview]").click()
    expect(page.locator("#panel-overview dl")).to_contain_text("(no name)")
    data = {section.kind: section.data for section in report.sections}
    labels = [label for tree in data["tree"]["trees"] for label in tree["label"]]
    assert any(label.startswith("(no name) <= ") for label in labels)
    assert not any(label.startswith(" <=") for label in labels)
    page.get_by_role("combobox", name="Find").fill("(no name)")
    page.locator("#found [role=option]", has_text="Effects").first.click()
    expect(page.locator("#panel-effects h3").nth(1)).to_have_text("Effect of (no name)")
