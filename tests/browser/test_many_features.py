"""3,000 features: each is found by its name, and has its curve or the words why it has none."""

from functools import cache
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import pandas as pd
from playwright.sync_api import Page, expect

import glasswood as gw
from glasswood.web.panels._subject import Subject
from glasswood.web.server import web_app
from tests.browser.conftest import OpenPage, serving
from tests.browser.reports import data_of


@cache
def many() -> tuple[Any, pd.DataFrame, Any]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(500, 3000)), columns=[f"column{k}" for k in range(3000)])
    y = X.to_numpy()[:, :40].sum(axis=1)
    model = lightgbm.LGBMRegressor(n_estimators=100, feature_fraction=0.3, verbose=-1, n_jobs=1, random_state=0)
    return model.fit(X, y), X, y


@cache
def effects_report() -> Any:
    model, X, y = many()
    return gw.report(model, X, y, panels=["effects", "prediction"])


def _found(page: Page, name: str) -> None:
    page.get_by_role("combobox", name="Find").fill(name)
    expect(page.locator("#found .found-text").first).to_have_text(name)
    page.keyboard.press("Enter")


def test_the_last_of_3000_features_is_found(open_page: OpenPage, tmp_path: Path) -> None:
    report = effects_report()
    report.save(tmp_path / "page.html")
    data = data_of(report, "effects")
    drawn = [part["name"] for part in data["features"]]
    used, unused = data["without"]["used"], data["without"]["unused"]
    assert sorted([*drawn, *used, *unused]) == sorted(many()[1].columns)
    assert drawn and used and unused
    assert data_of(report, "prediction")["rows"]  # it has room beside the curves
    page = open_page((tmp_path / "page.html").as_uri())
    view = page.locator("#panel-effects .beside-main")
    _found(page, drawn[-1])
    expect(view.locator("h3")).to_have_text(f"Effect of {drawn[-1]}")
    expect(view.locator("svg.effect")).to_be_visible()
    _found(page, used[-1])
    expect(view).to_contain_text(f"The curve of {used[-1]} is not on this page")
    expect(view).to_contain_text("glasswood app draws it")
    _found(page, unused[-1])
    expect(view).to_contain_text(f"No tree of the model asks for {unused[-1]}")
    expect(page.locator("#panel-effects .rank[aria-selected=true]")).to_have_text(unused[-1])
    page.get_by_label("Find a feature in the list").fill(unused[-1])
    expect(page.locator("#panel-effects .rank-group:visible")).to_have_text([f"{len(unused)} that no tree asks for"])


def test_the_app_draws_the_curve_that_a_page_leaves_out(open_page: OpenPage) -> None:
    model, X, y = many()
    name = data_of(effects_report(), "effects")["without"]["used"][-1]
    with serving(web_app(Subject("many", model, X, y))) as address:
        page = open_page(f"{address}#view=effects&feature={name}")
        expect(page.locator("#panel-effects .beside-main h3")).to_have_text(f"Effect of {name}")
        expect(page.locator("#panel-effects svg.effect")).to_be_visible()
        page.close()
