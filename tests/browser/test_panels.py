"""Every panel of a report, on the served page and on its file: looks, names, contrast, narrow, dark, refusals."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Page, expect

import glasswood as gw
from glasswood.web.server import web_app
from tests.browser.conftest import OpenPage, Show, serving
from tests.browser.looks import assert_looks_right
from tests.browser.reports import data_of, report_of
from tests.browser.waiting import eventually, eventually_true
from tests.web.cases import HOSTILE

KINDS = ("overview", "performance", "prediction", "effects", "interactions", "rules", "examples", "credibility")
VIEWS = [("light", 1400), ("dark", 1400), ("light", 760), ("dark", 390)]


def kinds_of(report: Any) -> list[str]:
    """The panels of KINDS that a report has."""
    return [section.kind for section in report.sections if section.kind in KINDS]


def look_at_all(page: Page, report: Any) -> None:
    for kind in kinds_of(report):
        page.locator(f"nav a[data-kind={kind}]").click()
        panel = page.locator(f"#panel-{kind}")
        expect(panel.locator(".lead")).to_have_text(data_of(report, kind)["lead"])
        panel.locator("svg").first.wait_for()
        assert_looks_right(page)


@pytest.mark.parametrize(("scheme", "width"), VIEWS)
def test_panels_can_be_read_everywhere(show: Show, scheme: str, width: int) -> None:
    page = show(report_of("binary"), color_scheme=scheme, viewport={"width": width, "height": 900})
    look_at_all(page, report_of("binary"))


@pytest.mark.parametrize("case", ["several", "numbers"])
def test_other_models_are_drawn_too(show: Show, case: str) -> None:
    look_at_all(show(report_of(case)), report_of(case))


def test_hostile_names_are_text(show: Show) -> None:
    page = show(report_of("binary"), f"#view=effects&feature={HOSTILE.replace('&', '%26').replace(' ', '%20')}")
    expect(page.locator("#panel-effects figcaption h3").first).to_have_text(f"Effect of {HOSTILE}")
    for kind in KINDS:
        page.locator(f"nav a[data-kind={kind}]").click()
        expect(page.locator(f"#panel-{kind} svg").first).to_be_visible()
    expect(page.locator("main img")).to_have_count(0)
    expect(page.locator("main b, main i")).to_have_count(0)


def test_marks_that_turn_text_around_are_written_out(show: Show) -> None:
    name, marks = "\u202ea\u2066b", r"/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/"
    X = pd.DataFrame({name: np.arange(40.0), "m": np.arange(40) % 7})
    y = np.where((X[name] > 20) & (X["m"] > 3), f"yes {name}", "no")
    report = gw.report(gw.TreeClassifier(max_depth=3).fit(X, y), X, y, title=f"Of {name}")
    page = show(report)
    for kind in ("tree", *kinds_of(report)):
        page.locator(f"nav a[data-kind={kind}]").click()
        page.locator(f"#panel-{kind} svg").first.wait_for()
        eventually(page, lambda: page.evaluate(f"document.body.innerText.match({marks})"), None)
        texts = page.locator(f"#panel-{kind} svg text")
        found = texts.evaluate_all(f"all => all.filter((t) => {marks}.test(t.textContent)).length")
        assert found == 0  # the panel is drawn: its first figure was waited for
    expect(page.locator("h1")).to_have_text("Of ⟨U+202E⟩a⟨U+2066⟩b")
    page.locator("nav a[data-kind=effects]").click()
    page.locator("#panel-effects .rank", has_text="⟨U+202E⟩").click()
    expect(page.locator("#panel-effects h3", has_text="Effect of")).to_have_text("Effect of ⟨U+202E⟩a⟨U+2066⟩b")
    page.locator("svg.effect").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#panel-effects .reading")).to_contain_text("⟨U+202E⟩a⟨U+2066⟩b at most")


def test_a_refused_panel_says_why(show: Show) -> None:
    page = show(report_of("binary", with_target=False), "#view=rules")
    expect(page.locator("#panel-rules .refused")).to_contain_text("pass y")
    page.locator("nav a[data-kind=effects]").click()
    expect(page.locator("#panel-effects svg").first).to_be_visible()


def test_every_figure_and_table_can_be_downloaded(show: Show) -> None:
    page = show(report_of("binary"), "#view=effects")
    page.locator("svg.effect").wait_for()
    for name in ("SVG", "PNG"):
        with page.expect_download() as found:
            page.get_by_role("button", name=f"as {name}").first.click()
        assert found.value.suggested_filename.endswith(f".{name.lower()}")
    page.locator("#panel-effects summary", has_text="as a table").click()
    with page.expect_download() as found:
        page.get_by_role("button", name="as CSV").first.click()
    assert found.value.path().read_text().startswith("cell,effect on the log-odds,weight")


def test_panels_that_were_taken_away_stop_listening(open_page: OpenPage) -> None:
    with serving(web_app()) as address:
        page = open_page(f"{address}#view=effects&n=60")
        page.locator("svg.effect").wait_for()
        page.get_by_label("Random seed").fill("8")
        page.get_by_role("button", name="Generate").click()
        page.wait_for_url(lambda address: "seed=8" in address)
        for kind in KINDS:
            page.locator(f"nav a[data-kind={kind}]").click()
            page.locator(f"#panel-{kind} svg").first.wait_for()
        expect(page.locator("#panel-effects")).to_have_count(1)
        page.close()


@pytest.mark.parametrize("width", [1400, 390])
def test_a_very_long_name_does_not_widen_the_page(show: Show, width: int) -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(60, 2)), columns=["n" * 300, "m"])
    model = gw.TreeRegressor(max_depth=3).fit(X, X["m"] * X["n" * 300])
    report = gw.report(model, X, X["m"])
    page = show(report, "#view=effects", viewport={"width": width, "height": 900})
    for kind in kinds_of(report):
        page.locator(f"nav a[data-kind={kind}]").click()
        page.locator(f"#panel-{kind}").locator("svg, .refused").first.wait_for()
        eventually_true(page, lambda: page.evaluate("document.documentElement.scrollWidth"), lambda w: w <= width, kind)
