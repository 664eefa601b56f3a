"""`glasswood inspect`: what is in a model file."""

import argparse

from glasswood.cli._command import Command
from glasswood.cli._input import add_model


def _run(options: argparse.Namespace) -> None:
    from glasswood.ensemble import describe_features
    from glasswood.readers import read

    ensemble = read(options.model)
    print(ensemble)
    print(describe_features(ensemble))


INSPECT = Command(
    name="inspect",
    usage="MODEL",
    summary="what is in a model file",
    about="Prints library, objective, number of trees, outputs and every feature with its kind.",
    examples=("glasswood inspect model.txt", "glasswood inspect model.cbm"),
    add_arguments=add_model,
    run=_run,
)
