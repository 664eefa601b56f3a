"""`glasswood export`: a model as Python, SQL, C or JSON."""

import argparse
from pathlib import Path

from glasswood.cli._command import Command
from glasswood.cli._input import add_data, add_model, read_input


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    add_data(parser, what="rows to check with; without it rows are made up that reach every leaf", optional=True)
    parser.add_argument(
        "-o",
        "--out",
        dest="file",
        metavar="FILE",
        type=Path,
        required=True,
        help="file to write; its end says how: .py, .sql, .c, .json",
    )
    parser.add_argument("--quiet", action="store_true", help="no notes")


def _run(options: argparse.Namespace) -> None:
    from glasswood.artefacts import export

    given = read_input(options)
    export(given.ensemble, options.file, given.X)
    if not options.quiet:
        print(f"{options.file}: written; its raw equals that of the model, to the last bit")


EXPORT = Command(
    name="export",
    usage="MODEL [DATA] -o FILE",
    summary="the model as Python, SQL, C or JSON, checked before it is written",
    about="The artefact is run on the rows, by Python, SQLite or the compiler cc, and must equal the model.",
    examples=("glasswood export model.txt -o model.sql", "glasswood export model.json rows.csv -o model.c"),
    add_arguments=_add_arguments,
    run=_run,
)
