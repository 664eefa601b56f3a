"""The app: form, uploads, refusals, deep links, panels on demand."""

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

import glasswood.estimators  # noqa: F401  what the server would spend its first seconds on
from glasswood.web.panels._subject import Subject
from glasswood.web.server import web_app
from tests.browser.conftest import OpenPage, serving
from tests.browser.looks import assert_looks_right
from tests.browser.tree_page import VISIBLE, expect_caption, ready
from tests.browser.waiting import eventually, eventually_true
from tests.web.cases import several

TOY = "#data=moons"
CSV = '<b>u</b>,v,y\n1,"<img src=x onerror=alert(1)>",no\n2,x,no\n3,x,</script>\n4,,no\n5,x,</script>\n6,x,no\n'


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(web_app()) as found:
        yield found


def submit(page: Page, **fields: str) -> None:
    for name, value in fields.items():
        page.fill(f"#field-{name}", value)
    page.get_by_role("button", name="Generate").click()


def drawn(page: Page) -> list[list[float]]:
    """The regions shown, which are drawn a frame after the title."""
    expect(page.locator(".tree-caption")).not_to_be_empty()
    regions: list[list[float]] = page.evaluate(VISIBLE)
    return regions


def test_without_a_model_the_app_asks_for_files_and_toys_are_one_click_away(open_page: OpenPage, address: str) -> None:
    page = open_page(address)
    expect(page.locator("#field-table")).to_be_visible()
    expect(page.locator("#field-seed")).to_be_hidden()
    expect(page.locator("nav a:visible")).to_have_count(0)
    assert_looks_right(page)
    page.get_by_role("button", name="Look at a toy table").press("Enter")
    expect(ready(page).locator("h1")).to_have_text("moons: 200 rows, 2 classes, seed 7")
    expect(page.locator(".form-welcome")).to_be_hidden()
    expect(page.locator("nav a[data-kind=credibility]")).to_be_visible()  # the classroom


def test_the_app_starts_with_the_model_it_was_given(open_page: OpenPage) -> None:
    model, X, y = several()
    with serving(web_app(Subject("my model", model, X, y))) as own:
        page = open_page(own)
        expect(page.locator("h1")).to_have_text("my model")
        expect(page.locator("#panel-overview .parity strong")).to_have_text("glasswood's own model")
        expect(page.locator("#field-data option:checked")).to_have_text("my model")
        expect(page.locator("nav a[data-kind=credibility]")).to_have_count(0)  # a forest was not grown by gains
        page.locator("nav a[data-kind=performance]").click()
        expect(page.locator("#panel-performance .scores li")).to_have_count(4)
        assert_looks_right(page)
        page.select_option("#field-data", "moons")
        expect(page.locator("h1")).to_have_text("moons: 200 rows, 2 classes, seed 7")
        page.select_option("#field-data", "given")
        expect(page.locator("h1")).to_have_text("my model")
        page.close()


def test_a_panel_that_needs_targets_leaves_the_others(open_page: OpenPage) -> None:
    model, X, _ = several()
    with serving(web_app(Subject("my model", model, X))) as own:
        page = open_page(own + "#view=tree", expect_errors=True)
        expect(page.locator("#panel-tree .refused")).to_contain_text("y")
        page.locator("nav a[data-kind=effects]").click()
        expect(page.locator("#panel-effects svg").first).to_be_visible()
        page.close()


DROP = """
(text) => {
  const held = new DataTransfer();
  held.items.add(new File([text], "own.csv"));
  document.querySelector(".form").dispatchEvent(new DragEvent("drop", { dataTransfer: held, bubbles: true }));
}
"""


def test_files_can_be_dropped(open_page: OpenPage, address: str) -> None:
    page = open_page(address)
    expect(page.locator("#field-table")).to_be_visible()
    page.evaluate(DROP, CSV)
    expect(page.locator("#field-target option")).to_have_count(3)
    page.get_by_role("button", name="Show").click()
    expect(ready(page).locator("h1")).to_have_text("y, 6 rows")


def test_a_seed_is_typed_and_three_figures_appear(open_page: OpenPage, address: str) -> None:
    page = ready(open_page(address + TOY))
    titles = ["Decision Tree Structure", "Node impurity vs Tree depth", "Decision regions of subtree"]
    expect(page.locator("#panel-tree figcaption h3")).to_have_text(titles)
    first = drawn(page)
    submit(page, seed="8")
    expect(page.locator("h1")).to_have_text("moons: 200 rows, 2 classes, seed 8")
    eventually_true(page, lambda: drawn(page), lambda found: found != first)
    page.fill("#field-seed", "7")
    page.press("#field-seed", "Enter")
    expect(page.locator("h1")).to_have_text("moons: 200 rows, 2 classes, seed 7")
    eventually(page, lambda: drawn(page), first)
    expect(page).to_have_url(re.compile("seed=7"))


def test_every_setting_has_an_effect(open_page: OpenPage, address: str) -> None:
    page = ready(open_page(address + "#data=xor&seed=3&n=120&classes=3&noise=0.1&max_depth=2&depth=1"))
    expect(page.locator("h1")).to_have_text("xor: 120 rows, 3 classes, seed 3")
    expect_caption(page, "Depth 1 of 2")
    expect(page.locator(".points .point")).to_have_count(120)
    page.select_option("#field-data", "circles")
    expect(page.locator("h1")).to_have_text("circles: 120 rows, 3 classes, seed 3")


def test_a_deep_link_is_the_state_it_names(open_page: OpenPage, address: str) -> None:
    page = ready(open_page(address + "#seed=7&n=200&max_depth=7&depth=3"))
    expect_caption(page, "Depth 3 of 7 · 6 regions · weighted Gini 0.152")
    page.evaluate("location.hash = '#seed=9&n=50&depth=1'")
    expect(page.locator("h1")).to_have_text("moons: 50 rows, 2 classes, seed 9")
    expect(page.locator("#field-seed")).to_have_value("9")
    expect(page.locator(".tree-caption")).to_contain_text("Depth 1 of")  # drawn a frame after the title


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("seed", "abc", "the seed must be a whole number"),
        ("n", "1", "rows must be"),
        ("noise", "-1", "noise must be"),
    ],
)
def test_an_error_is_shown_beside_its_field_and_the_figures_stay(
    open_page: OpenPage, address: str, field: str, value: str, said: str
) -> None:
    page = ready(open_page(address + TOY, expect_errors=True))
    before = page.evaluate(VISIBLE)
    submit(page, **{field: value})
    message = page.locator(f'[data-field="{field}"] .field-message')
    expect(message).to_contain_text(said)
    expect(page.locator(f"#field-{field}")).to_have_attribute("aria-invalid", "true")
    expect(page.locator(f"#field-{field}")).to_have_attribute("aria-describedby", message.get_attribute("id") or "")
    eventually(page, lambda: page.evaluate(VISIBLE), before)
    assert_looks_right(page)
    submit(page, **{field: {"seed": "7", "n": "200", "noise": "0.3"}[field]})
    expect(message).to_have_text("")


def test_an_own_table_is_shown_and_its_text_stays_text(open_page: OpenPage, address: str, tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text(CSV)
    page = ready(open_page(address + TOY))
    page.select_option("#field-data", "table")
    expect(page.locator("#field-seed")).to_be_hidden()
    page.set_input_files("#field-table", tmp_path / "own.csv")
    expect(page.locator("#field-target option")).to_have_count(3)
    page.get_by_role("button", name="Show").click()
    expect(page.locator("h1")).to_have_text("y, 6 rows")
    expect(page.locator(".legend li").first).to_have_text("</script>")
    page.hover('.node[data-node="0"] .hit')
    expect(page.locator(".tooltip")).to_have_text(re.compile("^<b>u</b> <= "))
    expect(page.locator("main img, main b, .tooltip b")).to_have_count(0)
    expect(page).to_have_url(re.compile("table="))
    again = ready(open_page(page.url))
    expect(again.locator("h1")).to_have_text("y, 6 rows")


def test_an_error_about_a_file_is_shown_beside_its_field_and_the_figures_stay(
    open_page: OpenPage, address: str, tmp_path: Path
) -> None:
    (tmp_path / "bad.csv").write_text("a,b\n1\n")
    (tmp_path / "bad.pkl").write_bytes(b"\x80\x04K\x01.")
    page = ready(open_page(address + TOY, expect_errors=True))
    before = page.evaluate(VISIBLE)
    page.select_option("#field-data", "table")
    page.set_input_files("#field-table", tmp_path / "bad.csv")
    expect(page.locator('[data-field="table"] .field-message')).to_contain_text("line 2")
    page.set_input_files("#field-model", tmp_path / "bad.pkl")
    expect(page.locator('[data-field="model"] .field-message')).not_to_be_empty()
    page.get_by_role("button", name="Show").click()
    expect(page.locator('[data-field="table"] .field-message')).to_contain_text("line 2")
    expect(page.locator('[data-field="model"] .field-message')).not_to_be_empty()
    eventually(page, lambda: page.evaluate(VISIBLE), before)


def test_a_refused_model_is_never_replaced_by_another(open_page: OpenPage, address: str, tmp_path: Path) -> None:
    """Show waits until the user chooses another file or none; the message about the file stays."""
    (tmp_path / "own.csv").write_text(CSV)
    (tmp_path / "theirs.cbm").write_bytes(b"CBM1 and nonsense")
    page = ready(open_page(address + TOY, expect_errors=True))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/api/page" in request.url else None)
    page.select_option("#field-data", "table")
    page.set_input_files("#field-model", tmp_path / "theirs.cbm")
    said = page.locator('[data-field="model"] .field-message')
    expect(said).to_contain_text("the model file")
    page.set_input_files("#field-table", tmp_path / "own.csv")
    expect(page.locator("#field-target option")).to_have_count(3)
    title = page.locator("h1").inner_text()
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#field-model")).to_be_focused()
    expect(said).to_contain_text("the model file")
    expect(page.locator("#field-model")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("h1")).to_have_text(title)
    assert asked == []
    page.get_by_role("button", name="Use no model file").click()
    expect(said).to_have_text("")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("h1")).to_have_text("y, 6 rows")
    expect(page.locator("#field-model")).to_have_value("")


def test_show_waits_for_a_file_that_is_still_being_read(open_page: OpenPage, address: str, tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text(CSV)
    (tmp_path / "theirs.cbm").write_bytes(b"CBM1 and nonsense")
    page = ready(open_page(address + TOY, expect_errors=True))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/api/page" in request.url else None)
    page.select_option("#field-data", "table")
    page.set_input_files("#field-table", tmp_path / "own.csv")
    expect(page.locator("#field-target option")).to_have_count(3)
    held: list[Route] = []
    page.route("**/api/model", lambda route: held.append(route))
    page.set_input_files("#field-model", tmp_path / "theirs.cbm")
    page.get_by_role("button", name="Show").click()
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert asked == []
    eventually(page, lambda: len(held), 1)
    held[0].continue_()
    expect(page.locator('[data-field="model"] .field-message')).to_contain_text("the model file")
    expect(page.locator("#field-model")).to_be_focused()
    assert asked == []


def test_a_missing_server_is_reported(open_page: OpenPage) -> None:
    with serving(web_app()) as gone:
        page = ready(open_page(gone + TOY, expect_errors=True))
    submit(page, seed="3")
    expect(page.locator(".form-message")).to_contain_text("the server does not answer")
    expect(page.locator(".regions-drawing")).to_be_visible()


def test_panels_are_computed_when_they_are_opened(open_page: OpenPage, address: str) -> None:
    page = ready(open_page(address + TOY))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/api/" in request.url else None)
    page.locator("nav a[data-kind=effects]").click()
    page.locator("#panel-effects svg").first.wait_for()
    assert [re.sub(r".*/api/(\w+)\?.*", r"\1", url) for url in asked] == ["effects"]
    page.locator("nav a[data-kind=tree]").click()
    page.locator("nav a[data-kind=effects]").click()
    expect(page.locator("#panel-effects svg").first).to_be_visible()
    assert len(asked) == 1


def test_the_page_is_saved_as_one_file_that_works_alone(open_page: OpenPage, address: str, tmp_path: Path) -> None:
    page = ready(open_page(address + "#n=40"))
    with page.expect_download() as found:
        page.get_by_role("link", name="Save as one file").click()
    found.value.save_as(tmp_path / "saved.html")
    alone = ready(open_page((tmp_path / "saved.html").as_uri() + "#view=tree&depth=1"))
    expect_caption(alone, "Depth 1 of")
    expect(alone.locator("form")).to_have_count(0)
    assert (tmp_path / "saved.html").stat().st_size < 2_000_000


@pytest.mark.parametrize(("scheme", "width"), [("light", 1400), ("dark", 390)])
def test_the_app_can_be_read_everywhere(open_page: OpenPage, address: str, scheme: str, width: int) -> None:
    page = ready(open_page(address + TOY, color_scheme=scheme, viewport={"width": width, "height": 900}))
    assert_looks_right(page)
    for name in ("seed", "n", "classes", "noise"):
        expect(page.locator(f"#field-{name}")).to_have_attribute("name", name)


def test_the_server_stays_up_during_many_requests(open_page: OpenPage) -> None:
    """Two hundred simultaneous requests over real sockets, a quarter of them invalid; then the page works."""
    import http.client

    with serving(web_app()) as found:
        port = int(found.rsplit(":", 1)[1].strip("/"))
        seen: list[int] = []

        def ask(k: int) -> None:
            link = http.client.HTTPConnection("127.0.0.1", port)
            if k % 4:
                link.request("GET", f"/api/tree?seed={k % 5}&n=40")
            else:
                link.request("POST", "/api/model", body=b"\x80\x04" * k)
            seen.append(link.getresponse().status)
            link.close()

        threads = [threading.Thread(target=ask, args=(k,)) for k in range(200)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(set(seen)) == [200, 422] and len(seen) == 200
        ready(open_page(found + TOY)).close()  # before the server goes
