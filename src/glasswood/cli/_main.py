"""main: parses the command line and runs one command; errors become a message and an exit code."""

import argparse
import sys
from collections.abc import Sequence

from glasswood._version import __version__
from glasswood.cli._command import Command
from glasswood.cli._commands import COMMANDS
from glasswood.cli._notes import drop_output, print_every_letter, show_notes
from glasswood.errors import GlasswoodError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code is 0 on success, 1 if a model or table is refused, 2 for wrong arguments."""
    if arguments is None:  # this process is the command itself, not a program that calls this function
        print_every_letter()
        show_notes()
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
        sys.stdout.flush()  # while errors still become a message
    except GlasswoodError as error:
        print(f"glasswood: {error}", file=sys.stderr)
        return 1
    except ImportError as error:
        print(f"glasswood: this needs {error.name or error}, which is not installed", file=sys.stderr)
        return 1
    except BrokenPipeError:  # such as `| head`: who reads the output has seen enough
        if arguments is None:
            drop_output()
        return 141  # what shells return for it
    except OSError as error:
        if error.filename is None:
            raise
        print(f"glasswood: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nglasswood: stopped", file=sys.stderr)
        return 130  # what shells return after Ctrl-C
    return 0


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help that keeps the line breaks of the examples and leaves space for the names of commands."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=22, width=100)
        self._action_max_length = 16  # argparse ignores that commands are indented


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="glasswood",
        description="Glass-box tree ensembles: read a model, check it against its library, and see what it does.",
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
