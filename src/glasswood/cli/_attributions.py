"""`glasswood attributions`: what each feature adds to the raw prediction of each row."""

import argparse
from typing import TYPE_CHECKING

from glasswood.cli._background import add_rows_and_background, read_rows_and_background
from glasswood.cli._choices import add_features, add_jobs, named
from glasswood.cli._command import Command
from glasswood.cli._output import Output, add_output, shows_progress, write_output
from glasswood.cli._page import page, picture
from glasswood.cli._text import importance_table

if TYPE_CHECKING:
    from glasswood.results import Attributions


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_rows_and_background(parser, "the rows to explain")
    parser.add_argument("--interactions", action="store_true", help="also the pair matrix of every row (.json, .html)")
    add_features(parser)
    add_jobs(parser)
    add_output(parser)


def _run(options: argparse.Namespace) -> None:
    from glasswood.explain.attributions import attributions

    rows, over = read_rows_and_background(options)
    found = attributions(
        rows.ensemble,
        rows.X,
        background=None if over is None else over.X,
        sample_weight=None if over is None else over.weight,
        method=options.method,
        interactions=options.interactions,
        features=named(options.features),
        output=options.output,
        n_jobs=options.jobs,
        progress=shows_progress(options),
    )
    output = Output(
        text=lambda: f"{repr(found)[1:-1]}\n{importance_table(found.importance())}",
        frame=found.to_frame,
        document=found.to_dict,
        page=lambda: _page(found, options.model),
    )
    write_output(output, options.file)


def _page(found: "Attributions", model: str) -> str:
    parts = [found._repr_html_()]
    for output in found.outputs if len(found) else ():
        of = "" if len(found.outputs) == 1 else f" of {output}"
        parts.append(picture(found.plot(output=output), f"attributions{of}, a dot per row and feature"))
        if found.interactions is not None:
            parts.append(picture(found.plot("pairs", output=output), f"mean size of the interactions{of}"))
    return page(f"Attributions of {model}", parts)


ATTRIBUTIONS = Command(
    name="attributions",
    usage="MODEL DATA [--background FILE] [options]",
    summary="what each feature adds to the raw answer of each row (exact Shapley values)",
    about="The screen shows how much each feature adds on average; files hold one line per row.",
    examples=(
        "glasswood attributions model.txt rows.csv -o attributions.csv",
        "glasswood attributions model.json rows.parquet --background train.parquet -o attributions.parquet",
        "glasswood attributions model.cbm rows.csv --interactions -o attributions.html",
    ),
    add_arguments=_add_arguments,
    run=_run,
)
