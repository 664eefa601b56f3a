"""A page in a notebook: a sandboxed frame without a server, which opens where it was left."""

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.reports import report_of


def test_a_notebook_opens_a_page_where_it_was_left(open_page: OpenPage, tmp_path: Path) -> None:
    shown = report_of("binary").at("view=effects&feature=fare")
    (tmp_path / "notebook.html").write_text(f"<!doctype html><body>{shown._repr_html_()}</body>", encoding="utf-8")
    page = open_page((tmp_path / "notebook.html").as_uri())
    inside = page.frame_locator("iframe")
    title = inside.locator("#panel-effects figcaption h3").first
    expect(title).to_have_text("Effect of fare")
    inside.locator(".rank", has_text="port").click()
    expect(title).to_have_text("Effect of port")
    keep = inside.get_by_role("button", name="Keep this view")
    keep.click()
    expect(inside.get_by_role("button", name="Copied")).to_be_visible()
    expect(inside.locator(".keep-button")).to_have_attribute("data-call", '.at("view=effects&feature=port")')


def test_a_page_of_its_own_needs_no_such_button(open_page: OpenPage, tmp_path: Path) -> None:
    report_of("binary").save(tmp_path / "page.html")
    page = open_page((tmp_path / "page.html").as_uri() + "#view=rules")
    expect(page.locator("#panel-rules")).to_be_visible()
    expect(page.locator(".keep-button")).to_have_count(0)
