"""The `glasswood` command."""

import argparse
import sys
from collections.abc import Sequence

from glasswood import __version__
from glasswood.errors import GlasswoodError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code is 0 on success, 1 when a model or table is refused, 2 for a wrong call."""
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except GlasswoodError as error:
        print(f"glasswood: {error}", file=sys.stderr)
        return 1
    except ImportError as error:
        print(f"glasswood: this needs {error.name or error}, which is not installed", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="glasswood", description="Glass-box tree ensembles: read a model, prove it, see through it."
    )
    parser.add_argument("--version", action="version", version=f"glasswood {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    demo = commands.add_parser("demo", help="train a model on the bundled Titanic passengers and show what is read")
    demo.set_defaults(run=_demo)
    inspect = commands.add_parser("inspect", help="what is in a model file")
    inspect.add_argument("model", help="model file of a supported library, or glasswood's own")
    inspect.set_defaults(run=_inspect)
    return parser


def _inspect(options: argparse.Namespace) -> None:
    from glasswood.ensemble import describe_features
    from glasswood.readers import read

    ensemble = read(options.model)
    print(ensemble)
    print(describe_features(ensemble))


def _demo(options: argparse.Namespace) -> None:
    from glasswood.demo import demo

    demo(print)
