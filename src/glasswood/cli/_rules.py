"""`glasswood rules`: a short list of rules instead of a forest."""

import argparse
from typing import TYPE_CHECKING

from glasswood.cli._choices import add_jobs
from glasswood.cli._command import Command
from glasswood.cli._input import add_data, add_model, read_input
from glasswood.cli._output import Output, add_output, shows_progress, write_output
from glasswood.cli._page import page, picture

if TYPE_CHECKING:
    from glasswood.explain.rules import RuleSet


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    add_data(parser, what="the training rows and their target")
    parser.add_argument("--target", metavar="COLUMN", required=True, help="column that holds the target")
    parser.add_argument("--max-rules", metavar="N", type=int, default=25, help="most rules (default 25)")
    parser.add_argument("--max-depth", metavar="N", type=int, default=2, help="most conditions of a rule (default 2)")
    parser.add_argument(
        "--p0", metavar="SHARE", type=float, default=0.0, help="share of the trees that must have a rule (default 0)"
    )
    parser.add_argument(
        "--quantiles", metavar="N", type=int, default=10, help="thresholds are moved to N-quantiles (default 10)"
    )
    add_jobs(parser)
    add_output(parser, ".txt", ".sql")


def _run(options: argparse.Namespace) -> None:
    from glasswood.explain.rules import rules

    given = read_input(options)
    found = rules(
        options.model,
        given.X,
        given.target,
        p0=options.p0,
        max_rules=options.max_rules,
        n_quantiles=options.quantiles,
        max_depth=options.max_depth,
        sample_weight=given.weight,
        n_jobs=options.jobs,
        progress=shows_progress(options),
    )
    output = Output(
        text=found.to_text,
        frame=found.to_frame,
        document=found.to_dict,
        page=lambda: _page(found, options.model),
        more=((".txt", lambda: found.to_text() + "\n"), (".sql", lambda: found.to_sql() + "\n")),
    )
    write_output(output, options.file)


def _page(found: "RuleSet", model: str) -> str:
    pictures = [picture(found.plot(), "what each rule says inside and outside")] if len(found) else []
    return page(f"Rules of {model}", [found._repr_html_(), *pictures])


RULES = Command(
    name="rules",
    usage="MODEL DATA --target COLUMN [options]",
    summary="the paths most trees share, as a short list of rules",
    about="The rules, what they predict inside and outside, and how close they are to the model and to the target.",
    examples=(
        "glasswood rules model.txt rows.csv --target survived --max-rules 10",
        "glasswood rules model.cbm rows.parquet --target price -o rules.html",
        "glasswood rules model.json rows.csv --target survived -o rules.sql",
    ),
    add_arguments=_add_arguments,
    run=_run,
)
