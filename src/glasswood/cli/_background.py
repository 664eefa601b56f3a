"""The background of attributions, as the command line names it."""

import argparse
from pathlib import Path

from glasswood.cli._input import Input, add_model, read_input
from glasswood.cli._output import ENDS
from glasswood.ensemble import Ensemble
from glasswood.errors import OptionError

METHODS = ("auto", "interventional", "path")


def add_rows_and_background(parser: argparse.ArgumentParser, what: str) -> None:
    """Declare the model, the rows and the background to average over."""
    add_model(parser)
    parser.add_argument("data", metavar="DATA", help=f"CSV or Parquet file with {what}")
    parser.add_argument(
        "--background", metavar="FILE", help="CSV or Parquet file with rows to average over; DATA itself may be named"
    )
    parser.add_argument("--weight", metavar="COLUMN", help="column of the background that holds the weight of each row")
    parser.add_argument(
        "--method",
        choices=METHODS,
        default="auto",
        metavar="METHOD",
        help=f"{', '.join(METHODS)}; auto is interventional with --background and path without",
    )
    parser.add_argument("--output", metavar="NAME", help="output to explain, such as a class; by default all")


def read_rows_and_background(options: argparse.Namespace) -> tuple[Input, Input | None]:
    """The rows, and the background with its weights if one is named."""
    if options.weight is not None and options.background is None:
        raise OptionError("--weight names a column of the background; name its file with --background")
    rows = read_input(argparse.Namespace(**{**vars(options), "weight": None}))
    _check_output(options.output, rows.ensemble)
    if options.background is None:
        return rows, None
    return rows, read_input(argparse.Namespace(**{**vars(options), "data": options.background}))


def averaged_in_words(options: argparse.Namespace, over: str) -> str:
    """The method and what it averages over, with the file of the background and the column of its weights."""
    where = "" if options.background is None else f" of {options.background}"
    weighed = "" if options.weight is None else f", weighed by {options.weight}"
    return f"method: {over}{where}{weighed}"


def _check_output(output: str | None, ensemble: Ensemble) -> None:
    """Refuse the name of a file: it is meant for another option."""
    if output is not None and output not in ensemble.outputs and Path(output).suffix.lower() in ENDS:
        raise OptionError(
            f"--output names an output of the model, and there is no output {output!r}; to write a file: -o {output}"
        )
