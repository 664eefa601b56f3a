"""Hooks of the site: the page of decisions lists every decision record by its title."""

from pathlib import Path
from typing import Any


def on_page_markdown(markdown: str, *, page: Any, config: Any, files: Any) -> str:
    """Add the list to ``decisions/index.md``; leave other pages alone."""
    if page.file.src_uri != "decisions/index.md":
        return markdown
    records = sorted(Path(config["docs_dir"], "decisions").glob("[0-9]*.md"))
    lines = [f"- [{path.read_text().splitlines()[0].lstrip('# ')}]({path.name})" for path in records]
    return markdown + "\n" + "\n".join(lines) + "\n"
