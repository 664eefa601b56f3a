"""The command line of a benchmark file: which rows, quick or full, and where the records go."""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import Any

from record import Report

Work = Callable[[Report], None]
CHILD = "--child"


def ask_child(file: str, *arguments: str) -> Any:
    """Run the `child` of a benchmark file in a separate process, so that its memory can be measured."""
    command = [sys.executable, file, CHILD, *arguments]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1])


def run_command(name: str, doc: str | None, works: Mapping[str, Work], child: Callable[..., Any] | None = None) -> None:
    """Run the works whose names contain one of the given words, or all without words; only a run of all is saved.

    A run of selected rows is only printed, because a table must come from one run. `child` is what `ask_child` runs.
    """
    if child is not None and sys.argv[1:2] == [CHILD]:
        print(json.dumps(child(*sys.argv[2:])))
        return
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="run only the rows whose name contains one of these words")
    parser.add_argument("--quick", action="store_true", help="fewer repeats and smaller work")
    given = parser.parse_args()
    report = Report(name, given.quick)
    for title, work in works.items():
        if not given.words or any(word.lower() in title.lower() for word in given.words):
            work(report)
    if not given.words:
        print(f"written: {report.save().name}")
