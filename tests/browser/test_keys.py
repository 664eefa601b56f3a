"""Keys alone: Tab stops at every control of every panel, folds open, outputs change, and a value is tried."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.hard_tables import report_on
from tests.browser.waiting import eventually

# remember what had the focus
WATCH = """
() => {
  window.visited = new Set();
  document.addEventListener("focusin", (event) => window.visited.add(event.target));
}
"""
# what Tab should stop at; entries of a list and nodes of a tree are reached by arrows, of them one is a stop
KINDS = 'button, select, input, summary, a[href], [tabindex="0"]'
STOPS = f"""
(panel) => [...document.querySelectorAll(`#panel-${{panel}} :is({KINDS})`)]
  .filter((one) => one.getClientRects().length && !one.disabled && one.tabIndex >= 0 && !one.closest(".tooltip"))
"""
MISSED = (
    f"(panel) => ({STOPS})(panel).filter((one) => !window.visited.has(one)).map((one) => one.outerHTML.slice(0, 120))"
)
N_STOPS = f"(panel) => ({STOPS})(panel).length"
INSIDE = "(panel) => document.querySelector(`#panel-${panel}`).contains(document.activeElement)"


def open_by_key(page: Page, kind: str) -> None:
    link = page.locator(f"nav a[data-kind={kind}]")
    link.focus()
    page.keyboard.press("Enter")
    expect(page.locator(f"#panel-{kind}").locator("svg").first).to_be_visible()


def open_folds(page: Page, kind: str) -> None:
    """Every fold of the panel, with the Enter key; a fold may hold others."""
    closed = page.locator(f"#panel-{kind} details:not([open]) > summary:visible")
    while closed.count():
        before = closed.count()
        closed.first.focus()
        page.keyboard.press("Enter")
        eventually(page, lambda before=before: closed.count() != before, True)


def walk(page: Page, kind: str) -> None:
    """Tab through the panel until the focus has left it; twice, because what has the focus may enable a control."""
    for _ in range(2):
        page.locator("nav a").last.focus()  # the stop before the panel
        was_inside = False
        for _ in range(page.evaluate(N_STOPS, kind) + 20):
            page.keyboard.press("Tab")
            inside = page.evaluate(INSIDE, kind)
            if was_inside and not inside:
                break
            was_inside = was_inside or inside
        if not page.evaluate(MISSED, kind):
            break
    eventually(page, lambda: page.evaluate(MISSED, kind), [], frames=60)


def test_keys_reach_every_control_and_change_every_panel(open_page: OpenPage, tmp_path: Path) -> None:
    report = report_on("ten classes")
    report.save(tmp_path / "page.html")
    page = open_page((tmp_path / "page.html").as_uri())
    page.evaluate(WATCH)
    for kind in [section.kind for section in report.sections]:
        open_by_key(page, kind)
        walk(page, kind)
        open_folds(page, kind)
        walk(page, kind)
        output = page.locator(f"#panel-{kind}").get_by_label("Output", exact=True)
        if output.count():
            output.first.focus()
            page.keyboard.press("End")  # the last of ten
            expect(output.first.locator("option:checked")).to_have_text("9")
            expect(page.locator(f"#panel-{kind}").locator("svg").first).to_be_visible()
            page.keyboard.press("Home")


def test_keys_change_a_value_of_what_if(open_page: OpenPage, tmp_path: Path) -> None:
    report_on("ten classes").save(tmp_path / "page.html")
    page = open_page((tmp_path / "page.html").as_uri())
    open_by_key(page, "prediction")
    panel = page.locator("#panel-prediction")
    answer = panel.locator(".answer")
    before = answer.inner_text()
    slider = panel.locator(".change input[type=range]").first
    was = slider.input_value()
    slider.focus()
    page.keyboard.press("End" if was == "0" else "Home")
    expect(slider).not_to_have_value(was)
    expect(answer).not_to_have_text(before)
    back = panel.get_by_role("button", name="Back to the row as it is")
    back.focus()
    page.keyboard.press("Enter")
    expect(slider).to_have_value(was)
    expect(answer).to_have_text(before)
