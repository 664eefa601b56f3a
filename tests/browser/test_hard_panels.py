"""Every panel with every hard table: no error, no request, axe-core finds nothing, keys reach every control."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect
from sklearn.ensemble import RandomForestClassifier

import glasswood as gw
from tests.browser.axe_core import assert_no_violation, axe
from tests.browser.conftest import OpenPage
from tests.browser.looks import TOO_WIDE
from tests.browser.waiting import eventually
from tests.web.cases import HOSTILE

# controls that the Tab key does not reach; entries of a list and nodes of a tree are reached by arrows
OUT_OF_REACH = """
(panel) => [...document.querySelectorAll(`#panel-${panel} :is(button, select, input, summary, a[href], [role=slider],
  [role=listbox], [role=tree])`)].filter((one) => {
    if (!one.getClientRects().length || one.disabled || one.closest(".tooltip")) return false;
    const inside = one.getAttribute("role") === "tree" ? one.querySelector("[tabindex='0']") : one;
    return !inside || inside.tabIndex < 0;
  }).map((one) => one.outerHTML.slice(0, 120))
"""


def wide() -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(300, 300)), columns=[f"column {k}" for k in range(300)])
    y = X.to_numpy()[:, :20].sum(axis=1)
    return gw.ForestRegressor(20, max_depth=4, max_features=0.1, random_state=0).fit(X, y), X, y


def ten_classes() -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(500, 4)), columns=list("abcd"))
    y = np.clip((X["a"] + X["b"]) * 2 + 5, 0, 9).astype(int)
    return gw.BoostingClassifier(n_estimators=3, max_depth=3).fit(X, y), X, y


def billions() -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"area": rng.exponential(2e6, 500), "year": rng.integers(1990, 2021, 500)})
    y = 1e9 * np.exp(rng.normal(0, 1, 500) + (X["year"] > 2005)) + 100 * X["area"]
    return gw.ForestRegressor(8, max_depth=4, random_state=0).fit(X, y), X, y


def thousand_levels() -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 1000, 3000)
    X = pd.DataFrame({"code": pd.Categorical([f"code {k:04d}" for k in codes]), "n": rng.normal(size=3000)})
    return gw.TreeClassifier(max_depth=5).fit(X, codes % 7 + X["n"] > 3), X, codes % 7 + X["n"] > 3


def hostile() -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({HOSTILE: rng.normal(size=200), "größe_‮名前": rng.normal(size=200), "": rng.integers(0, 3, 200)})
    y = np.where(X[HOSTILE] * X[""] > 0.2, "<b>ja</b>", "no & no")
    return gw.BoostingClassifier(n_estimators=6, max_depth=3).fit(X, y), X, y


def deep_forest() -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(800, 6)), columns=list("abcdef"))
    y = (X["a"] * X["b"] + rng.normal(size=800) > 0).astype(int)
    return RandomForestClassifier(40, random_state=0, n_jobs=1).fit(X, y), X, y


TABLES: dict[str, tuple[Callable[[], tuple[Any, Any, Any]], str, int]] = {
    "300 columns": (wide, "light", 1400),
    "ten classes": (ten_classes, "dark", 760),
    "a target of 1e9": (billions, "light", 390),
    "1,000 levels": (thousand_levels, "dark", 1400),
    "hostile names": (hostile, "light", 760),
    "a deep forest": (deep_forest, "dark", 390),
}


@cache
def report_on(name: str) -> Any:
    model, X, y = TABLES[name][0]()
    return gw.report(model, X[50:], y[50:], train=(X[:50], y[:50]), other=model)


@pytest.mark.parametrize("name", TABLES)
def test_every_panel_stands_every_hard_table(open_page: OpenPage, tmp_path: Path, name: str) -> None:
    _, scheme, width = TABLES[name]
    report = report_on(name)
    report.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size < 2_000_000
    page = open_page((tmp_path / "page.html").as_uri(), color_scheme=scheme, viewport={"width": width, "height": 900})
    page.evaluate(axe())
    for section in report.sections:
        link = page.locator(f"nav a[data-kind={section.kind}]")
        link.focus()
        link.press("Enter")
        expect(page.locator(f"#panel-{section.kind}").locator("svg, .refused").first).to_be_visible()
        eventually(page, lambda kind=section.kind: page.evaluate(OUT_OF_REACH, kind), [])
        eventually(page, lambda: page.evaluate(TOO_WIDE), 0)
        assert_no_violation(page)
