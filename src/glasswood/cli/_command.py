"""Command: one subcommand of the command line, as `_commands` lists it."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """What a subcommand is called, how it is explained, what it takes and what it does.

    `run` imports what it needs by itself, so that `glasswood --help` stays quick. It prints for people, and what it
    refuses is a `GlasswoodError`.
    """

    name: str
    summary: str  # one line, shown in the list of commands
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], None]
    usage: str = ""  # what follows the name, such as "MODEL DATA [options]"
    about: str = ""  # more than the summary says, shown by `glasswood NAME --help`
    examples: tuple[str, ...] = ()  # whole command lines, shown below the options
