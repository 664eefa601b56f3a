"""`glasswood export`: a model as Python, SQL, C, ONNX or JSON."""

import argparse
from pathlib import Path

from glasswood.cli._command import Command
from glasswood.cli._input import add_data, add_model, read_input

DIALECTS = ("sqlite", "duckdb", "postgres", "snowflake", "bigquery")


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
        help="file to write; its end says how: .py, .sql, .c, .onnx, .json",
    )
    parser.add_argument("--dialect", choices=DIALECTS, help="whose SQL is written (default sqlite)")
    parser.add_argument("--table", metavar="NAME", help="table of the rows in SQL (default rows)")
    parser.add_argument("--opset", type=int, choices=(5, 3), help="version of ONNX's tree operators (default 5)")
    parser.add_argument("--quiet", action="store_true", help="no notes")


def _run(options: argparse.Namespace) -> None:
    from glasswood.artefacts import export

    given = read_input(options)
    export(given.ensemble, options.file, given.X, dialect=options.dialect, table=options.table, opset=options.opset)
    if not options.quiet:
        how = "rounded to float32" if options.opset == 3 else "to the last bit"
        print(f"{options.file}: written; its raw equals that of the model, {how}")


EXPORT = Command(
    name="export",
    usage="MODEL [DATA] -o FILE",
    summary="the model as Python, SQL, C, ONNX or JSON, checked before it is written",
    about="The file is run on the rows first, by Python, a database, cc or onnxruntime, and must equal the model.",
    examples=("glasswood export model.txt -o model.sql", "glasswood export model.json rows.csv -o model.onnx"),
    add_arguments=_add_arguments,
    run=_run,
)
