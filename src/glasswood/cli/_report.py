"""`glasswood report`: everything about a model in one page that works offline."""

import argparse
from argparse import Namespace
from pathlib import Path

from glasswood.cli._choices import add_jobs, add_min_rows_per_leaf
from glasswood.cli._command import Command
from glasswood.cli._input import add_data, add_model, read_input
from glasswood.cli._output import add_page, shows_progress
from glasswood.errors import OptionError


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    add_data(parser, what="rows to explain the model on")
    parser.add_argument(
        "--target", metavar="COLUMN", help="column of DATA that holds the target; without it no scores, rules and trees"
    )
    parser.add_argument("--train", metavar="FILE", help="table that the model was trained on, with the target")
    parser.add_argument("--other", metavar="MODEL", help="another model to compare with, on the same rows")
    parser.add_argument("--title", metavar="TEXT", help="title of the page (default: the name of the model file)")
    parser.add_argument(
        "--examples", metavar="N", type=int, default=24, help="rows of DATA shown as examples (default 24; 0: none)"
    )
    add_min_rows_per_leaf(parser)
    add_jobs(parser)
    add_page(parser)
    parser.add_argument("--quiet", action="store_true", help="no progress bar and no notes")


def _run(options: argparse.Namespace) -> None:
    from glasswood.web import report

    given = read_input(options)
    if options.train is not None and options.target is None:
        raise OptionError("--train compares predictions with targets: name them with --target")
    trained = None if options.train is None else read_input(Namespace(**{**vars(options), "data": options.train}))
    page = report(
        options.model,
        given.X,
        given.target,
        train=None if trained is None else (trained.X, trained.target),
        other=options.other,
        title=options.title or f"{Path(options.model).name} ({given.ensemble.source.library})",
        sample_weight=given.weight,
        n_examples=options.examples,
        min_rows_per_leaf=options.min_rows_per_leaf,
        n_jobs=options.jobs,
        progress=shows_progress(options),
    )
    page.save(options.file)
    if not options.quiet:
        refused = [section.title for section in page.sections if "refused" in section.data]
        without = f"; {', '.join(refused)} could not be shown, and it says why" if refused else ""
        print(f"{options.file}: {options.file.stat().st_size / 1000:,.0f} kB{without}")


REPORT = Command(
    name="report",
    usage="MODEL DATA -o FILE.html [--target COLUMN] [options]",
    summary="everything about a model in one offline HTML page",
    about="How the model was read and checked, how good it is, single predictions, trees, effects, interactions, rules "
    "and examples, in one file that needs no network.",
    examples=(
        "glasswood report model.txt rows.csv --target survived -o report.html",
        "glasswood report new.txt test.csv --target survived --train train.csv --other old.txt -o report.html",
        "glasswood report model.cbm rows.parquet --examples 0 -o report.html",
    ),
    add_arguments=_add_arguments,
    run=_run,
)
