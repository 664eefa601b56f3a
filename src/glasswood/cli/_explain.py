"""`glasswood explain`: why one row got its prediction."""

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from glasswood.cli._background import add_rows_and_background, averaged_in_words, read_rows_and_background
from glasswood.cli._choices import add_jobs
from glasswood.cli._command import Command
from glasswood.cli._output import Output, add_output, write_output
from glasswood.cli._page import page, picture
from glasswood.cli._text import text_table
from glasswood.errors import OptionError
from glasswood.tables import n_rows_of, pick_rows

if TYPE_CHECKING:
    from glasswood.results import RowAttribution


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_rows_and_background(parser, "the row to explain")
    parser.add_argument("--row", metavar="N", type=int, required=True, help="number of the row, counted from 0")
    add_jobs(parser)
    add_output(parser)


def _run(options: argparse.Namespace) -> None:
    from glasswood.explain.attributions import attributions

    rows, over = read_rows_and_background(options)
    n_rows = n_rows_of(rows.X)
    if not 0 <= options.row < n_rows:
        raise OptionError(f"{options.data} has {n_rows:,} rows, counted from 0; there is no row {options.row}")
    found = attributions(
        rows.ensemble,
        pick_rows(rows.X, np.array([options.row])),
        background=None if over is None else over.X,
        sample_weight=None if over is None else over.weight,
        method=options.method,
        output=options.output,
        n_jobs=options.jobs,
    )
    row = replace(found[0], row=options.row)
    title, method = f"Row {options.row:,} of {options.data}", averaged_in_words(options, row.over())
    output = Output(
        text=lambda: f"{_text(row, title)}\n{method}",
        frame=row.to_frame,
        document=row.to_dict,
        page=lambda: page(title, [row._repr_html_(), *_pictures(row)]),
    )
    write_output(output, options.file)


def _text(found: "RowAttribution", title: str) -> str:
    parts = []
    for o, output in enumerate(found.outputs):
        low, high = found.ends(o)
        steps = found.steps(o)
        columns: dict[str, list[Any]] = {
            "feature": [step.feature for step in steps],
            "value": [step.text for step in steps],
            "attribution": [step.added for step in steps],
            "cumulated": (found.baseline[o] + np.cumsum([step.added for step in steps])).tolist(),
        }
        of = "" if len(found.outputs) == 1 else f", {output}"
        parts.append(f"{title}{of}: {low} → {high}\n{text_table(columns)}")
    return "\n\n".join(parts)


def _pictures(found: "RowAttribution") -> list[str]:
    return [
        picture(found.plot(output=output), f"the way from the baseline to raw of {output}") for output in found.outputs
    ]


EXPLAIN = Command(
    name="explain",
    usage="MODEL DATA --row N [--background FILE] [options]",
    summary="why one row got its prediction: what each feature added",
    about="From the baseline to the model's raw answer, feature by feature, exactly.",
    examples=(
        "glasswood explain model.txt rows.csv --row 17",
        "glasswood explain model.json rows.csv --row 17 --background train.csv -o row17.html",
        "glasswood explain model.cbm rows.parquet --row 0 --output setosa -o row0.json",
    ),
    add_arguments=_add_arguments,
    run=_run,
)
