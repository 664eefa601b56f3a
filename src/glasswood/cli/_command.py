"""Command: one subcommand of the command line, as `_commands` lists it."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """Name, help texts, arguments and action of a subcommand.

    `run` imports what it needs itself, so that `glasswood --help` stays fast. It prints for people, and raises a
    `GlasswoodError` if it refuses something.
    """

    name: str
    summary: str  # one line, shown in the list of commands
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], None]
    usage: str = ""  # what follows the name, such as "MODEL DATA [options]"
    about: str = ""  # more than the summary, shown by `glasswood NAME --help`
    examples: tuple[str, ...] = ()  # whole command lines, shown below the options
