"""`glasswood ledger`: how much of the model single features and pairs reproduce."""

import argparse
from typing import TYPE_CHECKING, Any

from glasswood.cli._choices import add_jobs
from glasswood.cli._command import Command
from glasswood.cli._input import add_data, add_model, read_input
from glasswood.cli._output import Output, add_output, shows_progress, write_output
from glasswood.cli._page import page, picture
from glasswood.cli._text import text_table

if TYPE_CHECKING:
    from glasswood.results import Ledger


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    add_data(parser, what="rows over which the model's answers vary")
    add_jobs(parser)
    add_output(parser)


def _run(options: argparse.Namespace) -> None:
    from glasswood.explain.effects import ledger

    given = read_input(options)
    found = ledger(
        options.model, given.X, sample_weight=given.weight, n_jobs=options.jobs, progress=shows_progress(options)
    )
    output = Output(
        text=lambda: _text(found),
        frame=found.to_frame,
        document=found.to_dict,
        page=lambda: page(f"Ledger of {options.model}", [found._repr_html_(), *_pictures(found)]),
    )
    write_output(output, options.file)


def _text(found: "Ledger") -> str:
    columns: dict[str, list[Any]] = {
        "output": list(found.outputs),
        "variance": found.variance.tolist(),
        "effects": found.effects.tolist(),
        "pairs": found.pairs.tolist(),
        "left over": found.left_over.tolist(),
    }
    if len(found.outputs) == 1:
        del columns["output"]
    title = f"Shares of the variance of raw over {found.n_rows:,} rows"
    return f"{title}: single features, what pairs add, the rest\n{text_table(columns)}"


def _pictures(found: "Ledger") -> list[str]:
    return [picture(found.plot(output=output), f"shares of the variance of {output}") for output in found.outputs]


LEDGER = Command(
    name="ledger",
    usage="MODEL DATA [options]",
    summary="how much of the model single features and pairs reproduce",
    about="Shares of the variance of the raw answer over the rows; they are never negative and add up to 1.",
    examples=(
        "glasswood ledger model.txt rows.csv",
        "glasswood ledger model.json rows.parquet -o ledger.json",
    ),
    add_arguments=_add_arguments,
    run=_run,
)
