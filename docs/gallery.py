"""Draws the pictures of docs/gallery.md and docs/tutorial.md with the code of these pages.

``python docs/gallery.py`` runs each page from the top. A picture that follows a block of code is what this block drew
last, so that no picture can differ from the lines above it.
"""

import contextlib
import io
import os
import re
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).parent
PAGES = ("gallery.md", "tutorial.md")
BLOCK = re.compile(r"```python\n(.*?)```\n(?:\n```text\n.*?```\n)?(?:\n!\[[^]]*\]\((img/[^)]+)\))?", re.DOTALL)


def blocks(page: str) -> list[tuple[str, str]]:
    """The blocks of code of a page, each with the picture that follows it, or ""."""
    return BLOCK.findall((DOCS / page).read_text())


def draw(page: str) -> None:
    """Run the blocks of a page in a folder of its own and keep the pictures."""
    from matplotlib import pyplot as plt

    names: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for code, picture in blocks(page):
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(code, page, "exec"), names)
            if picture:
                # without the version of matplotlib, so that the same picture has the same bytes
                plt.gcf().savefig(DOCS / picture, dpi=90, bbox_inches="tight", metadata={"Software": None})
                sys.stdout.write(f"written: {picture}\n")
            plt.close("all")


if __name__ == "__main__":
    os.environ["MPLBACKEND"] = "Agg"
    for name in PAGES:
        draw(name)
