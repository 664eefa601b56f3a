"""Overview: certificate, ledger and importances equal those of the results."""

from playwright.sync_api import expect

from tests.browser.conftest import Show
from tests.browser.reports import data_of, report_of


def test_the_overview_shows_what_was_read(show: Show) -> None:
    data = data_of(report_of("binary"), "overview")
    page = show(report_of("binary"))
    expect(page.locator(".parity strong")).to_have_text(data["parity"]["title"])
    expect(page.locator(".facts dd")).to_have_text([value for _, value in data["facts"]])
    shares = [part["text"] for part in data["ledger"]["parts"][0]["shares"]]
    expect(page.locator(".share-legend strong")).to_have_text(shares)
    expect(page.locator("svg.importance .importance-row")).to_have_count(len(data["importance"]["features"]))


def test_outputs_can_be_chosen_and_stay_chosen(show: Show) -> None:
    data = data_of(report_of("several"), "overview")
    page = show(report_of("several"))
    page.get_by_label("Output").first.select_option("2")
    share = data["ledger"]["parts"][2]["shares"][0]["text"]
    expect(page.locator(".share-legend strong").first).to_have_text(share)
    page.locator("nav a[data-kind=effects]").click()
    expect(page.locator("#panel-effects figcaption h3").first).to_contain_text("output 2")
