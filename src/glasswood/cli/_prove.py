"""`glasswood prove`: the range of a model's output, and whether it rises or falls with a feature."""

import argparse
from typing import TYPE_CHECKING, Any

from glasswood.cli._choices import feature_of
from glasswood.cli._command import Command
from glasswood.cli._input import add_data, add_model, read_input
from glasswood.cli._output import Output, add_output, write_output
from glasswood.cli._page import page
from glasswood.cli._text import text_table
from glasswood.errors import OptionError

if TYPE_CHECKING:
    from glasswood.results import Bounds, MonotoneProof


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    what = "rows; proofs then hold for the smallest box around them, else for every row there could be"
    add_data(parser, what=what, optional=True, weighted=False)
    question = parser.add_mutually_exclusive_group(required=True)
    question.add_argument("--bounds", action="store_true", help="the least and the largest raw")
    question.add_argument(
        "--monotone", metavar="FEATURE", help="whether raw rises or falls with a feature, by name or by #position"
    )
    parser.add_argument("--output", metavar="NAME", help="output for --monotone, if the model has several")
    parser.add_argument("--time-limit", metavar="SECONDS", type=float, help="end the search after this time")
    add_output(parser)


def _run(options: argparse.Namespace) -> None:
    from glasswood.explain.proofs import bounds, monotone

    if options.bounds and options.output is not None:
        raise OptionError("--output goes with --monotone; --bounds lists every output")
    given = read_input(options)
    found: Any
    if options.bounds:
        found = bounds(given.ensemble, given.X, time_limit=options.time_limit)
    else:
        found = monotone(
            given.ensemble,
            feature_of(options.monotone),
            given.X,
            output=options.output,
            time_limit=options.time_limit,
        )
    output = Output(
        text=lambda: _bounds_text(found) if options.bounds else _monotone_text(found),
        frame=found.to_frame,
        document=found.to_dict,
        page=lambda: page(f"Proof about {options.model}", [found._repr_html_()]),
    )
    write_output(output, options.file)


def _bounds_text(found: "Bounds") -> str:
    columns: dict[str, list[object]] = {"output": [], "end": [], "bound": [], "proven": []}
    for o, output in enumerate(found.outputs):
        for end, bound, reached in (("low", found.low, found.found_low), ("high", found.high, found.found_high)):
            proven = "yes" if bound[o] == reached[o] else f"no, found {reached[o]:.6g}"
            for name, value in zip(columns, (output, end, float(bound[o]), proven), strict=True):
                columns[name].append(value)
    return "Bounds of raw: no row is beyond them\n" + text_table(columns)


def _monotone_text(found: "MonotoneProof") -> str:
    lines = [f"{found.verdict}: {found.sentence}"]
    shown = (("rises", found.rows_rise, found.raw_rise), ("falls", found.rows_fall, found.raw_fall))
    for way, rows, raw in shown:
        if rows is not None and raw is not None:
            first, second = (row[found.feature] for row in rows)
            others = ", ".join(f"{name} = {value}" for name, value in rows[0].items() if name != found.feature)
            lines.append(
                f"raw {way} from {raw[0]:.6g} to {raw[1]:.6g} if {found.feature} goes from {first} to {second}"
                + (f", with {others}" if others else "")
            )
    return "\n".join(lines)


PROVE = Command(
    name="prove",
    usage="MODEL [DATA] (--bounds | --monotone FEATURE) [options]",
    summary="proofs: the range of the output, or whether it rises or falls with a feature",
    about="What is printed holds for every row. A search that ends early says so, with a bound that holds.",
    examples=(
        "glasswood prove model.txt --bounds",
        "glasswood prove model.json --monotone age",
        "glasswood prove model.cbm rows.csv --monotone age -o proof.json",
    ),
    add_arguments=_add_arguments,
    run=_run,
)
