"""Writes docs/agreement.md from a run of the agreement tests: what was read, how it was verified, with which versions.

python docs/agreement_table.py [options of pytest, such as -n 2]
"""

import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
TITLES = {"lightgbm": "LightGBM", "xgboost": "XGBoost", "catboost": "CatBoost"}
PACKAGES = {"xgboost": ("xgboost", "xgboost-cpu")}  # where PyPI has the library under several names

HEAD = """\
# What is read, and how it is verified

This page lists every kind of model glasswood reads and the tests that compare it with the library. It is generated:
`python docs/agreement_table.py` runs `tests/agreement`, which trains models with the libraries and records every
comparison that passed.

- **leaves and raw**: every row reaches the same leaf as in the library (`array_equal` of leaf numbers), and raw is
  within the bound u·(|baseline| + Σ|value of the leaf|), with u = 1e-12 if the library adds in float64 and (trees +
  1)·2⁻²⁴ if it adds in float32.
- **raw after every stage**: the library reports no leaf numbers; instead, raw agrees after every stage of boosting.
- **raw**: only raw is compared, on other tables than in the lines above it.
- **refused**: the model is not read, and a test shows the refusal.

The test rows include values exactly on a threshold and one float32 or float64 step next to it, missing values,
timestamps near 1.7e9 and constant columns. For models with categories, they include text, integers with gaps, booleans
and categories the model has never seen.
"""


def main(options: list[str]) -> int:
    """Run the tests and write the page; the exit code is that of pytest."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "agreement.jsonl"
        environment = {**os.environ, "GLASSWOOD_AGREEMENT_LOG": str(log)}
        command = [sys.executable, "-m", "pytest", "-q", "tests/agreement", *options]
        code = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
        if code == 0:
            lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
            (ROOT / "docs" / "agreement.md").write_text(page(lines), encoding="utf-8")
    return code


def page(lines: list[dict[str, Any]]) -> str:
    """The page as text, one section per library."""
    parts = [HEAD, f"Python {platform.python_version()}, glasswood {version('glasswood')}."]
    for library in sorted({line["library"].lower() for line in lines}):
        own = [line for line in lines if line["library"].lower() == library]
        n_tests = len({line["test"] for line in own})
        parts += [f"\n## {TITLES.get(library, library)} {version(library)}\n", f"{n_tests} tests.\n", *table(own)]
    # written by hand: the runs need scikit-learn's and woodtapper's own test files
    parts.append("\n" + (ROOT / "docs" / "peer_suites.md").read_text(encoding="utf-8").rstrip())
    return "\n".join(parts) + "\n"


def table(lines: list[dict[str, Any]]) -> list[str]:
    """Rows of a table: one per model and way of verifying it."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for line in lines:
        found[line["model"], line["how"]].append(line)
    rows = ["| model | what is read | verified by | tests |", "|---|---|---|---|"]
    for (model, how), own in sorted(found.items(), key=lambda item: (item[0][0].lower(), item[0][1])):
        what = "; ".join(sorted({line["what"].strip() for line in own}, key=str.lower)).replace("|", "\\|")
        rows.append(f"| {model} | {what} | {how} | {len({line['test'] for line in own})} |")
    return rows


def version(library: str) -> str:
    """Installed version of a library."""
    for package in PACKAGES.get(library, (library,)):
        try:
            return importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return "(unknown version)"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
