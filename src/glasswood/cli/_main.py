"""main: the command line is parsed, one command runs, what is refused becomes a message and an exit code."""

import argparse
import sys
import warnings
from collections.abc import Sequence
from typing import Any

from glasswood import __version__
from glasswood.cli._command import Command
from glasswood.cli._commands import COMMANDS
from glasswood.errors import GlasswoodError, GlasswoodWarning


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code is 0 on success, 1 when a model or table is refused, 2 for a wrong call."""
    options = _parser().parse_args(arguments)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", GlasswoodWarning)
            warnings.showwarning = _show_warning
            options.run(options)
    except GlasswoodError as error:
        print(f"glasswood: {error}", file=sys.stderr)
        return 1
    except ImportError as error:
        print(f"glasswood: this needs {error.name or error}, which is not installed", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nglasswood: stopped", file=sys.stderr)
        return 130  # what a shell gives for Ctrl-C
    return 0


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help that keeps the lines of the examples and has room for the names of commands."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=22, width=100)
        self._action_max_length = 16  # argparse forgets that commands are indented


def _show_warning(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    """One line for people; what other libraries warn of is theirs to say, by name."""
    whose = "" if issubclass(category, GlasswoodWarning) else f"{category.__name__}: "
    print(f"glasswood: note: {whose}{message}", file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="glasswood",
        description="Glass-box tree ensembles: read a model, prove it, see through it.",
        epilog="`glasswood COMMAND --help` explains a command and shows examples.",
        formatter_class=_Help,
    )
    parser.add_argument("--version", action="version", version=f"glasswood {__version__}")
    parsers = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for command in COMMANDS:
        _add(parsers, command)
    return parser


def _add(parsers: "argparse._SubParsersAction[argparse.ArgumentParser]", command: Command) -> None:
    about = command.about or command.summary[0].upper() + command.summary[1:] + "."
    epilog = "examples:\n" + "\n".join(f"  {line}" for line in command.examples) if command.examples else None
    parser = parsers.add_parser(
        command.name,
        help=command.summary,
        description=about,
        epilog=epilog,
        usage=f"glasswood {command.name} {command.usage or '[options]'}",
        formatter_class=_Help,
    )
    command.add_arguments(parser)
    parser.set_defaults(run=command.run)
