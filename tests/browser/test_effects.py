"""Effects: the list, hovering, the keyboard, links and outputs."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Show
from tests.browser.reports import data_of, report_of
from tests.browser.tree_page import expect_tooltip
from tests.browser.waiting import eventually


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
    expect(page.get_by_role("checkbox")).to_be_checked()
    expect(page.get_by_label("Output").first).to_have_value("2")
    texts = [text for _, text in data["ranges"][2]["ticks"]]
    shown = page.locator("svg.effect .axis text")
    eventually(page, lambda: shown.all_text_contents()[: len(texts)], texts)
    page.get_by_label("Output").first.select_option("0")
    expect(page.locator("#panel-effects figcaption h3").first).to_have_text("Effect of fare, output 0")


def test_the_table_shows_the_numbers_of_the_figure(show: Show) -> None:
    part = data_of(report_of("numbers"), "effects")["features"][0]
    page = show(report_of("numbers"), "#view=effects")
    page.locator("#panel-effects summary").click()
    cells = page.locator("#panel-effects tbody tr")
    expect(cells).to_have_count(len(part["axis"]["words"]))
    first = [part["axis"]["words"][0], part["outputs"][0]["text"][0], part["weight"][0]]
    expect(cells.first.locator("td")).to_have_text(first)
