"""Options that several commands share: features by name or position, the method, the privacy limit, threads."""

import argparse

from glasswood._jobs import resolve_n_jobs
from glasswood.errors import OptionError

METHODS = ("auto", "interventional", "path", "observed", "shared", "leafmean", "treemind")


def add_features(parser: argparse._ActionsContainer) -> None:
    """Declare which features are asked for."""
    parser.add_argument(
        "--features",
        metavar="NAME",
        nargs="+",
        help="features to explain, by name or by #position from 0 (default: all)",
    )


def add_method(parser: argparse.ArgumentParser) -> None:
    """Declare how an effect is averaged."""
    parser.add_argument(
        "--method",
        choices=METHODS,
        default="auto",
        metavar="METHOD",
        help=f"{', '.join(METHODS)}; auto is interventional with DATA and path without",
    )


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Declare the number of threads."""
    parser.add_argument("--jobs", metavar="N", type=_jobs, default=-1, help="threads; -1, the default, is all cores")


def add_min_rows_per_leaf(parser: argparse.ArgumentParser) -> None:
    """Declare the privacy limit of the examples."""
    parser.add_argument(
        "--min-rows-per-leaf",
        metavar="N",
        type=int,
        default=1,
        help="for privacy: leaves with fewer rows count as empty (default 1)",
    )


def named(features: list[str] | None) -> list[str | int] | None:
    """Features as the Python functions take them."""
    return None if features is None else [feature_of(text) for text in features]


def feature_of(text: str) -> str | int:
    """A feature as the Python functions take it: `#3` is a position, everything else a name."""
    return int(text[1:]) if text[:1] == "#" and text[1:].isdecimal() else text


def _jobs(text: str) -> int:
    try:
        n_jobs = int(text)
        resolve_n_jobs(n_jobs)
    except OptionError as error:  # the library would refuse it only after reading the model and the table
        raise argparse.ArgumentTypeError(str(error)) from None
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of threads") from None
    return n_jobs
