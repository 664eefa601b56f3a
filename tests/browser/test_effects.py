"""Effects: the list, hovering, the keyboard, links and outputs."""

from playwright.sync_api import expect

from tests.browser.conftest import Show
from tests.browser.reports import data_of, report_of


def test_features_are_picked_from_the_list_by_pointer_and_keys(show: Show) -> None:
    data = data_of(report_of("binary"), "effects")
    page = show(report_of("binary"), "#view=effects")
    names = [part["name"] for part in data["features"]]
    expect(page.locator(".rank-text")).to_have_text(names)
    page.locator(".rank").nth(2).click()
    title = page.locator("#panel-effects figcaption h3").first
    assert title.inner_text() == f"Effect of {names[2]}"
    page.locator(".rank-list").focus()
    page.keyboard.press("ArrowUp")
    assert title.inner_text() == f"Effect of {names[1]}"
    page.keyboard.press("End")
    assert title.inner_text() == f"Effect of {names[-1]}"
    page.wait_for_url(lambda address: "feature=" in address)


def test_hovering_reads_a_cell_in_words(show: Show) -> None:
    data = data_of(report_of("binary"), "effects")
    part = next(part for part in data["features"] if part["name"] == "age")
    page = show(report_of("binary"), "#view=effects&feature=age")
    page.locator("svg.effect").wait_for()
    box = page.locator("svg.effect").bounding_box()
    page.mouse.move(box["x"] + box["width"] - 30, box["y"] + 100)  # missing values are at the right
    said = page.locator("#panel-effects .reading").inner_text()
    assert said == f"age is missing · {part['outputs'][0]['text'][-1]} on the log-odds · {part['weight'][-1]}"
    assert page.locator(".tooltip").inner_text().splitlines()[0] == "age is missing"
    page.mouse.move(5, 5)
    assert page.locator(".tooltip").is_hidden()
    assert page.locator("#panel-effects .reading").inner_text() == said


def test_arrow_keys_walk_through_all_cells(show: Show) -> None:
    part = next(p for p in data_of(report_of("binary"), "effects")["features"] if p["name"] == "age")
    page = show(report_of("binary"), "#view=effects&feature=age")
    figure = page.locator("svg.effect")
    figure.focus()
    for k, words in enumerate(part["axis"]["words"]):
        page.keyboard.press("ArrowRight")
        assert figure.get_attribute("aria-valuenow") == str(k + 1)
        assert figure.get_attribute("aria-valuetext").startswith(words)
    page.keyboard.press("Home")
    assert figure.get_attribute("aria-valuenow") == "1"


def test_a_link_opens_feature_output_and_scale(show: Show) -> None:
    data = data_of(report_of("several"), "effects")
    page = show(report_of("several"), "#view=effects&feature=fare&output=2&scale=same&cells=equal")
    assert page.locator("#panel-effects figcaption h3").first.inner_text() == "Effect of fare, output 2"
    assert page.get_by_role("checkbox").is_checked()
    assert page.get_by_label("Output").first.input_value() == "2"
    page.locator("svg.effect").wait_for()
    shown = page.locator("svg.effect .axis text").all_text_contents()
    assert [text for _, text in data["ranges"][2]["ticks"]] == shown[: len(data["ranges"][2]["ticks"])]
    page.get_by_label("Output").first.select_option("0")
    assert page.locator("#panel-effects figcaption h3").first.inner_text() == "Effect of fare, output 0"


def test_the_table_shows_the_numbers_of_the_figure(show: Show) -> None:
    part = data_of(report_of("numbers"), "effects")["features"][0]
    page = show(report_of("numbers"), "#view=effects")
    page.locator("#panel-effects summary").click()
    cells = page.locator("#panel-effects tbody tr")
    expect(cells).to_have_count(len(part["axis"]["words"]))
    assert cells.first.locator("td").all_inner_texts() == [
        part["axis"]["words"][0],
        part["outputs"][0]["text"][0],
        part["weight"][0],
    ]
