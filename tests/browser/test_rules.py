"""Rules: cards, the slider, copying, outputs."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Show
from tests.browser.reports import data_of, report_of
from tests.browser.waiting import eventually


def test_cards_show_sentence_bars_support_and_frequency(show: Show) -> None:
    data = data_of(report_of("binary"), "rules")
    page = show(report_of("binary"), "#view=rules")
    cards = page.locator(".card")
    expect(cards).to_have_count(len(data["rules"]))
    for k in (0, len(data["rules"]) - 1):
        card, rule = cards.nth(k), data["rules"][k]
        expect(card.locator(".sentence")).to_have_text(rule["sentence"])
        expect(card.locator(".rule-value")).to_have_text([rule["inside"][0]["text"], rule["outside"][0]["text"]])
        facts = [rule["difference"][0], rule["support"], rule["frequency"]]
        expect(card.locator("footer")).to_have_text(" · ".join(facts))
    expect(page.locator(".verdict")).to_have_text(data["verdict"])


def test_the_slider_shortens_the_list_and_counts(show: Show) -> None:
    data = data_of(report_of("binary"), "rules")
    page = show(report_of("binary"), "#view=rules")
    page.locator("#p0").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    step = data["steps"][2]
    said = f"p0 {step['text']}: {step['count']} of {len(data['rules'])} rules"
    expect(page.locator(".slider-count")).to_have_text(said)
    expect(page.locator(".card")).to_have_count(step["count"])
    expect(page.locator("svg.glance circle.inside")).to_have_count(step["count"])
    page.keyboard.press("End")
    expect(page.locator(".card")).to_have_count(0)


def test_a_link_opens_the_slider(show: Show) -> None:
    data = data_of(report_of("binary"), "rules")
    page = show(report_of("binary"), "#view=rules&p0=1")
    expect(page.locator(".card")).to_have_count(data["steps"][1]["count"])


def test_a_rule_is_copied_as_code(show: Show) -> None:
    data = data_of(report_of("binary"), "rules")
    page = show(report_of("binary"), "#view=rules", permissions=["clipboard-read", "clipboard-write"])
    page.evaluate("window.setTimeout = () => 0")  # "Copied" stays
    page.get_by_role("button", name="SQL of rule 2", exact=True).click()
    expect(page.get_by_text("Copied", exact=True)).to_have_count(1)
    eventually(page, lambda: page.evaluate("navigator.clipboard.readText()"), data["rules"][1]["sql"])
    page.get_by_role("button", name=re.compile("Copy all .* rules as Python")).click()
    expect(page.get_by_text("Copied", exact=True)).to_have_count(2)
    eventually(page, lambda: page.evaluate("navigator.clipboard.readText()"), data["python"])


def test_outputs_and_coefficients_follow_the_model(show: Show) -> None:
    data = data_of(report_of("several"), "rules")
    page = show(report_of("several"), "#view=rules&output=2")
    value = page.locator(".card").first.locator(".rule-value").first
    expect(value).to_have_text(data["rules"][0]["inside"][2]["text"])
    page = show(report_of("numbers"), "#view=rules")
    expect(page.locator(".card").first.locator("footer")).to_contain_text("coefficient")
