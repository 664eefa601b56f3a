"""The command of a benchmark file: which rows, quick or full, and where the records go."""

import argparse
from collections.abc import Callable, Mapping

from record import Report

Work = Callable[[Report], None]


def run_command(name: str, doc: str | None, works: Mapping[str, Work]) -> None:
    """Run the works whose names contain one of the words given (all without words); a run of all is saved.

    A run of chosen rows is printed only: a table must come from one run.
    """
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
