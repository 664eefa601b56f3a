"""This prediction: the page predicts and explains a changed row as Python does; keys suffice; the address remembers."""

import re
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect

import glasswood as gw
from glasswood.web.page._bundle import static_text
from glasswood.web.page._page import Page
from glasswood.web.panels._subject import Subject
from glasswood.web.panels.prediction._section import PREDICTION
from tests.browser.conftest import OpenPage, Show
from tests.browser.looks import assert_looks_right
from tests.browser.reports import CASES, data_of, report_of

ASK = """
([code, data, rows]) => {
  const made = new Function(`${code}; return { makeModel, inverseLink };`)();
  const model = made.makeModel(data.model, data.background, data.features.length);
  return rows.map((cells) => {
    const raw = model.raw(cells);
    return { raw, parts: model.parts(cells).map((values) => [...values]), said: made.inverseLink(data.link, raw) };
  });
}
"""


@cache
def panel_of(case: str) -> Any:
    model, X, y = CASES[case]()
    return PREDICTION.section(Subject("", model, X, y, n_examples=6))


@pytest.mark.parametrize("case", CASES)
def test_a_changed_row_is_predicted_and_explained_as_by_python(open_page: OpenPage, case: str) -> None:
    model, X, _ = CASES[case]()
    data = panel_of(case).data
    row = X.iloc[[data["rows"][2]["row"]]]
    changed = pd.concat([row.assign(age=np.nan), row.assign(fare=0.0), row.assign(port="Q", fare=200.0), row])
    changed["port"] = pd.Categorical(changed["port"], categories=X["port"].cat.categories)
    from glasswood.ensemble import align
    from glasswood.web.panels.prediction._model import cells_of
    from glasswood.web.panels.tree._plane import plane_of

    ensemble = gw.read(model)
    cells = cells_of(plane_of([ensemble]), ensemble, align(changed, ensemble.features)).tolist()
    code = static_text("panels/prediction_model.js").replace("export ", "")
    said = open_page("about:blank").evaluate(ASK, [code, data, cells])
    at = gw.attributions(model, changed, background=X.iloc[np.linspace(0, len(X) - 1, 100).astype(int)])
    names = [at.names.index(feature["name"]) for feature in data["features"]]
    for q, one in enumerate(said):
        np.testing.assert_allclose(one["raw"], np.atleast_1d(at.raw[q]), rtol=1e-12, atol=1e-12)
        expected = at.values[q].reshape(len(at.names), -1)[names].T
        np.testing.assert_allclose(one["parts"], expected, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(one["said"], np.atleast_1d(at.prediction[q]), rtol=1e-9)


def test_values_are_changed_by_keys_and_the_address_remembers(show: Show) -> None:
    page = show(Page("One row", (panel_of("binary"),)))
    answer = page.locator(".answer")
    expect(answer).to_contain_text("The model says")
    before = answer.inner_text()
    slider = page.get_by_label("fare", exact=True)
    slider.focus()
    page.keyboard.press("End")
    expect(answer).to_contain_text("With these values the model says")
    expect(page).to_have_url(re.compile("if="))
    changed = answer.inner_text()
    page.reload()
    expect(page.locator(".answer")).to_have_text(changed)
    page.get_by_role("button", name="Back to the row as it is").press("Enter")
    expect(page.locator(".answer")).to_have_text(before)
    assert_looks_right(page)


def test_a_row_is_found_by_what_it_holds(show: Show) -> None:
    made = panel_of("numbers")
    page = show(Page("One row", (made,)))
    row = made.data["rows"][3]
    page.get_by_label("Find a row").fill(row["name"])
    page.locator(".rank", has_text=row["name"]).first.click()
    expect(page.locator("figcaption h3").first).to_have_text(f"From the average to {row['name']}")
    expect(page.locator(".waterfall rect.fill")).to_have_count(len(made.data["features"]))
    page.get_by_label("Find a row").fill("nothing like it")
    expect(page.locator(".beside-list")).to_contain_text("No row in this list has that name or value.")


def test_the_row_is_the_same_in_examples(show: Show) -> None:
    report = report_of("binary")
    row = data_of(report, "prediction")["rows"][4]
    page = show(report, f"#view=prediction&example={row['row']}")
    page.get_by_role("button", name="Rows that the model treats most alike").click()
    expect(page.locator("#panel-examples figcaption h3").first).to_have_text(f"Rows most similar to {row['name']}")
