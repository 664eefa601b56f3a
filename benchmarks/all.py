"""Every benchmark with its peers, and one table of them all: ``python benchmarks/all.py [--quick]``.

Each benchmark runs in a process of its own and writes ``results/<name>.json``; the table goes to
``docs/benchmarks.md``. Without ``--quick``, accuracy is compared too. ``--table`` only writes the table anew. Wants a
quiet machine and says so when it is not.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from record import RESULTS, load, markdown

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "benchmarks.md"
TITLES = {
    "read": "Reading a model",
    "predict": "Predicting",
    "effects": "Effects and interactions",
    "attributions": "Attributions",
    "trees": "Growing trees and forests",
    "boosting": "Boosting",
    "threads": "Threads on the tables people have",
    "rules": "Rules",
    "examples": "The rows behind a prediction",
    "web": "The page",
    "scaling": "How cost grows",
}
INTRODUCTION = """# Benchmarks

Written by `make bench`: every row ran the peer and us in one run, calls taking turns, best of several; the goal
stands beside the figure. *ratio* is our time over the peer's, or how many times faster we are where the goal is a
factor (×). Goals that were missed say NO and stay in the table.
"""


def main() -> int:
    """Run them all; the exit status says whether every one ran, not whether goals were met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="under ten minutes: fewer repeats, smaller work")
    parser.add_argument("--table", action="store_true", help="write the table from the results that are there")
    given = parser.parse_args()
    failed: list[str] = []
    if not given.table:
        busy = os.getloadavg()[0]
        if busy > 0.5:
            print(f"This machine is busy (load {busy:.1f}); the figures will not mean much.", file=sys.stderr)
        mode = ["--quick"] if given.quick else []
        failed = [name for name, title in TITLES.items() if not ran(title, f"bench_{name}.py", *mode)]
        if not given.quick and not ran("Accuracy of boosting", "compare_boosting.py"):
            failed.append("accuracy")
    write_page()
    if failed:
        print("did not run to the end: " + ", ".join(failed), file=sys.stderr)
    return 1 if failed else 0


def ran(title: str, script: str, *options: str) -> bool:
    """Run a script to its end."""
    begun = time.perf_counter()
    print(f"\n{title}", flush=True)
    done = subprocess.run([sys.executable, str(HERE / script), *options], check=False).returncode == 0
    print(f"({time.perf_counter() - begun:.0f} s)", flush=True)
    return done


def write_page() -> None:
    """The table of everything in ``results``."""
    parts = [INTRODUCTION]
    for name, title in TITLES.items():
        path = RESULTS / f"{name}.json"
        if not path.exists():
            continue
        head, records = load(path)
        machine, versions = head["machine"], head["versions"]
        parts.append(f"## {title}\n\n{markdown(records)}\n")
        libraries = ", ".join(f"{library} {release}" for library, release in versions.items())
        where = f"{machine['cpu']}, {machine['cores']} cores, load {machine['load']:g} at the end"
        parts.append(f"<small>{head['mode']} run on {where}; {libraries}</small>\n")
    PAGE.write_text("\n".join(parts))
    print(f"written: {PAGE.name}")


if __name__ == "__main__":
    sys.exit(main())
