"""`glasswood app`: the web app on 127.0.0.1."""

import argparse
import importlib
from pathlib import Path
from typing import TYPE_CHECKING

from glasswood.cli._command import Command
from glasswood.cli._input import add_data, add_model, read_input
from glasswood.ensemble import align
from glasswood.errors import OptionError

if TYPE_CHECKING:
    from glasswood.web.panels._subject import Subject


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser, optional=True)
    add_data(parser, what="rows to explain the model on", optional=True)
    parser.add_argument("--target", metavar="COLUMN", help="column of DATA that holds the target")
    parser.add_argument("--port", metavar="N", type=int, default=8000, help="port to listen on (default 8000)")
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")


def _subject(options: argparse.Namespace) -> "Subject | None":
    """What the app shows first; it is read and checked here, so that the command line shows what is wrong with it."""
    from glasswood.web.panels._subject import Subject

    if options.model is None:
        return None
    if options.data is None:
        raise OptionError("the app shows a model on rows: name a table after the model, such as rows.csv")
    given = read_input(options)
    name = f"{Path(options.model).name} ({given.ensemble.source.library}) on {Path(options.data).name}"
    subject = Subject(name, options.model, given.X, given.target, given.weight)
    align(subject.rows(), subject.ensemble().features)
    return subject


def _run(options: argparse.Namespace) -> None:
    from glasswood.web.server import check_port, web_app
    from glasswood.web.server import run as serve

    check_port(options.port)  # before printing an address that is not served
    app = web_app(_subject(options))
    importlib.import_module("glasswood.estimators")  # takes seconds, for which the first visitor would have to wait
    print(f"glasswood: http://127.0.0.1:{options.port}/ (Ctrl-C stops it)", flush=True)
    serve(app, options.port, open_browser=not options.no_browser)


APP = Command(
    name="app",
    usage="[MODEL DATA [--target COLUMN]] [--port N]",
    summary="the web app on 127.0.0.1",
    about="Everything about a model in the browser: yours, or one grown on files you choose there. "
    "Nothing leaves this machine.",
    examples=(
        "glasswood app model.txt rows.csv --target survived",
        "glasswood app --port 8765 --no-browser",
    ),
    add_arguments=_add_arguments,
    run=_run,
)
