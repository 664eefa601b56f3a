import base64
import hashlib
import html
import json
import re
from pathlib import Path

import pytest

from glasswood.web.page import Page, Section

HOSTILE = "</script><script>alert(1)</script><!--<script>"


@pytest.fixture
def page() -> Page:
    return Page(f"About {HOSTILE}", (Section("tree", "Tree", {"names": [HOSTILE]}, "panels/tree.js"),))


def inlined(text: str) -> str:
    found = re.search(r'<script type="application/json" id="page-data">(.*?)</script>', text, re.S)
    assert found is not None
    return found.group(1)


def test_the_numbers_in_the_page_are_those_of_to_dict(page: Page) -> None:
    assert json.loads(inlined(page.html())) == page.to_dict()


def test_text_of_the_user_cannot_leave_its_element(page: Page) -> None:
    text = page.html()
    assert "<" not in inlined(text)
    assert text.count("<script") == 2
    assert f"<title>About {html.escape(HOSTILE)}</title>" in text


def test_the_same_page_is_the_same_bytes(page: Page) -> None:
    assert page.html() == page.html()


def test_a_page_allows_only_the_script_and_style_it_carries(page: Page) -> None:
    text = page.html()
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    assert policy is not None and "default-src 'none'" in policy.group(1)
    for element in (re.search(r"<style>(.*?)</style>", text, re.S), re.search(r'"module">(.*?)</script>', text, re.S)):
        assert element is not None
        digest = base64.b64encode(hashlib.sha256(element.group(1).encode()).digest()).decode()
        assert f"sha256-{digest}" in policy.group(1)


def test_an_empty_page_is_small(page: Page) -> None:
    assert len(page.html()) < 300_000


def test_a_page_carries_only_the_scripts_of_its_panels(page: Page) -> None:
    assert "function mountTree(" in page.html() and "function mountRules(" not in page.html()


def test_a_page_is_saved_unchanged(page: Page, tmp_path: Path) -> None:
    page.save(tmp_path / "x.html")
    assert (tmp_path / "x.html").read_text(encoding="utf-8") == page.html()


def test_a_notebook_shows_the_page_in_a_frame_of_its_own(page: Page) -> None:
    shown = page._repr_html_()
    assert shown.startswith('<iframe sandbox="allow-scripts allow-downloads"')
    srcdoc = re.search(r'srcdoc="([^"]*)"', shown)
    assert srcdoc is not None and html.unescape(srcdoc.group(1)) == page.html()


def test_what_is_not_a_number_is_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        Page("x", (Section("tree", "Tree", {"a": float("nan")}, "panels/tree.js"),)).html()


def test_a_page_opens_where_it_was_left() -> None:
    page = Page("Two", ()).at("#view=effects&feature=age")
    assert page.to_dict()["state"] == "view=effects&feature=age"
    assert '"state":"view=effects&feature=age"' in page.html()
