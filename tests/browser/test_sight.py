"""What was chosen, what tells lines apart, and what a scale says can be seen at every width."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

import glasswood as gw
from glasswood.web.page._bundle import static_text
from tests.browser.conftest import OpenPage
from tests.browser.hard_tables import hostile, report_on, thousand_levels
from tests.browser.reports import data_of, report_of
from tests.browser.waiting import eventually, eventually_true

# parts of the chosen entry of a list that are above or below what can be seen of the list
HIDDEN = """
(panel) => {
  const list = document.querySelector(`#panel-${panel} .rank-list`);
  const one = list.querySelector("[aria-selected=true]").getBoundingClientRect();
  const box = list.getBoundingClientRect();
  return [Math.max(0, box.top - one.top), Math.max(0, one.bottom - box.bottom)];
}
"""

FUNCTIONS = """
(code) => {
  const { ticks, tickText, sentence } = new Function(`${code}; return { ticks, tickText, sentence };`)();
  const ends = [[-0.1435, -0.0663], [1e9, 8.4e9], [-3.1, 3.2], [0, 1], [-3.4e9, 9.3e9], [1990, 2020], [0.2, 0.9]];
  return {
    few: ends.flatMap(([a, b]) => [1, 2, 3, 4, 5, 6, 8].filter((n) => ticks(a, b, n).length < Math.max(2, n / 2))),
    many: ends.flatMap(([a, b]) => [2, 3, 4, 5, 6, 8].filter((n) => ticks(a, b, n).length > 2 * n + 2)),
    out: ends.flatMap(([a, b]) => ticks(a, b, 2).filter((at) => at < a || at > b)),
    words: sentence("78.7 % of 3.7 bn, −540 M; 5 Mice are 2 per cent, 3 × 10 rows of 1.6 × 10¹⁸"),
    far: [tickText(5e18, [0, 5e18, 1e19]), tickText(-2e-9, [-2e-9, 0])],
  };
}
"""


def saved(report: Any, folder: Path, fragment: str) -> str:
    report.save(folder / "page.html")
    return (folder / "page.html").as_uri() + fragment


@pytest.mark.parametrize(("panel", "state"), [("prediction", "example"), ("examples", "example")])
def test_the_chosen_entry_of_a_list_is_seen_as_a_whole(
    open_page: OpenPage, tmp_path: Path, panel: str, state: str
) -> None:
    rows = [row["row"] for row in data_of(report_of("binary"), "prediction")["rows"]]
    address = saved(report_of("binary"), tmp_path, f"#view=overview&{state}={rows[7]}")
    page = open_page(address, viewport={"width": 390, "height": 900})
    page.locator(f"nav a[data-kind={panel}]").click()
    eventually(page, lambda: page.evaluate(HIDDEN, panel), [0, 0])
    page.evaluate("(row) => { location.hash = location.hash.replace(/example=\\d+/, `example=${row}`); }", rows[-1])
    expect(page.locator(f"#panel-{panel} .rank").last).to_have_attribute("aria-selected", "true")
    eventually(page, lambda: page.evaluate(HIDDEN, panel), [0, 0])


def test_a_scale_has_two_ticks_and_a_number_keeps_its_unit(open_page: OpenPage) -> None:
    said = open_page("about:blank").evaluate(FUNCTIONS, static_text("svg.js").replace("export ", ""))
    assert (said["few"], said["many"], said["out"]) == ([], [], [])
    words = "78.7~% of 3.7~bn, −540~M; 5 Mice are 2 per cent, 3 × 10 rows of 1.6~×~10¹⁸"
    assert said["words"] == words.replace("~", "\u00a0")
    assert said["far"] == ["5 × 10¹⁸", "−2 × 10⁻⁹"]


def test_groups_of_a_long_name_are_told_apart(open_page: OpenPage, tmp_path: Path) -> None:
    model, _, X, y = hostile()
    page = open_page(saved(gw.report(model, X, y, panels=["performance"]), tmp_path, ""))
    for width in (1400, 390):
        page.set_viewport_size({"width": width, "height": 900})
        names = page.locator("svg.groups text.name")
        said = eventually_true(page, names.all_text_contents, lambda found: len(found) == 10)
        assert len(set(said)) == 10 and said[0].startswith("at most ")


def test_a_wide_table_uses_the_window_and_keeps_its_first_column(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(saved(report_on("ten classes"), tmp_path, "#view=performance"))
    table = page.locator('[data-name="confusion"] .table-scroll')
    for width in (1400, 760):
        page.set_viewport_size({"width": width, "height": 900})
        eventually(page, lambda: table.evaluate("(box) => box.scrollWidth - box.clientWidth"), 0)
    page.set_viewport_size({"width": 390, "height": 900})
    eventually_true(page, lambda: table.evaluate("(box) => box.scrollWidth - box.clientWidth"), lambda more: more > 50)
    table.evaluate("(box) => { box.scrollLeft = 1000; }")
    first = "(box) => box.querySelector('tbody td').getBoundingClientRect().left - box.getBoundingClientRect().left"
    eventually_true(page, lambda: table.evaluate(first), lambda left: 0 <= left < 2)
    expect(table.locator("th").nth(3)).to_have_css("text-align", "right")


def test_marks_of_two_models_stand_beside_their_own_name(open_page: OpenPage, tmp_path: Path) -> None:
    model, other, X, y = thousand_levels()
    report = gw.report(model, X, y, other=other, panels=["comparison"])
    page = open_page(saved(report, tmp_path, ""), viewport={"width": 390, "height": 900})
    marks = page.locator("svg.both-effects circle")
    expect(marks.first).to_be_visible()
    own, others = (
        sorted(marks.evaluate_all(f"all => all.filter((c) => c.matches('.{look}')).map((c) => c.cx.baseVal.value)"))
        for look in ("this-model", "other-model")
    )
    # the mark of the other model is nearer to the one of this model than to the next name
    assert len(own) == len(others) > 20
    assert all(a < b < c and b - a <= c - b + 1e-6 for a, b, c in zip(own, others, own[1:], strict=False))
