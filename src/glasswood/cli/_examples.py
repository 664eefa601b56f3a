"""`glasswood examples`: the training rows behind a prediction."""

import argparse
from typing import TYPE_CHECKING, Any

import numpy as np

from glasswood.cli._choices import add_jobs, add_min_rows_per_leaf
from glasswood.cli._command import Command
from glasswood.cli._input import add_data, add_model, read_input
from glasswood.cli._output import Output, add_output, shows_progress, write_output
from glasswood.cli._page import page
from glasswood.cli._text import text_table
from glasswood.ensemble import features_of, known_levels
from glasswood.errors import OptionError
from glasswood.tables import n_rows_of, pick_rows, read_table_file

if TYPE_CHECKING:
    from glasswood.results import Neighbours

_METHODS = ("auto", "leaf_weight", "breiman", "boosted")  # not inbag: no file stores which rows were drawn


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    add_data(parser, what="the training rows")
    asked = parser.add_mutually_exclusive_group(required=True)
    asked.add_argument("--rows", metavar="N,N-N", type=_rows, help="rows of DATA to explain, from 0: 4 or 0,7,20-25")
    asked.add_argument("--queries", metavar="FILE", help="CSV or Parquet file with the rows to explain")
    parser.add_argument("-k", metavar="N", type=int, default=5, help="neighbours of each row (default 5)")
    parser.add_argument("--target", metavar="COLUMN", help="column of DATA to show with the neighbours")
    parser.add_argument(
        "--method", choices=_METHODS, default=_METHODS[0], metavar="METHOD", help=f"similarity: {', '.join(_METHODS)}"
    )
    add_min_rows_per_leaf(parser)
    add_jobs(parser)
    add_output(parser)


def _run(options: argparse.Namespace) -> None:
    from glasswood.explain.examples import examples

    given = read_input(options)
    if options.queries is not None:
        features = given.ensemble.features
        aside = [name for name in (options.target, options.weight) if name is not None]
        queries = features_of(read_table_file(options.queries, levels=known_levels(features)), features, aside)
    else:
        n_rows = n_rows_of(given.X)
        beyond = [row for part in options.rows for row in (part.start, part.stop - 1) if row >= n_rows]
        if beyond:
            raise OptionError(f"{options.data} has {n_rows:,} rows, counted from 0; there is no row {beyond[0]}")
        queries = pick_rows(given.X, np.concatenate([np.arange(part.start, part.stop) for part in options.rows]))
    index = examples(
        options.model,
        given.X,
        given.target,
        method=options.method,
        sample_weight=given.weight,
        min_rows_per_leaf=options.min_rows_per_leaf,
        n_jobs=options.jobs,
        progress=shows_progress(options),
    )
    found = index.nearest(queries, k=options.k)
    output = Output(
        text=lambda: _text(found),
        frame=found.to_frame,
        document=found.to_dict,
        page=lambda: page(f"Training rows behind predictions of {options.model}", [found._repr_html_()]),
    )
    write_output(output, options.file)


def _text(found: "Neighbours") -> str:
    query, place = np.nonzero(found.row >= 0)
    columns: dict[str, list[Any]] = {
        "query": query.tolist(),
        "rank": (place + 1).tolist(),
        "row": found.row[query, place].tolist(),
        "similarity": found.similarity[query, place].tolist(),
    }
    if found.target is not None:
        columns["target"] = found.target.data[query, place].tolist()
    return text_table(columns, most=100)


def _rows(text: str) -> list[range]:
    found: list[range] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        if not first.isdecimal() or not (last.isdecimal() or part == first) or (last and int(last) < int(first)):
            raise argparse.ArgumentTypeError(f"{text!r} names no rows; write them as 4 or 0,7,20-25")
        found.append(range(int(first), int(last or first) + 1))
    return found


EXAMPLES = Command(
    name="examples",
    usage="MODEL DATA (--rows N,N-N | --queries FILE) [options]",
    summary="the training rows that the model treats most like a row",
    about="Training rows that share leaves with the rows asked about, most similar first.",
    examples=(
        "glasswood examples model.txt train.csv --target survived --rows 0",
        "glasswood examples model.cbm train.parquet --queries new.csv -k 10 -o similar.csv",
        "glasswood examples model.json train.csv --rows 3,17-20 --min-rows-per-leaf 10 -o similar.html",
    ),
    add_arguments=_add_arguments,
    run=_run,
)
