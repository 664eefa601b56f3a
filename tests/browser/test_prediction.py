"""This prediction: the page predicts and explains a changed row as Python does; keys suffice; the address remembers."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect

import glasswood as gw
from glasswood.web.page._bundle import static_text
from glasswood.web.page._page import Page
from glasswood.web.panels._subject import Subject
from glasswood.web.panels.prediction import _nearest
from glasswood.web.panels.prediction._section import PREDICTION
from glasswood.web.server import web_app
from tests.browser.conftest import OpenPage, Show, serving
from tests.browser.hard_tables import HARD_TABLES, HardTable, deep_forest, report_on
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
def deep() -> HardTable:
    return deep_forest()


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


def test_the_nearest_change_is_tried_by_keys(show: Show) -> None:
    made = panel_of("binary")
    row = next(row for row in made.data["rows"] if row["nearest"]["changes"])
    page = show(Page("One row", (made,)), f"#view=prediction&example={row['row']}")
    near = page.locator(".nearest")
    expect(near).to_contain_text(row["nearest"]["sentence"])
    expect(near.locator("li")).to_have_count(len(row["nearest"]["changes"]))
    near.get_by_role("button", name="Try these values").press("Enter")
    expect(page.locator(".answer")).to_contain_text("With these values the model says")
    said = row["nearest"]["answer"]
    expect(page.locator(".answer")).to_contain_text(said.split(": ")[-1])
    assert_looks_right(page)


def test_the_app_searches_longer(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_nearest, "_MAX_LEAVES", 1)
    model, X, y = CASES["binary"]()
    with serving(web_app(Subject("mine", model, X, y, n_examples=3))) as address:
        page = open_page(f"{address}#view=prediction")
        near = page.locator(".nearest")
        expect(near).to_contain_text("not searched here")
        near.get_by_role("button", name="Search longer").press("Enter")
        expect(near.locator("li").first).to_be_visible()
        assert_looks_right(page)
        page.close()


def test_a_typed_value_is_answered_as_by_the_model(show: Show) -> None:
    model, X, _ = CASES["binary"]()
    made = panel_of("binary")
    row = made.data["rows"][2]
    page = show(Page("One row", (made,)), f"#view=prediction&example={row['row']}")
    field = page.get_by_label("Another value of fare")
    fare = next(feature for feature in made.data["features"] if feature["name"] == "fare")
    values = [0.0, 12.3456, fare["cuts"][3], float(np.nextafter(fare["cuts"][3], np.inf)), 1e6]
    said = gw.read(model).predict(pd.concat([X.iloc[[row["row"]]].assign(fare=value) for value in values]))
    for value, share in zip(values, said, strict=True):
        field.fill(repr(value))
        field.press("Enter")
        expect(page.locator(".answer")).to_contain_text(f"With these values the model says {100 * share:.1f} %")
        expect(field).to_have_value(repr(value))
    field.fill("nothing")
    field.press("Enter")
    expect(field).to_have_attribute("aria-invalid", "true")
    assert_looks_right(page)
    page.get_by_role("button", name="Back to the row as it is").click()
    expect(field).to_have_value("")


def test_the_server_answers_where_the_trees_do_not_fit(open_page: OpenPage) -> None:
    model, _, X, y = deep()
    subject = Subject("deep", model, X, y, n_examples=3)
    with serving(web_app(subject)) as address:
        page = open_page(f"{address}#view=prediction")
        answer = page.locator(".answer")
        expect(answer).to_contain_text("The model says")
        before, row = answer.inner_text(), subject.raw()[:, 0].argmin()
        field = page.get_by_label("Another value of a", exact=True)
        field.fill("0.25")
        field.press("Enter")
        share = gw.read(model).predict(X.iloc[[row]].assign(a=0.25)).ravel()[0]
        expect(answer).to_contain_text(f"With these values the model says {100 * share:.1f} %")
        expect(page.locator(".waterfall rect.fill")).to_have_count(6)
        page.get_by_label("b", exact=True).press("End")
        share = gw.read(model).predict(X.iloc[[row]].assign(a=0.25, b=99.0)).ravel()[0]
        expect(answer).to_contain_text(f"With these values the model says {100 * share:.1f} %")
        assert_looks_right(page)
        page.get_by_role("button", name="Back to the row as it is").click()
        expect(answer).to_have_text(before)
        page.get_by_role("button", name="Its line in each effect").click()
        expect(page.locator("#panel-effects .row-curve")).to_have_count(3)
        page.close()


def test_a_page_without_trees_names_the_app(open_page: OpenPage, tmp_path: Path) -> None:
    model, _, X, y = deep()
    gw.report(model, X, y, panels=["prediction", "effects"], n_examples=4).save(tmp_path / "page.html")
    page = open_page((tmp_path / "page.html").as_uri() + "#view=prediction")
    expect(page.locator("#panel-prediction [role=note]", has_text="glasswood app")).to_have_count(1)
    page.get_by_role("button", name="Its line in each effect").click()
    caption = page.locator("#panel-effects .figure-caption").first
    expect(caption).to_contain_text("glasswood app, started with the model and the rows, draws them")


def test_a_date_is_typed_as_a_date(open_page: OpenPage, tmp_path: Path) -> None:
    when = pd.date_range("2020-01-01", periods=200, freq="D")
    X = pd.DataFrame({"when": when, "size": np.arange(200.0) % 7})
    y = np.where(when < "2020-04-01", "early", "late")
    tree = gw.TreeClassifier(max_depth=2).fit(X, y)
    Page("One row", (PREDICTION.section(Subject("", tree, X, y, n_examples=3)),)).save(tmp_path / "page.html")
    page = open_page((tmp_path / "page.html").as_uri())
    field = page.get_by_label("Another value of when")
    for text, said in (("2020-04-01", "100.0 % for late"), ("2020-03-31", "0.0 % for late"), ("2020-03-31 13:00", "")):
        field.fill(text)
        field.press("Enter")
        expect(page.locator(".answer")).to_contain_text(said)
        expect(field).to_have_attribute("aria-invalid", "false")
    field.fill("31 March")
    field.press("Enter")
    expect(field).to_have_attribute("aria-invalid", "true")


def test_values_of_a_row_are_written_as_on_the_whole_page() -> None:
    data = {section.kind: section.data for section in report_on("a target of 1e9").sections}
    names = [feature["name"] for feature in data["prediction"]["features"]]
    for row in data["prediction"]["rows"]:
        values = dict(zip(names, row["values"], strict=True))
        assert re.fullmatch(r"(19|20)\d\d", values["year"])  # not 2,000
        assert "e" not in values["area"]
    assert data["rules"]["lead"].startswith("Conditions that many of the model's 8 trees share")
    one = {section.kind: section.data for section in report_on("1,000 levels").sections}
    assert one["rules"]["lead"].startswith("Conditions of the model's one tree, and ")


def test_rounding_is_not_the_strength_of_a_pair() -> None:
    _, _, X, y = HARD_TABLES["ten classes"]()
    apart = gw.BoostingClassifier(n_estimators=3, max_depth=3, symmetric=False).fit(X, y)  # some trees ask c and d
    data = {section.kind: section.data for section in gw.report(apart, X, y).sections}
    texts = {tuple(pair["features"]): pair["size_text"] for pair in data["interactions"]["ranking"]}
    assert texts["c", "d"][0] == "0"
    assert texts["a", "b"][0] != "0"
