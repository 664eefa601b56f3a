"""Effects: the list, hovering, the keyboard, links and outputs."""

import math
import re
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from playwright.sync_api import expect

import glasswood as gw
from tests.browser.conftest import Show
from tests.browser.reports import data_of, report_of
from tests.browser.tree_page import expect_tooltip
from tests.browser.waiting import eventually, eventually_true


def test_features_are_picked_from_the_list_by_pointer_and_keys(show: Show) -> None:
    data = data_of(report_of("binary"), "effects")
    page = show(report_of("binary"), "#view=effects")
    names = [part["name"] for part in data["features"]]
    expect(page.locator(".rank-text")).to_have_text(names)
    page.locator(".rank").nth(2).click()
    title = page.locator("#panel-effects figcaption h3").first
    expect(title).to_have_text(f"Effect of {names[2]}")
    page.locator(".rank-list").focus()
    page.keyboard.press("ArrowUp")
    expect(title).to_have_text(f"Effect of {names[1]}")
    page.keyboard.press("End")
    expect(title).to_have_text(f"Effect of {names[-1]}")
    page.wait_for_url(lambda address: "feature=" in address)


def test_hovering_reads_a_cell_in_words(show: Show) -> None:
    data = data_of(report_of("binary"), "effects")
    part = next(part for part in data["features"] if part["name"] == "age")
    page = show(report_of("binary"), "#view=effects&feature=age")
    page.locator("svg.effect").wait_for()
    box = page.locator("svg.effect").bounding_box()
    page.mouse.move(box["x"] + box["width"] - 30, box["y"] + 100)  # missing values are at the right
    said = f"age is missing · {part['outputs'][0]['text'][-1]} on the log-odds · {part['weight'][-1]}"
    expect(page.locator("#panel-effects .reading")).to_have_text(said)
    expect_tooltip(page, "age is missing")
    page.mouse.move(5, 5)
    expect(page.locator(".tooltip")).to_be_hidden()
    expect(page.locator("#panel-effects .reading")).to_have_text(said)


def test_arrow_keys_walk_through_all_cells(show: Show) -> None:
    part = next(p for p in data_of(report_of("binary"), "effects")["features"] if p["name"] == "age")
    page = show(report_of("binary"), "#view=effects&feature=age")
    figure = page.locator("svg.effect")
    figure.focus()
    for k, words in enumerate(part["axis"]["words"]):
        page.keyboard.press("ArrowRight")
        expect(figure).to_have_attribute("aria-valuenow", str(k + 1))
        expect(figure).to_have_attribute("aria-valuetext", re.compile(f"^{re.escape(words)}"))
    page.keyboard.press("Home")
    expect(figure).to_have_attribute("aria-valuenow", "1")


def test_a_link_opens_feature_output_and_scale(show: Show) -> None:
    data = data_of(report_of("several"), "effects")
    page = show(report_of("several"), "#view=effects&feature=fare&output=2&scale=same&cells=equal")
    expect(page.locator("#panel-effects figcaption h3").first).to_have_text("Effect of fare, output 2")
    expect(page.get_by_label("same vertical scale")).to_be_checked()
    expect(page.get_by_label("Output").first).to_have_value("2")
    texts = [text for _, text in data["ranges"][2]["ticks"]]
    shown = page.locator("svg.effect .axis text")
    eventually(page, lambda: shown.all_text_contents()[: len(texts)], texts)
    page.get_by_label("Output").first.select_option("0")
    expect(page.locator("#panel-effects figcaption h3").first).to_have_text("Effect of fare, output 0")


def test_the_table_shows_the_numbers_of_the_figure(show: Show) -> None:
    part = data_of(report_of("numbers"), "effects")["features"][0]
    page = show(report_of("numbers"), "#view=effects")
    page.locator("#panel-effects summary", has_text="as a table").click()
    cells = page.locator("#panel-effects tbody tr")
    expect(cells).to_have_count(len(part["axis"]["words"]))
    first = [part["axis"]["words"][0], part["outputs"][0]["text"][0], part["weight"][0]]
    expect(cells.first.locator("td")).to_have_text(first)


@cache
def odd() -> tuple[Any, pd.DataFrame, Any, Any]:
    """Dates, sums of money, a code for most rows and a category, of a model whose trees fit the page."""
    rng = np.random.default_rng(0)
    n = 600
    X = pd.DataFrame(
        {
            "signup": pd.Timestamp("2012-01-01") + pd.to_timedelta(rng.integers(0, 2500, n), unit="D"),
            "income": np.exp(rng.normal(10, 2, n)),
            "pdays": np.where(rng.random(n) < 0.96, 999, rng.integers(0, 40, n)),
            "city": pd.Categorical(rng.choice(["Oslo", "Rome", "Bern", "Lima"], n)),
        }
    )
    late = (X["signup"] > pd.Timestamp("2015-01-01")).to_numpy()
    chance = late * 1.0 + (X["income"] > 3e4) - 1.5 * (X["city"] == "Bern") + (X["pdays"] < 999) - 0.6
    y = np.where(chance + rng.normal(0, 0.6, n) > 0, "buys", "leaves")
    model = gw.BoostingClassifier(n_estimators=20, max_depth=3).fit(X, y)
    return model, X, y, gw.report(model, X, y)


def odd_report() -> Any:
    return odd()[3]


def test_dates_are_dates_and_the_axis_suits_the_rows(show: Show) -> None:
    page = show(odd_report(), "#view=effects&feature=signup")
    axis = page.get_by_label("Axis", exact=True)
    ticks = page.locator("svg.effect .axis text")
    expect(ticks.filter(has_text=re.compile(r"^20\d\d$")).first).to_be_visible()
    page.locator("svg.effect").focus()
    page.keyboard.press("Home")
    expect(page.locator("#panel-effects .reading")).to_have_text(re.compile(r"^signup until \d{4}-\d\d-\d\d"))
    expect(axis).to_have_value("value")
    page.locator(".rank", has_text="income").click()
    expect(axis).to_have_value("log")
    expect(ticks.filter(has_text=re.compile("^1000$"))).to_be_visible()
    page.locator(".rank", has_text="pdays").click()
    expect(axis).to_have_value("rows")
    axis.select_option("value")
    page.wait_for_url(lambda address: "cells=value" in address)
    page.locator(".rank", has_text="income").click()
    expect(axis).to_have_value("value")


def test_categories_stand_in_the_order_of_their_effects(show: Show) -> None:
    part = next(p for p in data_of(odd_report(), "effects")["features"] if p["name"] == "city")
    effect = dict(zip(part["axis"]["label"], part["outputs"][0]["effect"], strict=True))
    page = show(odd_report(), "#view=effects&feature=city")
    names = page.locator("svg.effect .axis text", has_text=re.compile("^(Oslo|Rome|Bern|Lima)$"))
    expect(names).to_have_text(sorted(effect, key=lambda name: effect[name]))
    page.get_by_label("Categories").select_option("table")
    expect(names).to_have_text(part["axis"]["label"])
    page.wait_for_url(lambda address: "order=table" in address)


def test_log_odds_become_a_probability(show: Show) -> None:
    part = next(p for p in data_of(odd_report(), "effects")["features"] if p["name"] == "city")
    output = part["outputs"][0]
    k = part["axis"]["label"].index("Bern")
    page = show(odd_report(), "#view=effects&feature=city&order=table")
    page.get_by_label("Scale", exact=True).select_option("prediction")
    page.locator("svg.effect").focus()
    page.keyboard.press("Home")
    for _ in range(k):
        page.keyboard.press("ArrowRight")
    share = 100 / (1 + math.exp(-output["base"] - output["effect"][k]))
    expect(page.locator("#panel-effects .reading")).to_contain_text(f"city is Bern · {share:.1f} % probability")


ROW_LINE = """
([row]) => {
  const path = document.querySelector(`.row-curve[data-row="${row}"]`).getAttribute("d");
  const heights = [...path.matchAll(/M[\\d.]+ ([-\\d.]+)|V([-\\d.]+)/g)].map((m) => Number(m[1] ?? m[2]));
  const ticks = [...document.querySelectorAll("svg.effect .axis")][0].querySelectorAll("text[text-anchor=end]");
  const known = [...ticks].map((t) => [Number(t.textContent.replace("−", "-")), Number(t.getAttribute("y")) - 4]);
  const [[a, p], [b, q]] = [known[0], known[known.length - 1]];
  return heights.map((y) => a + ((y - p) / (q - p)) * (b - a));
}
"""


def test_single_rows_are_what_the_model_says_of_them(show: Show) -> None:
    model, X, _, report = odd()
    effects, prediction = data_of(report, "effects"), data_of(report, "prediction")
    part = next(p for p in effects["features"] if p["name"] == "income")
    row = prediction["rows"][3]["row"]
    page = show(report, f"#view=effects&feature=income&single=rows&example={row}")
    expect(page.locator(".row-curve")).to_have_count(len(prediction["rows"]))
    expect(page.locator(".row-curve.chosen")).to_have_attribute("data-row", "3")
    changed = pd.concat([X.iloc[[row]]] * len(part["axis"]["left"]), ignore_index=True)
    changed["income"] = [(a + b) / 2 for a, b in zip(part["axis"]["left"], part["axis"]["right"], strict=True)]
    expected = gw.read(model).predict_raw(changed) - part["outputs"][0]["base"]
    reach = expected.max() - expected.min()
    eventually_true(
        page,
        lambda: page.evaluate(ROW_LINE, [3]),
        lambda found: np.allclose(found, expected.ravel(), atol=0.01 * reach + 0.01),
    )
    page.get_by_label("single rows").uncheck()
    expect(page.locator(".row-curve")).to_have_count(0)


def test_all_effects_are_seen_at_a_glance(show: Show) -> None:
    page = show(odd_report(), "#view=effects")
    page.locator("summary", has_text="Show all effects at a glance").click()
    expect(page.locator(".small-effect")).to_have_count(4)
    page.locator(".small-effect", has_text="city").click()
    expect(page.locator("#panel-effects figcaption h3").first).to_have_text("Effect of city")
