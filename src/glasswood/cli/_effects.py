"""`glasswood effects`: what each feature does to the model's output, cell by cell."""

import argparse
from typing import TYPE_CHECKING

from glasswood.cli._choices import add_features, add_jobs, add_method, named
from glasswood.cli._command import Command
from glasswood.cli._input import add_data, add_model, read_input
from glasswood.cli._output import Output, add_output, shows_progress, write_output
from glasswood.cli._page import page, picture
from glasswood.cli._text import importance_table

if TYPE_CHECKING:
    from glasswood.results import Effects

_PICTURES = 24  # features drawn on a page, at most


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    add_data(parser, what="rows to average over; without it the model's training weights are used", optional=True)
    add_features(parser)
    add_method(parser)
    add_jobs(parser)
    add_output(parser)


def _run(options: argparse.Namespace) -> None:
    from glasswood.explain.effects import effects

    given = read_input(options)
    found = effects(
        options.model if given.X is not None else given.ensemble,
        given.X,
        features=named(options.features),
        method=options.method,
        sample_weight=given.weight,
        n_jobs=options.jobs,
        progress=shows_progress(options),
    )
    output = Output(
        text=lambda: f"Importance of the effects ({found.method})\n{importance_table(found.importance())}",
        frame=found.to_frame,
        document=found.to_dict,
        page=lambda: _page(found, options.model),
    )
    write_output(output, options.file)


def _page(found: "Effects", model: str) -> str:
    importance = found.importance()
    drawn = importance.features[:_PICTURES]
    parts = [importance._repr_html_()]
    parts += [picture(found[name].plot(), f"effect of {name}") for name in drawn]
    if len(drawn) < len(found):
        parts.append(f"<p>The {len(drawn)} most important of {len(found):,} features are drawn.</p>")
    return page(f"Effects of {model}", parts)


EFFECTS = Command(
    name="effects",
    usage="MODEL [DATA] [options]",
    summary="what each feature does to the output, exact at every threshold",
    about="The screen shows how far each feature moves the output; files hold one row per feature and cell.",
    examples=(
        "glasswood effects model.txt rows.csv",
        "glasswood effects model.json rows.parquet --features age fare -o effects.csv",
        "glasswood effects model.cbm rows.csv -o effects.html",
        "glasswood effects model.ubj --method path",
    ),
    add_arguments=_add_arguments,
    run=_run,
)
