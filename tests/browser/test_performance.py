"""How good is it: thresholds, costs, curves, groups, by pointer and by keys."""

import re
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Page, expect

import glasswood as gw
from tests.browser.conftest import OpenPage, Show
from tests.browser.looks import assert_looks_right
from tests.browser.reports import CASES, data_of, report_of
from tests.browser.waiting import eventually_true
from tests.web.cases import binary


def part_of(case: str) -> dict[str, Any]:
    part: dict[str, Any] = data_of(report_of(case), "performance")["parts"][0]
    return part


def words_at(part: dict[str, Any], k: int) -> str:
    _, found, others = part["points"][k]
    return f"{found + others:,.0f} of {part['total'][1]:,.0f} rows are taken for {part['name']}"


def test_the_threshold_moves_counts_and_marks(show: Show) -> None:
    part = part_of("binary")
    page = show(report_of("binary"), "#view=performance")
    reading = page.locator("#panel-performance .reading").first
    expect(reading).to_contain_text(words_at(part, part["start"]))
    mark = page.locator('[data-name="roc"] .curve-mark')
    expect(mark).to_be_visible()
    before = mark.get_attribute("cy") or ""
    page.locator("#threshold").focus()
    page.keyboard.press("End")  # every row is taken
    expect(reading).to_contain_text(words_at(part, len(part["points"]) - 1))
    expect(mark).not_to_have_attribute("cy", before)
    page.keyboard.press("Home")
    expect(page.locator(".threshold-bar output")).to_have_text("no row is taken")
    expect(page).to_have_url(re.compile("threshold=none"))
    page.reload()
    expect(page.locator(".threshold-bar output")).to_have_text("no row is taken")


def test_the_confusion_is_that_of_the_threshold(show: Show) -> None:
    part = part_of("binary")
    page = show(report_of("binary"), "#view=performance")
    _, found, others = part["points"][part["start"]]
    cells = page.locator(".confusion td")
    all_of, total = part["total"]
    counts = [found, all_of - found, others, total - all_of - others]
    expect(cells).to_have_text([re.compile(rf"^{count:.0f} \(") for count in counts])


def test_costs_lead_to_the_cheapest_threshold(show: Show) -> None:
    part = part_of("binary")
    page = show(report_of("binary"), "#view=performance")
    page.get_by_label("Cost of missing a row").fill("20")
    page.get_by_role("button", name="Go to the cheapest threshold").press("Enter")
    points = np.array([[0 if t is None else t, found, others] for t, found, others in part["points"]])
    cost = points[:, 2] + 20 * (part["total"][0] - points[:, 1])
    expect(page.locator("#threshold")).to_have_value(str(int(cost.argmin())))
    expect(page.locator("#panel-performance .reading").first).to_contain_text(f"cost {cost.min():,.0f}")
    expect(page).to_have_url(re.compile(r"cost_miss=20"))  # the address is written a moment later
    page.reload()
    expect(page.get_by_label("Cost of missing a row")).to_have_value("20")
    expect(page.locator("#threshold")).to_have_value(str(int(cost.argmin())))


def test_pointing_at_a_curve_chooses_a_threshold(show: Show) -> None:
    page = show(report_of("binary"), "#view=performance&threshold=none")
    figure = page.locator('[data-name="roc"] svg')
    figure.scroll_into_view_if_needed()
    box = eventually_true(page, figure.bounding_box, lambda found: found is not None)
    page.mouse.click(box["x"] + box["width"] - 15, box["y"] + 12)  # the corner where all are taken
    expect(page.locator("#threshold")).not_to_have_value("0")


def test_groups_can_be_chosen_and_read(show: Show) -> None:
    part = part_of("binary")
    page = show(report_of("binary"), "#view=performance&against=port")
    view = next(view for view in part["views"] if view["name"] == "port")
    expect(page.locator("svg.groups text.name")).to_have_text(view["words"])
    page.locator("svg.groups .group-line").first.hover()
    expect(page.locator(".tooltip")).to_contain_text(view["range_text"][0])
    page.locator("summary", has_text="Show the groups as a table").click()
    line = page.locator('[data-name="groups-port"] tbody tr').first.locator("td")
    first = [view["words"][0], view["rows"][0], view["said_text"][0], view["found_text"][0], view["range_text"][0]]
    expect(line).to_have_text([*first, *view["more"][0]])
    page.get_by_label("Groups of").select_option("age")
    expect(page.locator("svg.groups text.name").first).to_contain_text("age")
    expect(page).to_have_url(re.compile("against=age"))


def test_numbers_have_residuals_and_gains(show: Show) -> None:
    part = part_of("numbers")
    page = show(report_of("numbers"), "#view=performance")
    expect(page.locator("svg.groups")).to_have_count(2)
    expect(page.locator("svg.groups .spread")).to_have_count(len(part["views"][0]["words"]))
    expect(page.locator('[data-name="gains"] .curve')).to_have_count(1)
    expect(page.locator("#panel-performance")).to_contain_text(part["top"])


def test_each_of_several_classes_is_compared_with_the_others(show: Show) -> None:
    data = data_of(report_of("several"), "performance")
    page = show(report_of("several"), "#view=performance&output=2")
    expect(page.locator("#panel-performance .scores strong")).to_have_text([s[1] for s in data["parts"][2]["scores"]])
    expect(page.locator('[data-name="confusion"] tbody tr')).to_have_count(3)
    page.get_by_label("Output").select_option("0")
    expect(page.locator("#panel-performance .scores strong")).to_have_text([s[1] for s in data["parts"][0]["scores"]])


def test_without_targets_the_panel_says_what_to_do(show: Show) -> None:
    model, X, _ = CASES["binary"]()
    page: Page = show(gw.report(model, X), "#view=performance")
    expect(page.locator("#panel-performance .refused")).to_contain_text("pass y")


def test_training_rows_are_shown_beside_the_others(open_page: OpenPage, tmp_path: Path) -> None:
    model, X, y = binary()
    report = gw.report(model, X[250:], y[250:], train=(X[:250], y[:250]), panels=["performance"])
    data = data_of(report, "performance")
    report.save(tmp_path / "page.html")
    page = open_page((tmp_path / "page.html").as_uri())
    first = [data["parts"][0]["scores"][0][1], data["training"]["parts"][0]["scores"][0][1]]
    expect(page.locator(".both-scores tbody tr").first.locator("td")).to_have_text(first)
    expect(page.locator(".confusion")).to_contain_text("%")
    reading = page.locator("#panel-performance .reading").first
    expect(reading).to_contain_text("of 150 rows")
    page.get_by_label("Figures of").select_option("training")
    expect(reading).to_contain_text("of 250 rows")
    page.wait_for_url(lambda address: "rows=training" in address)
    assert_looks_right(page)
