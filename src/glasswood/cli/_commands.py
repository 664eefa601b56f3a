"""COMMANDS: the subcommands, in the order `glasswood --help` lists them. A new one is a module and a line below."""

from glasswood.cli._command import Command
from glasswood.cli._demo import DEMO
from glasswood.cli._inspect import INSPECT

COMMANDS: tuple[Command, ...] = (DEMO, INSPECT)
