"""`glasswood export`: a model as Python, SQL, C, ONNX or JSON."""

import argparse
from pathlib import Path

from glasswood.cli._command import Command
from glasswood.cli._input import add_data, add_model, read_input

DIALECTS = ("sqlite", "duckdb", "postgres", "snowflake", "bigquery")
FORMS = ("auto", "case", "join")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    what = "rows to check with; without it rows are made up that reach every leaf"
    add_data(parser, what=what, optional=True, weighted=False)
    parser.add_argument(
        "-o",
        "--out",
        dest="file",
        metavar="FILE",
        type=Path,
        required=True,
        help="file to write; its end says how: .py, .sql, .c, .h, .onnx, .json",
    )
    parser.add_argument("--dialect", choices=DIALECTS, help="whose SQL is written (default sqlite)")
    parser.add_argument("--table", metavar="NAME", help="table of the rows in SQL (default rows)")
    parser.add_argument("--form", choices=FORMS, help="SQL as nested CASEs or as a join with a table of nodes")
    parser.add_argument("--key", metavar="COLUMN", help="column that identifies a row, for joins in SQL")
    parser.add_argument("--opset", type=int, choices=(5, 3), help="version of ONNX's tree operators (default 5)")
    parser.add_argument("--classes", choices=("plain", "zipmap"), help="ONNX: zipmap adds a dict by class for each row")
    parser.add_argument("--quiet", action="store_true", help="no notes")


def _run(options: argparse.Namespace) -> None:
    from glasswood.artefacts import export, sums_in_order

    given = read_input(options)
    chosen = {name: getattr(options, name) for name in ("dialect", "table", "form", "key", "opset", "classes")}
    export(given.ensemble, options.file, given.X, **chosen)
    if not options.quiet:
        how = "rounded to float32" if options.opset == 3 else "to the last bit"
        named = {name: option for name, option in chosen.items() if option}
        if not sums_in_order(given.ensemble, options.file.suffix.lower(), named):
            how = "to the rounding of a sum in another order"
        print(f"{options.file}: written; its raw equals that of the model, {how}")


EXPORT = Command(
    name="export",
    usage="MODEL [DATA] -o FILE [options]",
    summary="the model as Python, SQL, C, ONNX or JSON, checked before it is written",
    about="The file is run on the rows first, by Python, a database, cc or onnxruntime, and must equal the model.",
    examples=("glasswood export model.txt -o model.sql", "glasswood export model.json rows.csv -o model.onnx"),
    add_arguments=_add_arguments,
    run=_run,
)
