"""`glasswood app`: the web app on 127.0.0.1."""

import argparse
import importlib

from glasswood.cli._command import Command


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", metavar="N", type=int, default=8000, help="port to listen on (default 8000)")
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")


def _run(options: argparse.Namespace) -> None:
    from glasswood.web.server import check_port, web_app
    from glasswood.web.server import run as serve

    check_port(options.port)  # before printing an address that is not served
    app = web_app()
    importlib.import_module("glasswood.estimators")  # takes seconds, for which the first visitor would have to wait
    print(f"glasswood: http://127.0.0.1:{options.port}/ (Ctrl-C stops it)", flush=True)
    serve(app, options.port, open_browser=not options.no_browser)


APP = Command(
    name="app",
    usage="[--port N]",
    summary="the web app on 127.0.0.1",
    about="Trees depth by depth, and everything else about a model, in the browser. Nothing leaves this machine.",
    examples=("glasswood app", "glasswood app --port 8765 --no-browser"),
    add_arguments=_add_arguments,
    run=_run,
)
