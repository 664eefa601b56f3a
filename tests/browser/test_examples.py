"""Examples: picking a row shows its neighbours, with what differs marked."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Show
from tests.browser.reports import data_of, report_of


def test_picking_a_row_shows_its_neighbours(show: Show) -> None:
    data = data_of(report_of("binary"), "examples")
    page = show(report_of("binary"), "#view=examples")
    page.locator(".rank").nth(4).click()
    query = data["queries"][4]
    expect(page.locator("#panel-examples figcaption h3").first).to_have_text(f"Rows most similar to row {query['row']}")
    expect(page.locator("svg.similarity .name")).to_have_text([f"row {one['row']}" for one in query["neighbours"]])
    first = page.locator("#panel-examples tbody tr").first.locator("td")
    expect(first.nth(1)).to_have_text(query["values"][0])
    for k, one in enumerate(query["neighbours"]):
        marked = expect(first.nth(k + 2))
        (marked.to_have_class if one["differs"][0] else marked.not_to_have_class)(re.compile(r"\bdiffers\b"))
    page.locator(".rank-list").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#panel-examples figcaption h3").first).to_contain_text(str(data["queries"][5]["row"]))


def test_a_link_opens_a_row(show: Show) -> None:
    query = data_of(report_of("numbers"), "examples")["queries"][7]
    page = show(report_of("numbers"), f"#view=examples&example={query['row']}")
    expect(page.locator("[role=option][aria-selected=true] .rank-text")).to_have_text(f"row {query['row']}")


def test_the_table_is_downloaded_with_plain_values(show: Show) -> None:
    query = data_of(report_of("binary"), "examples")["queries"][0]
    page = show(report_of("binary"), "#view=examples")
    with page.expect_download() as found:
        page.get_by_role("button", name="as CSV").first.click()
    lines = found.value.path().read_text().splitlines()
    assert lines[0].startswith(f'feature,"row {query["row"]}, chosen')
