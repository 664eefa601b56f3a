"""Run every benchmark with its peers and write one page of all results: ``python benchmarks/all.py [--quick]``.

Each benchmark runs in a separate process and writes ``results/<name>.json``; the tables go to ``docs/benchmarks.md``.
Without ``--quick``, accuracy is compared too. ``--table`` only rewrites the page. Needs a quiet machine and warns if
it is busy. That of a GPU runs only where CuPy is installed.
"""

import argparse
import os
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

from record import RESULTS, load, markdown

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "benchmarks.md"
TITLES = {
    "real": "Boosting on real tables",
    "read": "Reading a model",
    "predict": "Predicting",
    "mixed": "Predicting mixed and deep models",
    "sparse": "Boosting on sparse tables",
    "effects": "Effects and interactions",
    "attributions": "Attributions",
    "trees": "Growing trees and forests",
    "boosting": "Boosting",
    "threads": "One and two threads on real tables",
    "rules": "Rules",
    "examples": "The rows behind a prediction",
    "prove": "Proofs, exports and scorecards",
    "web": "The report page",
    "scaling": "How cost grows with size",
    "scale": "On a cluster",
    "gpu": "On a GPU",
}
INTRODUCTION = """# Benchmarks

This page compares the speed and memory of glasswood with other packages, its peers. `make bench` writes it. Each row
measures the peer and glasswood ("ours") in the same run: their calls alternate, and the best of several counts; a call
that has taken 8 s in all is not repeated. *ratio* is glasswood's time divided by the peer's; with ×, it is how many
times faster glasswood is. A goal that was missed says NO and stays in the table. The line below a table names the
machine of its run and the versions of all libraries. On a GPU, the peer is the CPU of the same machine.
"""


def main() -> int:
    """Run all benchmarks; the exit status says whether all of them ran, not whether goals were met."""
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
        names = [name for name in TITLES if can_run(name)]
        failed = [name for name in names if not ran(TITLES[name], f"bench_{name}.py", *mode)]
        if not given.quick and not ran("Accuracy of boosting", "compare_boosting.py"):
            failed.append("accuracy")
    PAGE.write_text(page())
    print(f"written: {PAGE.name}")
    if failed:
        print("did not run to the end: " + ", ".join(failed), file=sys.stderr)
    return 1 if failed else 0


def can_run(name: str) -> bool:
    """Whether this machine has what a benchmark needs; if not, the page keeps the run of a machine that has it."""
    if name != "gpu" or find_spec("cupy") is not None:
        return True
    print(f"\n{TITLES[name]}: not run, CuPy is not installed; the page shows the saved run")
    return False


def ran(title: str, script: str, *options: str) -> bool:
    """Run a script to its end."""
    begun = time.perf_counter()
    print(f"\n{title}", flush=True)
    done = subprocess.run([sys.executable, str(HERE / script), *options], check=False).returncode == 0
    print(f"({time.perf_counter() - begun:.0f} s)", flush=True)
    return done


def page() -> str:
    """The page of all files in ``results``."""
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
    return "\n".join(parts)


if __name__ == "__main__":
    sys.exit(main())
