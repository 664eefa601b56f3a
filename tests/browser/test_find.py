"""Find anything: every feature, pair, row and rule of a page is a few letters away, with keys alone."""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from playwright.sync_api import expect

import glasswood as gw
from glasswood.web.panels._subject import Subject
from glasswood.web.server import web_app
from tests.browser.conftest import OpenPage, Show, serving
from tests.browser.looks import assert_looks_right
from tests.browser.reports import data_of, report_of


@cache
def wide() -> tuple[Any, pd.DataFrame, Any]:
    """300 columns, of which the model uses most."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(600, 300)), columns=[f"measure number {k}" for k in range(300)])
    y = X @ np.linspace(2, 0, 300)
    return gw.ForestRegressor(40, max_depth=6, max_features=0.3, random_state=0).fit(X, y), X, y


@cache
def wide_report() -> Any:
    model, X, y = wide()
    return gw.report(model, X, y)


def test_each_of_300_features_is_reached_by_its_name(show: Show) -> None:
    drawn = [part["name"] for part in data_of(wide_report(), "effects")["features"]]
    assert sorted(drawn) == sorted(wide()[1].columns)
    page = show(wide_report())
    for name in (drawn[0], drawn[150], drawn[-1]):
        page.get_by_role("combobox", name="Find").fill(name)
        page.locator("#found [role=option]", has_text=name).filter(has_text="Effects").first.click()
        expect(page.locator("#panel-effects figcaption h3").first).to_have_text(f"Effect of {name}")
        expect(page.locator("svg.effect")).to_be_visible()


def test_keys_alone_lead_to_a_pair_and_a_row(show: Show) -> None:
    report = report_of("binary")
    pair = " × ".join(data_of(report, "interactions")["tables"][1]["features"])
    page = show(report)
    field = page.get_by_role("combobox", name="Find")
    field.focus()
    page.keyboard.type(pair)
    expect(page.locator("#found [role=option]").first).to_contain_text(pair)
    expect(field).to_have_attribute("aria-activedescendant", "found-0")
    page.keyboard.press("Enter")
    title = page.locator("#panel-interactions figcaption h3").first
    expect(title).to_have_text(f"Interaction of {pair.replace(' × ', ' and ')}")
    expect(page.locator("#found")).to_be_hidden()
    row = data_of(report, "prediction")["rows"][3]["name"]
    page.keyboard.type(row)
    page.keyboard.press("Enter")
    expect(page.locator("#panel-prediction figcaption h3").first).to_have_text(f"From the average to {row}")


def test_what_is_not_there_is_said(show: Show) -> None:
    page = show(report_of("binary"))
    page.get_by_role("combobox", name="Find").fill("nothing like it")
    expect(page.locator("#found")).to_contain_text("Nothing on this page has that name.")
    assert_looks_right(page)
    page.keyboard.press("Escape")
    expect(page.locator("#found")).to_be_hidden()


def test_a_long_list_is_searched_and_keys_pass_over_what_is_hidden(show: Show) -> None:
    page = show(wide_report(), "#view=effects")
    page.get_by_label("Find a feature in the list").fill("number 29")
    names = [name for name in wide()[1].columns if "number 29" in name]
    expect(page.locator("#panel-effects .rank:visible")).to_have_count(len(names))
    page.locator("#panel-effects .rank-list").focus()
    page.keyboard.press("Home")
    first = page.locator("#panel-effects .rank:visible .rank-text").first.inner_text()
    expect(page.locator("#panel-effects figcaption h3").first).to_have_text(f"Effect of {first}")
    page.get_by_label("Find a feature in the list").fill("nothing")
    expect(page.locator("#panel-effects .beside-list")).to_contain_text("No feature in this list has that name.")


def test_the_app_finds_what_it_has_shown(open_page: OpenPage) -> None:
    model, X, y = wide()
    with serving(web_app(Subject("wide", model, X, y))) as address:
        page = open_page(f"{address}#view=effects")
        expect(page.locator("svg.effect")).to_be_visible()
        page.get_by_role("combobox", name="Find").fill("measure number 1")  # 111 names contain it
        expect(page.locator("#found .found-text").first).to_have_text("measure number 1")
        page.get_by_role("combobox", name="Find").fill("number 123")
        page.keyboard.press("Enter")
        expect(page.locator("#panel-effects figcaption h3").first).to_have_text("Effect of measure number 123")
        page.close()
