"""The page in the system's Chromium: script time of a hover, first paint and size of a file, and what Python needs.

A hover is a pointer event at another depth, handled to the end. Its time is script time only, without layout and paint,
which depend on the machine's graphics. There is no peer, because no other package draws these figures; the goals are
absolute. Run it on a quiet machine: ``python benchmarks/bench_web.py [--quick] [hover|paint|python]``.
"""

import shutil
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import glasswood as gw
from command import run_command
from glasswood.web.page import Page
from glasswood.web.server._toy_data import moons
from record import Goal, Record, Report
from timing import alternate

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
HOVER = """
(rounds) => {
  const times = [];
  const drawing = document.querySelector(".profile-drawing");
  const box = drawing.getBoundingClientRect();
  const dots = [...document.querySelectorAll(".profile-dot")].map((dot) => dot.getBoundingClientRect().top + 4);
  const nodes = [...document.querySelectorAll(".node")];
  const step = Math.max(3, Math.floor(nodes.length / 30)); // a large tree has thousands of nodes
  const move = (target, x, y) => {
    const event = new PointerEvent("pointermove", { bubbles: true, clientX: x, clientY: y, pointerId: 1 });
    const begun = performance.now();
    target.dispatchEvent(event);
    times.push(performance.now() - begun);
  };
  for (let round = 0; round < rounds; round += 1) {
    for (const y of dots) move(drawing, box.left + 20, y);
    for (let k = 0; k < nodes.length; k += step) move(nodes[k], 200, 200);
  }
  return times;
}
"""


@contextmanager
def opened(page: Page) -> Iterator[Any]:
    """The exported file in a browser."""
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        page.save(Path(folder) / "page.html")
        browser = play.chromium.launch(executable_path=path, args=FLAGS)
        shown = browser.new_page(viewport={"width": 1400, "height": 900})
        shown.goto((Path(folder) / "page.html").as_uri())
        shown.locator("main svg").first.wait_for()
        yield shown
        browser.close()


def explored(n: int, max_depth: int | None) -> Page:
    """Page about a tree on moons."""
    X, y = moons(n, 2, 0.3, 7)
    return gw.explore(gw.TreeClassifier(max_depth=max_depth).fit(X, y), X, y)


def hover(report: Report) -> None:
    """Script time of a hover: median and the slowest of twenty."""
    for n, depth, goal in ((200, 7, Goal("at most", 0.004)), (2000, 9, None), (20_000, None, None)):
        with opened(explored(n, depth)) as page:
            times = sorted(page.evaluate(HOVER, 4 if report.quick else 20))
        late = times[int(0.95 * len(times))] / 1000
        report.add(Record(f"hover, {n:,} rows, median", statistics.median(times) / 1000, goal=goal))
        report.add(Record(f"hover, {n:,} rows, 95 of 100", late, goal=goal))


def paint(report: Report) -> None:
    """First paint of a file from the disk, and its size."""
    X, y = moons(200, 2, 0.3, 7)
    model = gw.TreeClassifier(max_depth=7).fit(X, y)
    for name, page in (("explore", gw.explore(model, X, y)), ("report", gw.report(model, X, y))):
        best = float("inf")
        for _ in range(2 if report.quick else 5):
            with opened(page) as shown:
                entries = shown.evaluate("performance.getEntriesByType('paint').map((e) => [e.name, e.startTime])")
            best = min(best, dict(entries)["first-contentful-paint"] / 1000)
        report.add(Record(f"first paint of {name}", best, goal=Goal("at most", 1.0)))
        report.add(Record(f"size of {name}", len(page.html()) / 1e6, unit="MB", goal=Goal("at most", 2.0)))


def python(report: Report) -> None:
    """What the server computes for one submit."""
    for n, depth in ((200, 7), (10_000, None)):
        (best,) = alternate([lambda n=n, depth=depth: explored(n, depth).to_dict()], 3 if report.quick else 10)
        report.add(Record(f"grow and explore, {n:,} rows", best))


if __name__ == "__main__":
    run_command("web", __doc__, {"hover": hover, "paint": paint, "python": python})
