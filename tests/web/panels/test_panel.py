"""A panel is defined in one place: its title, its build function and its script."""

import shutil
from importlib.resources import as_file
from pathlib import Path
from typing import Any

import pytest

import glasswood as gw
from glasswood.web.page import _bundle
from glasswood.web.panels._panel import Panel
from glasswood.web.panels._registry import PANELS
from glasswood.web.panels._subject import Subject
from glasswood.web.server import web_app
from tests.web.cases import numbers
from tests.web.client import Client

SCRIPT = """// Counts rows.

import { html } from "../svg.js";

export function mountRowCount(root, data, context) {
  root.append(html("p", { class: "lead" }, data.lead));
}
"""


def build(subject: Subject) -> dict[str, Any]:
    return {"lead": f"{subject.rows().n_rows} rows."}


ROW_COUNT = Panel("row_count", "Rows", build, "panels/row_count.js")


@pytest.fixture
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Panel:
    """A test panel: its script in the folder, its line in the registry."""
    with as_file(_bundle.static()) as folder:
        shutil.copytree(folder, tmp_path / "static")
    (tmp_path / "static" / "panels" / "row_count.js").write_text(SCRIPT)
    monkeypatch.setattr(_bundle, "static", lambda: tmp_path / "static")
    monkeypatch.setitem(PANELS, ROW_COUNT.kind, ROW_COUNT)
    return ROW_COUNT


def test_a_custom_panel_is_on_the_page(added: Panel) -> None:
    model, X, y = numbers(60)
    page = gw.report(model, X, y)
    assert page.to_dict()["sections"][-1] == {"kind": "row_count", "title": "Rows", "data": {"lead": "60 rows."}}
    text = page.html()
    assert "row_count: mountRowCount," in text and "function mountRowCount(root" in text


def test_a_custom_panel_is_in_the_app(added: Panel) -> None:
    client = Client(web_app())
    assert client.get("/api/page").json()["sections"][-1] == {"kind": "row_count", "title": "Rows"}
    assert client.get("/api/row_count?n=30").json()["data"] == {"lead": "30 rows."}
    assert 'import { mountRowCount } from "./panels/row_count.js";' in client.get("/static/registry.js").text
    assert client.get("/static/panels/row_count.js").text == SCRIPT


def test_what_cannot_be_shown_says_why_in_its_place() -> None:
    section = ROW_COUNT.refused("too many")
    assert (section.kind, section.title, section.data) == ("row_count", "Rows", {"refused": "too many"})


def test_a_page_goes_without_a_panel_that_has_nothing_to_show() -> None:
    assert Panel("a", "A", lambda subject: None, "panels/tree.js").section(Subject("", None, None)) is None
