"""The examples of the README and of the documentation run, one page after the other, and print what the page says.

A block marked ``python`` runs; a block marked ``text`` right after it is what it prints. A fragment that only shows a
line of a longer script is marked ``py`` and does not run.
"""

import contextlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [
    page for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))) if "```python" in page.read_text()
]


def shape(text: str) -> list[list[str]]:
    """Lines with all numbers made equal: digits change with the releases of the libraries, words and layout do not."""
    return [re.sub(r"-?\d[\d.,]*(e-?\d+)?", "#", line).split() for line in text.strip().splitlines()]


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_the_examples_of_a_page_print_what_it_says(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    blocks = re.findall(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```)?", page.read_text(), re.S)
    assert blocks
    names: dict[str, object] = {}
    for code, expected in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, page.name, "exec"), names)
        assert shape(printed.getvalue()) == shape(expected)
