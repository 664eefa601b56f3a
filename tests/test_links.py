"""Links and pictures of the documentation lead somewhere, every page is in the menu, and the site asks no network."""

import re
import unicodedata
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]
MENU = (ROOT / "mkdocs.yml").read_text()

FENCED = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(([^()\s]+(?:\([^()\s]*\))?[^()\s]*)\)")
HEADING = re.compile(r"^#+ +(.+?)(?: *\{#([\w-]+)\})? *$", re.MULTILINE)


def anchor(heading: str) -> str:
    """The id that mkdocs and GitHub give a heading."""
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "")
    ascii_only = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", ascii_only).strip().lower())


def anchors(page: Path) -> set[str]:
    """All ids of a page's headings."""
    text = FENCED.sub("", page.read_text())
    return {own or anchor(heading) for heading, own in HEADING.findall(text)}


def dead_links(page: Path) -> list[str]:
    """The relative links of a page that lead nowhere."""
    dead = []
    for link in LINK.findall(INLINE.sub("", FENCED.sub("", page.read_text()))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, heading = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        inside = target.is_relative_to(DOCS) or not page.is_relative_to(DOCS)  # the site holds nothing else
        if not target.exists() or not inside or (heading and heading not in anchors(target)):
            dead.append(link)
    return dead


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_links_lead_somewhere(page: Path) -> None:
    assert dead_links(page) == []


def test_a_dead_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# A page\n\n## Why `f(x)`, and how?\n\n[a](#why-fx-and-how) [b](page.md#a-page) [c](https://example.org) "
        "[d](gone.md) ![e](gone.png) [f](page.md#gone)\n\n`[g](code.md)`\n\n```text\n[h](code.md)\n## No heading\n```\n"
        "[i](#no-heading)\n"
    )
    assert dead_links(page) == ["gone.md", "gone.png", "page.md#gone", "#no-heading"]


def test_every_page_is_in_the_menu_or_left_out_of_the_site() -> None:
    left_out = re.findall(r"^  (\S+\.md)$", MENU.split("exclude_docs: |\n")[1].split("\ntheme:")[0], re.MULTILINE)
    pages = {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md") if page.parent.name != "decisions"}
    listed = re.findall(r": (\S+\.md)$", MENU, re.MULTILINE)
    assert sorted(listed) == sorted(pages - set(left_out) | {"decisions/index.md"})


def test_the_site_asks_no_network() -> None:
    assert re.search(r"^  font: false", MENU, re.MULTILINE)  # otherwise the theme asks for fonts
    assert re.search(r"^plugins:\n  - search\n  - offline\b", MENU, re.MULTILINE)  # search in a folder of files
    (script,) = re.findall(r"^  polyfills: \[(\S*iframe-worker\S*)\]", MENU, re.MULTILINE)  # otherwise from the network
    assert (DOCS / script).exists()
    assert not re.search(r"https?://", MENU)  # no script, style or logo from elsewhere
    pictures = [
        link for page in DOCS.rglob("*.md") for link in re.findall(r"!\[[^]]*\]\((https?:[^)]+)\)", page.read_text())
    ]
    assert pictures == []
