"""`glasswood demo`: the first thing to try."""

import argparse

from glasswood.cli._command import Command


def _run(options: argparse.Namespace) -> None:
    from glasswood.demo import demo

    demo(print)


DEMO = Command(
    name="demo",
    summary="train a model on the bundled Titanic passengers and show what is read",
    add_arguments=lambda parser: None,
    run=_run,
)
