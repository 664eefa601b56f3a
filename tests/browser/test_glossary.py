"""Terms of art are explained on the page, by pointer and by keys; the glossary of the docs has each of them."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from glasswood.web.page._bundle import static_text
from tests.browser.conftest import Show
from tests.browser.reports import report_of

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("view", "term", "words"),
    [
        ("overview", "raw", "What the trees add up to"),
        ("effects", "log-odds", "0 is 50 %"),
        ("interactions", "interaction", "beyond the sum"),
        ("performance", "AUC", "Area under the ROC curve"),
        ("prediction", "Shapley value", "What a feature adds"),
    ],
)
def test_a_term_says_what_it_means(show: Show, view: str, term: str, words: str) -> None:
    page = show(report_of("binary"), f"#view={view}")
    button = page.locator(f'#panel-{view} .term[data-term="{term}"]')
    expect(button).to_have_count(1)  # only its first use in the panel
    button.focus()
    expect(page.locator(".tooltip")).to_contain_text(words)
    page.keyboard.press("Escape")
    expect(page.locator(".tooltip")).to_be_hidden()
    page.mouse.move(2, 2)
    button.hover()
    expect(page.locator(".tooltip")).to_contain_text(words)


def test_a_term_survives_a_change_of_the_figure(show: Show) -> None:
    page = show(report_of("binary"), "#view=effects")
    for k in (0, 2, 1):
        page.locator("#panel-effects .rank").nth(k).click()
        expect(page.locator('#panel-effects .term[data-term="log-odds"]')).to_have_count(1)


def test_the_glossary_of_the_documentation_has_every_term() -> None:
    terms = re.findall(r'^  \["([^"]+)", "', static_text("glossary.js"), re.MULTILINE)
    words = (ROOT / "docs" / "glossary.md").read_text()
    assert len(terms) > 15
    assert [term for term in terms if not re.search(rf"^\| [^|]*{re.escape(term)}", words, re.MULTILINE)] == []
