from playwright.sync_api import expect

from glasswood.web.page import Page
from tests.browser.conftest import Show
from tests.browser.reports import report_of
from tests.browser.waiting import eventually_true


def test_a_page_shows_its_title_as_text(show: Show) -> None:
    page = show(Page("A <b>bold</b> title", ()))
    expect(page.locator("h1")).to_have_text("A <b>bold</b> title")
    expect(page).to_have_title("A <b>bold</b> title")


def test_the_button_goes_through_the_themes(show: Show) -> None:
    page = show(Page("Themes", ()), color_scheme="light")
    body = expect(page.locator("body"))
    body.to_have_css("background-color", "rgb(255, 255, 255)")
    button = page.get_by_role("button", name="Colours")
    button.click()
    button.click()
    body.to_have_css("background-color", "rgb(20, 23, 27)")
    button.click()
    body.to_have_css("background-color", "rgb(255, 255, 255)")


def test_the_link_of_the_open_panel_is_on_a_narrow_screen(show: Show) -> None:
    page = show(report_of("binary"), "#view=examples", viewport={"width": 390, "height": 800})
    expect(page.locator('nav a[aria-current="page"]')).to_have_text("Examples")
    for name in ("Examples", "Credibility", "Overview"):
        link = page.locator("nav a", has_text=name)
        link.evaluate("link => link.click()")
        expect(link).to_have_attribute("aria-current", "page")
        eventually_true(page, link.bounding_box, lambda box: box["x"] >= 0 and box["x"] + box["width"] <= 390)


def test_the_link_of_the_open_panel_stays_when_the_window_gets_narrow(show: Show) -> None:
    page = show(report_of("binary"), "#view=credibility", viewport={"width": 1400, "height": 800})
    link = page.locator('nav a[aria-current="page"]')
    expect(link).to_have_text("Credibility")
    page.set_viewport_size({"width": 390, "height": 800})
    eventually_true(page, link.bounding_box, lambda box: box["x"] >= 0 and box["x"] + box["width"] <= 390)
