"""Input: the model and the table that the command line names, split into features, target and weight."""

import argparse
import sys
from dataclasses import dataclass
from typing import Any

from glasswood._checks import did_you_mean
from glasswood.ensemble import Ensemble, features_of, known_levels
from glasswood.errors import OptionError
from glasswood.readers import read
from glasswood.tables import column_names, read_table_file

_CELLS = "in a CSV, empty cells, NA, N/A, NaN, null and None are missing, and the model says which columns are text"


@dataclass(frozen=True, slots=True, eq=False)
class Input:
    """A model and a table, split into features, target and weight."""

    ensemble: Ensemble
    X: Any | None  # None if no table was given
    target: Any | None
    weight: Any | None


def add_model(parser: argparse.ArgumentParser, *, optional: bool = False) -> None:
    """Declare the model."""
    parser.add_argument(
        "model",
        metavar="MODEL",
        nargs="?" if optional else None,
        help="model file: LightGBM .txt, XGBoost .json/.ubj, CatBoost .cbm/.json, perpetual .json, ONNX .onnx, "
        "glasswood's own",
    )


def add_data(parser: argparse.ArgumentParser, *, what: str, optional: bool = False, weighted: bool = True) -> None:
    """Declare the table, and the column of its weights unless they would do nothing."""
    parser.add_argument(
        "data", metavar="DATA", nargs="?" if optional else None, help=f"CSV or Parquet file with {what}; {_CELLS}"
    )
    if weighted:
        parser.add_argument("--weight", metavar="COLUMN", help="column of DATA that holds the weight of each row")
    else:
        parser.set_defaults(weight=None)


def read_input(options: argparse.Namespace) -> Input:
    """Read the model and the table, if one is given; say which columns are left out because the model lacks them."""
    ensemble = read(options.model)
    if options.data is None:
        if options.weight is not None:
            raise OptionError(f"--weight {options.weight!r} names a column of DATA; name the file too")
        return Input(ensemble, None, None, None)
    frame = read_table_file(options.data, levels=known_levels(ensemble.features))
    named: str | None = getattr(options, "target", None)
    target = None if named is None else column_of(frame, named, options.data)
    weight = None if options.weight is None else column_of(frame, options.weight, options.data)
    if named in ensemble.feature_names:
        raise OptionError(f"--target {named!r} is a feature of the model; name the column it predicts")
    aside = [name for name in (named, options.weight) if name is not None]
    quiet = getattr(options, "quiet", False)
    X = features_of(frame, ensemble.features, aside, say=None if quiet else _say)
    return Input(ensemble, X, target, weight)


def column_of(frame: Any, name: str, file: str) -> Any:
    """A column of a table file that an option names."""
    names = column_names(frame)
    if name not in names:
        hint = did_you_mean(name, names) or f"; it has {', '.join(names[:20])}"
        raise OptionError(f"{file} has no column {name!r}{hint}")
    return frame[name]


def _say(text: str) -> None:
    print(f"glasswood: {text}", file=sys.stderr)
