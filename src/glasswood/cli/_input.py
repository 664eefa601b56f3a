"""Input: what the command line names, read: the model, and the columns of the table each part is in."""

import argparse
import sys
from dataclasses import dataclass
from typing import Any

from glasswood.ensemble import Ensemble, FeatureSchema
from glasswood.errors import OptionError
from glasswood.readers import read
from glasswood.tables import Label, column_names, pick_columns, read_table_file

_CELLS = "in a CSV, empty cells, NA, N/A, NaN, null and None are missing, and the model says which columns are text"


@dataclass(frozen=True, slots=True, eq=False)
class Input:
    """A model file and a table, split into features, target and weight."""

    ensemble: Ensemble
    X: Any | None  # None: no table was given
    target: Any | None
    weight: Any | None


def add_model(parser: argparse.ArgumentParser) -> None:
    """Declare the model."""
    parser.add_argument(
        "model",
        metavar="MODEL",
        help="model file: LightGBM .txt, XGBoost .json/.ubj, CatBoost .cbm/.json, perpetual .json, glasswood's own",
    )


def add_data(parser: argparse.ArgumentParser, *, what: str, optional: bool = False) -> None:
    """Declare the table."""
    parser.add_argument(
        "data", metavar="DATA", nargs="?" if optional else None, help=f"CSV or Parquet file with {what}; {_CELLS}"
    )
    parser.add_argument("--weight", metavar="COLUMN", help="column that holds the weight of each row")


def read_input(options: argparse.Namespace) -> Input:
    """Read the model and, if given, the table; columns the model does not know are left out, which is said."""
    ensemble = read(options.model)
    if options.data is None:
        return Input(ensemble, None, None, None)
    frame = read_table_file(options.data, levels=known_levels(ensemble.features))
    target = _column(frame, getattr(options, "target", None), options.data)
    weight = _column(frame, options.weight, options.data)
    aside = [name for name in (getattr(options, "target", None), options.weight) if name is not None]
    X = features_of(frame, ensemble.features, aside, say=None if options.quiet else _say)
    return Input(ensemble, X, target, weight)


def features_of(frame: Any, features: FeatureSchema, aside: list[str], say: Any = None) -> Any:
    """Columns of the model, by name where it has names; all but those set aside where it has none."""
    names = column_names(frame)
    rest = [name for name in names if name not in aside]
    if not features.named:
        return pick_columns(frame, rest)
    known = set(features.names)
    # LightGBM writes "petal length" as "petal_length"
    wanted = [name for name in names if name in known or name.replace(" ", "_") in known]
    if not known <= {*wanted, *(name.replace(" ", "_") for name in wanted)}:
        return pick_columns(frame, rest)  # whoever takes it says what is lacking, and what may be meant
    unused = [name for name in rest if name not in wanted]
    if unused and say is not None:
        more = f" and {len(unused) - 8} more" if len(unused) > 8 else ""
        say(f"not in the model, left out: {', '.join(unused[:8])}{more}")
    return pick_columns(frame, wanted)


def known_levels(features: FeatureSchema) -> dict[str, tuple[Label, ...]]:
    """Levels by column, as the reader of CSV files takes them; none where only hashes of their text are known."""
    hashes = features.hashes or (None,) * len(features)
    return {
        name: () if known is not None else labels
        for name, labels, known in zip(features.names, features.categories, hashes, strict=True)
        if labels is not None
    }


def _column(frame: Any, name: str | None, file: str) -> Any | None:
    if name is None:
        return None
    names = column_names(frame)
    if name not in names:
        raise OptionError(f"{file} has no column {name!r}; it has {', '.join(names[:20])}")
    return frame[name]


def _say(text: str) -> None:
    print(f"glasswood: {text}", file=sys.stderr)
