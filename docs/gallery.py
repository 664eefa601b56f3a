"""Draws the pictures of docs/gallery.md and docs/tutorial.md with the code of these pages.

``python docs/gallery.py`` runs each page from the top. A picture that follows a block of code is what this block drew
last, so that no picture can differ from the lines above it. The picture of a report is the page of `glasswood demo` in
the system's Chromium, at the row nearest to even odds whose answer one changed value turns. ``python docs/gallery.py
report`` draws it alone.
"""

import contextlib
import io
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).parent
PAGES = ("gallery.md", "tutorial.md")
BLOCK = re.compile(r"```python\n(.*?)```\n(?:\n```text\n.*?```\n)?(?:\n!\[[^]]*\]\((img/[^)]+)\))?", re.DOTALL)

ROW = """
() => {
  const { sections } = JSON.parse(document.getElementById("page-data").textContent);
  const { rows } = sections.find((section) => section.kind === "prediction").data;
  const turned = rows.filter(({ nearest }) => nearest.status === "proven" && nearest.changes.length === 1);
  return turned.sort((a, b) => Math.abs(a.raw[0]) - Math.abs(b.raw[0]))[0].row;
}
"""


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


def draw_report() -> None:
    """The panel This prediction of the demo's page, in few colours so that the file stays small."""
    from PIL import Image
    from playwright.sync_api import sync_playwright

    from glasswood.demo import demo

    browsers = map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        file = Path(folder) / "report.html"
        demo(lambda line: None, str(file))
        browser = play.chromium.launch(executable_path=next(filter(None, browsers)), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1180, "height": 1270}, color_scheme="light")
        page.goto(file.as_uri())
        row = page.evaluate(ROW)
        page.goto(f"{file.as_uri()}#view=prediction&example={row}")
        page.reload()
        page.get_by_text(f"From the average to row {row}").wait_for()
        page.get_by_text("What would change the answer?").wait_for()
        shot = page.screenshot()
        browser.close()
    few = Image.open(io.BytesIO(shot)).convert("RGB").quantize(128)
    few.save(DOCS / "img" / "report.png", optimize=True)
    sys.stdout.write("written: img/report.png\n")


if __name__ == "__main__":
    os.environ["MPLBACKEND"] = "Agg"
    for name in PAGES if sys.argv[1:] != ["report"] else ():
        draw(name)
    draw_report()
