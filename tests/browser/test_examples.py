"""Examples: picking a row shows its neighbours, with what differs marked."""

from playwright.sync_api import expect

from tests.browser.conftest import Show
from tests.browser.reports import data_of, report_of


def test_picking_a_row_shows_its_neighbours(show: Show) -> None:
    data = data_of(report_of("binary"), "examples")
    page = show(report_of("binary"), "#view=examples")
    page.locator(".rank").nth(4).click()
    query = data["queries"][4]
    assert (
        page.locator("#panel-examples figcaption h3").first.inner_text() == f"Rows most similar to row {query['row']}"
    )
    expect(page.locator("svg.similarity .name")).to_have_text([f"row {one['row']}" for one in query["neighbours"]])
    first = page.locator("#panel-examples tbody tr").first.locator("td")
    assert first.nth(1).inner_text() == query["values"][0]
    for k, one in enumerate(query["neighbours"]):
        assert ("differs" in first.nth(k + 2).get_attribute("class")) == one["differs"][0]
    page.locator(".rank-list").focus()
    page.keyboard.press("ArrowDown")
    assert str(data["queries"][5]["row"]) in page.locator("#panel-examples figcaption h3").first.inner_text()


def test_a_link_opens_a_row(show: Show) -> None:
    query = data_of(report_of("numbers"), "examples")["queries"][7]
    page = show(report_of("numbers"), f"#view=examples&example={query['row']}")
    assert page.locator("[role=option][aria-selected=true] .rank-text").inner_text() == f"row {query['row']}"


def test_the_table_is_downloaded_with_plain_values(show: Show) -> None:
    query = data_of(report_of("binary"), "examples")["queries"][0]
    page = show(report_of("binary"), "#view=examples")
    with page.expect_download() as found:
        page.get_by_role("button", name="as CSV").first.click()
    lines = found.value.path().read_text().splitlines()
    assert lines[0].startswith(f'feature,"row {query["row"]}, chosen')
