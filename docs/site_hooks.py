"""Hooks of the site: the page of decisions lists every record by its title; the search shows pages for users first."""

from pathlib import Path
from typing import Any

FIRST, LAST = 3.0, 0.02  # how much a match counts in the search


def on_page_markdown(markdown: str, *, page: Any, config: Any, files: Any) -> str:
    """Add the list to ``decisions/index.md``; say how much the page counts in the search."""
    source: str = page.file.src_uri
    if source.startswith("decisions/") or source == "benchmarks.md":
        page.meta.setdefault("search", {"boost": LAST})
    elif source.startswith("how-to/") or source == "tutorial.md":
        page.meta.setdefault("search", {"boost": FIRST})
    if source != "decisions/index.md":
        return markdown
    records = sorted(Path(config["docs_dir"], "decisions").glob("[0-9]*.md"))
    lines = [f"- [{path.read_text().splitlines()[0].lstrip('# ')}]({path.name})" for path in records]
    return markdown + "\n" + "\n".join(lines) + "\n"
