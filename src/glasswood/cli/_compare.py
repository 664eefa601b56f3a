"""`glasswood compare`: what differs between two models."""

import argparse
from typing import TYPE_CHECKING, Any

from glasswood.cli._choices import add_jobs
from glasswood.cli._command import Command
from glasswood.cli._input import add_data, add_model, column_of
from glasswood.cli._output import Output, add_output, shows_progress, write_output
from glasswood.cli._page import page
from glasswood.cli._text import text_table

if TYPE_CHECKING:
    from glasswood.explain.compare import Comparison


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    parser.add_argument("other", metavar="OTHER", help="the model to subtract, of any kind that MODEL may be")
    add_data(parser, what="rows that have the columns of both models")
    parser.add_argument("--target", metavar="COLUMN", help="column that both models predict, for their loss")
    parser.add_argument("--raw", action="store_true", help="compare raw also if the models have different links")
    add_jobs(parser)
    add_output(parser)


def _run(options: argparse.Namespace) -> None:
    from glasswood.ensemble import known_levels
    from glasswood.explain.compare import compare
    from glasswood.readers import read
    from glasswood.tables import column_names, pick_columns, read_table_file

    first, second = read(options.model), read(options.other)
    levels = known_levels(second.features) | known_levels(first.features)
    frame = read_table_file(options.data, levels=levels)
    aside: dict[str, Any] = {
        name: column_of(frame, name, options.data) for name in (options.target, options.weight) if name
    }
    names = [name for name in column_names(frame) if name not in aside]
    if first.features.named and second.features.named:
        used = {*first.features.find(names).values(), *second.features.find(names).values()}
        names = [name for j, name in enumerate(names) if j in used]
    found = compare(
        first,
        second,
        pick_columns(frame, names),
        aside.get(options.target),
        scale="raw" if options.raw else "auto",
        sample_weight=aside.get(options.weight),
        n_jobs=options.jobs,
        progress=shows_progress(options),
    )
    output = Output(
        text=lambda: _text(found),
        frame=found.to_frame,
        document=found.to_dict,
        page=lambda: page(f"{options.model} and {options.other}", [found._repr_html_()]),
    )
    write_output(output, options.file)


def _text(found: "Comparison") -> str:
    columns: dict[str, list[object]] = {"output": [], "what": [], "value": []}
    for o, output in enumerate(found.outputs):
        for what, value in found.numbers(o):
            for name, item in zip(columns, (output, what, value), strict=True):
                columns[name].append(item)
    if len(found.outputs) == 1:
        del columns["output"]
    importance = found.importance
    sd = importance.sd.reshape(len(importance.features), -1)
    through: dict[str, list[object]] = {"feature": [], "sd of the effect": []}
    for i, feature in enumerate(importance.features):
        through["feature"].append(feature)
        through["sd of the effect"].append(float(sd[i].max()))
    parts = ["Difference of raw, first model minus second", text_table(columns)]
    parts += ["", "Features the difference runs through", text_table(through)]
    if found.rules is not None:
        parts += ["", "Where they differ", found.rules.to_text()]
    return "\n".join(parts)


COMPARE = Command(
    name="compare",
    usage="MODEL OTHER DATA [options]",
    summary="what differs between two models",
    about="Prints how far the models agree, their losses, and the features and rules through which they differ.",
    examples=(
        "glasswood compare new.txt old.json rows.csv --target price",
        "glasswood compare new.txt old.txt rows.parquet -o change.html",
    ),
    add_arguments=_add_arguments,
    run=_run,
)
