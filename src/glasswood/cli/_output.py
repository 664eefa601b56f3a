"""Output: writes a result to a file, in the format that the file's suffix names, or to the screen as text."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from glasswood.errors import TableError
from glasswood.tables import write_table_file

TABLES = (".csv", ".parquet")
ENDS = (*TABLES, ".json", ".html")


@dataclass(frozen=True, slots=True, eq=False)
class Output:
    """A result in every form it can be written in; each form is made only when it is needed."""

    text: Callable[[], str]  # for the screen
    frame: Callable[[], Any]
    document: Callable[[], Any]  # JSON-ready
    page: Callable[[], str]  # HTML
    more: tuple[tuple[str, Callable[[], str]], ...] = ()  # further suffixes, with the text to write


def add_output(parser: argparse.ArgumentParser, *more: str) -> None:
    """Declare where the result goes and whether progress is shown."""
    ends = (*ENDS, *more)
    parser.add_argument(
        "-o",
        "--out",
        dest="file",
        metavar="FILE",
        type=_checked(ends),
        help=f"file to write; its end says how: {', '.join(ends)} (default: text on the screen)",
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar and no notes")


def add_page(parser: argparse.ArgumentParser, *, default: str | None = None) -> None:
    """Declare where a page is written."""
    parser.add_argument(
        "-o",
        "--out",
        dest="file",
        metavar="FILE",
        type=_checked((".html",)),
        required=default is None,
        default=None if default is None else Path(default),
        help="page to write, an .html file" + (f" (default {default})" if default else ""),
    )


def write_output(output: Output, path: Path | None) -> None:
    """Write the result to a file, or print it if no file is named."""
    if path is None:
        print(output.text())
        return
    end = path.suffix.lower()
    if end in TABLES:
        write_table_file(output.frame(), path)
        return
    makers = {".json": lambda: _json(output.document()), ".html": output.page, **dict(output.more)}
    content = makers[end]()
    try:
        path.write_text(content, encoding="utf-8")
    except OSError as error:
        raise TableError(f"{path}: {error.strerror}") from error


def shows_progress(options: argparse.Namespace) -> bool:
    """Whether to show a progress bar: only if stderr is a terminal and --quiet is not given."""
    return not options.quiet and sys.stderr.isatty()


def _json(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"


def _checked(ends: Sequence[str]) -> Callable[[str], Path]:
    def output_file(text: str) -> Path:
        path = Path(text)
        if path.suffix.lower() not in ends:
            raise argparse.ArgumentTypeError(f"{text!r} does not end in {', '.join(ends)}")
        if not path.absolute().parent.is_dir():
            raise argparse.ArgumentTypeError(f"the folder of {text!r} does not exist")
        return path

    return output_file
