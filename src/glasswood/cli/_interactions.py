"""`glasswood interactions`: what features do together beyond what each does alone."""

import argparse
from typing import TYPE_CHECKING, Any

import numpy as np

from glasswood.cli._choices import add_features, add_jobs, add_method, named
from glasswood.cli._command import Command
from glasswood.cli._input import add_data, add_model, read_input
from glasswood.cli._output import Output, add_output, shows_progress, write_output
from glasswood.cli._page import page, picture
from glasswood.cli._text import text_table

if TYPE_CHECKING:
    from glasswood.results import Interactions

_PICTURES = 6  # strongest pairs drawn on a page, at most


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    add_data(parser, what="rows to average over; without it the model's training weights are used", optional=True)
    which = parser.add_mutually_exclusive_group()
    add_features(which)
    which.add_argument(
        "--pairs", metavar="A:B", nargs="+", type=_pair, help="chosen pairs, such as age:fare (with --degree 3: a:b:c)"
    )
    parser.add_argument("--degree", metavar="N", type=int, default=2, help="features in a table (default 2)")
    parser.add_argument(
        "--resolution",
        metavar="N",
        type=int,
        help="for models with too many cells: means over at most N cells a feature, cut at quantiles of the rows; the "
        "column kept says how much of each pair they keep",
    )
    parser.add_argument("--max-cells", metavar="N", type=int, default=50_000_000, help="refuse tables with more cells")
    add_method(parser)
    add_jobs(parser)
    add_output(parser)


def _run(options: argparse.Namespace) -> None:
    from glasswood.explain.effects import interactions

    given = read_input(options)
    found = interactions(
        options.model if given.X is not None else given.ensemble,
        given.X,
        features=named(options.features),
        pairs=None if options.pairs is None else [named(pair) or [] for pair in options.pairs],
        degree=options.degree,
        method=options.method,
        resolution=options.resolution,
        sample_weight=given.weight,
        max_cells=options.max_cells,
        n_jobs=options.jobs,
        progress=shows_progress(options),
    )
    output = Output(
        text=lambda: f"Interactions ({found.method}), strongest first\n{text_table(_ranking(found))}",
        frame=lambda: found.ranking().to_frame(),
        document=found.to_dict,
        page=lambda: _page(found, options.model),
    )
    write_output(output, options.file)


def _ranking(found: "Interactions") -> dict[str, list[Any]]:
    ranking = found.ranking()
    columns: dict[str, list[Any]] = {
        f"feature {d + 1}": [names[d] for names in ranking.features] for d in range(found.degree)
    }
    columns |= {"output": list(ranking.output), "strength": ranking.strength.tolist(), "H²": ranking.h2.tolist()}
    if ranking.kept is not None:
        columns["kept"] = ranking.kept.tolist()
    if len(found.outputs) == 1:
        del columns["output"]
    return columns


def _page(found: "Interactions", model: str) -> str:
    strongest = sorted(found.tables, key=lambda table: -float(np.max(table.strength)))[:_PICTURES]
    parts = [found._repr_html_()]
    if found.degree == 2:
        parts += [picture(table.plot(), "interaction of " + " and ".join(table.features)) for table in strongest]
    return page(f"Interactions of {model}", parts)


def _pair(text: str) -> list[str]:
    parts = text.split(":")
    if len(parts) < 2 or not all(parts):
        raise argparse.ArgumentTypeError(f"{text!r} names no pair; write it as age:fare")
    return parts


INTERACTIONS = Command(
    name="interactions",
    usage="MODEL [DATA] [options]",
    summary="what pairs of features do beyond what each does alone",
    about="Tables rank the pairs by strength, the sd of the interaction, with Friedman's H²; JSON holds every cell.",
    examples=(
        "glasswood interactions model.txt rows.csv",
        "glasswood interactions model.json rows.csv --pairs age:fare age:sex -o pairs.json",
        "glasswood interactions forest.gw rows.parquet --resolution 32",
        "glasswood interactions model.cbm rows.parquet --features age sex fare -o pairs.html",
    ),
    add_arguments=_add_arguments,
    run=_run,
)
