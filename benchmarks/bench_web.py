"""The page in the system's Chromium: script time of a hover, first paint and size of a file, and what Python needs.

A hover is a pointer event at another depth, handled to the end. Its time is script time only, without layout and paint,
which depend on the machine's graphics. There is no peer, because no other package draws these figures; the goals are
absolute. A changed value of what-if is measured in the same way: the answer and the waterfall are computed and put into
the page; layout and paint are not in it. Run it on a quiet machine:
``python benchmarks/bench_web.py [--quick] [hover|paint|python|reports|what_if]``.
"""

import shutil
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from made_tables import campaign, credit

import glasswood as gw
from command import run_command
from glasswood.web.page import Page
from glasswood.web.server._toy_data import moons
from record import Goal, Record, Report
from timing import alternate

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
FRAME = Goal("at most", 0.016)
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
    for n, depth, goal in ((200, 7, Goal("at most", 0.004)), (2000, 9, FRAME), (20_000, None, FRAME)):
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
        add_paint(report, name, page)
        report.add(Record(f"size of {name}", len(page.html()) / 1e6, unit="MB", goal=Goal("at most", 2.0)))
    large, rows, target = booster(report.quick)
    add_paint(report, "the report, 300 trees", gw.report(large, rows, target))


# the browser may list it a little after the page has a drawing
FIRST_PAINT = """
() => new Promise((found) => {
  new PerformanceObserver((list, observer) => {
    for (const entry of list.getEntriesByName("first-contentful-paint")) {
      observer.disconnect();
      found(entry.startTime);
    }
  }).observe({ type: "paint", buffered: true });
})
"""


def add_paint(report: Report, name: str, page: Page) -> None:
    """The best first paint of a few."""
    best = float("inf")
    for _ in range(2 if report.quick else 5):
        with opened(page) as shown:
            best = min(best, shown.evaluate(FIRST_PAINT) / 1000)
    report.add(Record(f"first paint of {name}", best, goal=Goal("at most", 1.0)))


def python(report: Report) -> None:
    """What the server computes for one submit."""
    for n, depth in ((200, 7), (10_000, None)):
        (best,) = alternate([lambda n=n, depth=depth: explored(n, depth).to_dict()], 3 if report.quick else 10)
        report.add(Record(f"grow and explore, {n:,} rows", best))


def booster(quick: bool) -> tuple[Any, Any, Any]:
    """300 trees of 31 leaves on 41,000 rows of 20 columns."""
    X, y = campaign(4_000 if quick else 41_000)
    return gw.BoostingClassifier(n_estimators=300, max_depth=12, max_leaf_nodes=31).fit(X, y), X, y


def reports(report: Report) -> None:
    """A whole report: of a booster, and of a forest of 200 deep trees with billions of cells."""
    from sklearn.ensemble import RandomForestClassifier

    model, X, y = booster(report.quick)
    (best,) = alternate([lambda: gw.report(model, X, y)], 1 if report.quick else 3)
    report.add(Record(f"report, 300 trees, {len(X):,} × {X.shape[1]}", best, goal=Goal("at most", 3.0)))
    size = len(gw.report(model, X, y).html()) / 1e6
    report.add(Record("size of the report, 300 trees", size, unit="MB", goal=Goal("at most", 2.0)))
    X, y = credit(3_000 if report.quick else 30_000)
    forest = RandomForestClassifier(20 if report.quick else 200, random_state=0, n_jobs=-1).fit(X, y)
    for threads in (1, 2):
        pages: list[Page] = []

        def ask(threads: int = threads, pages: list[Page] = pages) -> None:
            gw.forget()
            pages.append(gw.report(forest, X, y, n_jobs=threads))

        (best,) = alternate([ask], 1)
        work = f"report, {len(forest.estimators_)} deep trees, {len(X):,} × {X.shape[1]}"
        report.add(Record(work, best, threads=threads, goal=Goal("at most", 20.0)))
    size = len(pages[-1].html()) / 1e6
    report.add(Record("size of the report, deep trees", size, unit="MB", goal=Goal("at most", 2.0)))


CHANGE = """
(rounds) => {
  const sliders = [...document.querySelectorAll(".change input[type=range]")];
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const slider of sliders) {
      slider.value = String(Math.floor((Number(slider.max) * (round + 1)) / (rounds + 1)));
      const begun = performance.now();
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      times.push(performance.now() - begun);
    }
  }
  return times;
}
"""
# over every drawing of a panel in turn, because not all take the pointer
POINT = """
(rounds) => {
  const times = [];
  for (const figure of document.querySelectorAll("main figure svg")) {
    figure.scrollIntoView({ block: "center" }); // what is outside of the window is under no pointer
    const box = figure.getBoundingClientRect();
    for (let k = 0; k < 20 * rounds; k += 1) {
      const clientX = box.left + (box.width * ((k * 7) % 100)) / 100;
      const clientY = box.top + (box.height * (k % 10)) / 10;
      const event = new PointerEvent("pointermove", { bubbles: true, pointerId: 1, clientX, clientY });
      const under = document.elementFromPoint(clientX, clientY);
      const target = figure.contains(under) ? under : figure;
      const begun = performance.now();
      target.dispatchEvent(event);
      times.push(performance.now() - begun);
    }
  }
  return times;
}
"""
POINTED = ("effects", "interactions", "tree", "performance", "rules", "comparison")


def what_if(report: Report) -> None:
    """Script time of a changed value, and of a hover over the drawings of each panel: 300 trees of 31 leaves."""
    model, X, y = booster(report.quick)
    other = gw.BoostingClassifier(n_estimators=30, max_depth=3).fit(X, y)
    page = gw.report(model, X, y, other=other)
    for kind in ("prediction", *POINTED):
        section = next(part for part in page.sections if part.kind == kind)
        with opened(Page(kind, (section,))) as shown:
            times = sorted(shown.evaluate(CHANGE if kind == "prediction" else POINT, 2 if report.quick else 10))
        late = times[int(0.95 * len(times))] / 1000
        what = "changed value" if kind == "prediction" else f"hover over {kind}"
        report.add(Record(f"{what}, median", statistics.median(times) / 1000, goal=FRAME))
        report.add(Record(f"{what}, 95 of 100", late, goal=FRAME))


if __name__ == "__main__":
    run_command(
        "web",
        __doc__,
        {"hover": hover, "paint": paint, "python": python, "reports": reports, "what_if": what_if},
    )
