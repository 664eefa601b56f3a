"""`glasswood demo`: the first thing to try."""

import argparse

from glasswood.cli._command import Command
from glasswood.cli._output import add_page


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_page(parser, default="report.html")


def _run(options: argparse.Namespace) -> None:
    from glasswood.demo import demo

    demo(print, options.file)


DEMO = Command(
    name="demo",
    summary="train on the bundled Titanic passengers, explain the model, write report.html",
    add_arguments=_add_arguments,
    run=_run,
    usage="[-o FILE]",
)
